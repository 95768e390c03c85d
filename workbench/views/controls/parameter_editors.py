"""What a parameter's value is set with: slider and field, combo box or check box."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from workbench.round_numbers import round_up
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.controls.slider import Slider
from workbench.views.controls.slider_scale import SliderScale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.parameters.spec import Parameter


class FieldEditor(QWidget):
    """A field, with a slider where the parameter has one; 0 on the slider of an optional one is "none".

    The slider stands where the row has room for it.
    """

    entered = Signal(object)
    refused = Signal()

    def __init__(self, declared: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._declared = declared
        self._newest = 0.0
        self.slider = self._build_slider() if declared.slider is not None else None
        self._field = ParameterField(declared)
        self._field.entered.connect(self.entered)
        self._field.refused.connect(self.refused)
        self._field.stepped.connect(self._step)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        if declared.is_list:
            row.addWidget(self._field, 1)
        else:
            row.addWidget(self._field, 0, Qt.AlignmentFlag.AlignRight)
        self.setFocusProxy(self._field)

    @property
    def is_wrong(self) -> bool:
        """Whether the field holds text that is no value."""
        return self._field.is_wrong

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self._field.show_value(value)
        if self.slider is None:
            return
        if value is None and not self._declared.optional:
            self.slider.rest(self._newest)
        else:
            self.slider.set_current(0.0 if value is None else value)

    def set_home(self, value: Any, newest: float) -> None:
        """Mark another value than the default as the unchanged one; None for several, `newest` the last."""
        self._newest = newest
        self._field.set_home(value)
        if self.slider is not None:
            several = value is None and not self._declared.optional
            self.slider.set_default(None if several else value or 0.0)

    def reach(self, value: float) -> None:
        """Let the slider end at the next power of ten where a value lies beyond the end that is declared."""
        if self.slider is not None:
            scale = SliderScale.of(self._declared)
            self.slider.set_scale(replace(scale, upper=max(scale.upper, round_up(value, (1.0,)))))

    def describe(self, name: str, description: str) -> None:
        """Say to assistive technology what this is."""
        for part in (self.slider, self._field):
            if part is not None:
                part.setAccessibleName(name)
                part.setAccessibleDescription(description)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and self.slider is not None:
            self.slider.setEnabled(self.isEnabled())

    def _build_slider(self) -> Slider:
        slider = Slider(SliderScale.of(self._declared))
        slider.set_default(self._declared.default or 0.0)
        slider.valueChanged.connect(self._slid)
        return slider

    def _slid(self, number: float) -> None:
        none = self._declared.optional and number == 0
        self.entered.emit(None if none else self._declared.check(number))

    def _step(self, direction: int, modifiers: Qt.KeyboardModifier) -> None:
        if self.slider is not None:
            self.slider.step(direction, modifiers)


class ChoiceEditor(PhraseCombo):
    """A combo box of names."""

    entered = Signal(object)
    refused = Signal()

    def __init__(self, choices: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_wrong = False
        self.set_choices(choices)
        self.activated.connect(lambda index: self.entered.emit(self.itemData(index)))

    def set_choices(self, choices: Sequence[str]) -> None:
        """Offer other values."""
        self.clear()
        for choice in choices:
            self._offer(choice)

    def show_value(self, value: Any) -> None:
        """Show a value, also one that is not offered."""
        if self.findData(value) < 0:
            self._offer(value)
        self.setCurrentIndex(self.findData(value))

    def _offer(self, choice: str) -> None:
        self.addItem(choice.replace("_", " "), choice)

    def describe(self, name: str, description: str) -> None:
        """Say to assistive technology what this is."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)


class FlagEditor(QCheckBox):
    """A check box with its name."""

    entered = Signal(object)
    refused = Signal()

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self.is_wrong = False
        self.clicked.connect(lambda checked: self.entered.emit(checked))

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self.setChecked(bool(value))

    def describe(self, name: str, description: str) -> None:
        """Say to assistive technology what this is."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)


Editor = FieldEditor | ChoiceEditor | FlagEditor


def make_editor(declared: Parameter, choices: Sequence[str]) -> Editor:
    """Return the editor for a parameter's kind."""
    if declared.kind == "flag":
        return FlagEditor(declared.label)
    if declared.kind == "choice":
        return ChoiceEditor(choices)
    return FieldEditor(declared)

