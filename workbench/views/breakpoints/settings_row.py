"""The settings of one breakpoint in a row: fields with their words, or a list of columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.ensembles.breakpoints.base import settings_of
from workbench.ensembles.breakpoints.first_split import FirstSplit
from workbench.errors import one_line
from workbench.views.controls import parameter_words as words
from workbench.views.controls.label import Label
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.controls.slider_scale import SliderScale
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ensembles.breakpoints.base import Breakpoint
    from workbench.parameters.spec import Parameter

COLUMN_WIDTH = 150


class SettingsRow(QWidget):
    """`changed` carries the breakpoint with its new settings; `refused` says why typed text was not taken."""

    changed = Signal(object)
    refused = Signal(str)

    def __init__(self, one: Breakpoint, columns: Sequence[str] = (), *, with_words: bool = True) -> None:
        super().__init__()
        self._one: Any = one
        self.fields: dict[str, QWidget] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for declared in settings_of(type(one)):
            is_column = isinstance(one, FirstSplit)
            field = self._column_list(declared, columns) if is_column else self._field(declared)
            field.setAccessibleName(f"{one.title}: {declared.label}")
            allowed = "" if is_column else words.range_text(declared)
            set_tip(field, f"{declared.help} {allowed}".strip())
            self.fields[declared.name] = field
            row.addWidget(field)
            if with_words and not is_column:
                label = Label(declared.label)
                set_look(label, tone="2")
                row.addWidget(label)
        row.addStretch(1)
        self.setFocusProxy(next(iter(self.fields.values())))

    @property
    def breakpoint(self) -> Any:
        """With the settings as they stand."""
        return self._one

    @property
    def is_wrong(self) -> bool:
        """Whether a field holds text that is no value."""
        return any(isinstance(field, ParameterField) and field.is_wrong for field in self.fields.values())

    def _field(self, declared: Parameter) -> ParameterField:
        field = ParameterField(declared)
        field.show_value(getattr(self._one, declared.name))
        field.entered.connect(lambda value: self._take(declared, value))
        field.refused.connect(lambda: self.refused.emit(words.refusal(declared)))
        field.stepped.connect(lambda way, keys: self._step(field, declared, way, keys))
        return field

    def _step(self, field: ParameterField, declared: Parameter, way: int, keys: Any) -> None:
        value = getattr(self._one, declared.name)
        if declared.slider is None:
            value = max(declared.lower, value + way)
        else:
            fine = keys == Qt.KeyboardModifier.ShiftModifier
            coarse = keys == Qt.KeyboardModifier.ControlModifier
            value = SliderScale.of(declared).step(value, way, fine=fine, coarse=coarse)
        field.show_value(declared.check(value))
        self._take(declared, value)

    def _column_list(self, declared: Parameter, columns: Sequence[str]) -> PhraseCombo:
        chosen = getattr(self._one, declared.name)
        combo = PhraseCombo()
        combo.setFixedWidth(px(COLUMN_WIDTH))
        if chosen not in columns:
            combo.addItem(one_line(chosen) or "choose a column", chosen)
        for name in columns:
            combo.addItem(one_line(name), name)
        combo.setCurrentIndex(max(0, combo.findData(chosen)))
        combo.activated.connect(lambda _: self._take(declared, combo.currentData()))
        return combo

    def _take(self, declared: Parameter, value: Any) -> None:
        self.refused.emit("")
        self._one = replace(self._one, **{declared.name: value})
        self.changed.emit(self._one)
