"""One parameter on one line: symbol, name, slider, field, and a note where there is something to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.views.controls import parameter_words as words
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.controls.scale import SliderScale
from workbench.views.controls.slider import Slider
from workbench.views.fonts import NOTE, maths_font, ui_font
from workbench.views.icons import icon
from workbench.views.style import set_look
from workbench.views.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.parameters.spec import Parameter

PADDING = 14  # of the dock: the row spans it from edge to edge, with the changed dot in the padding
SYMBOL, NAME, TAIL = 24, 90, 24
SYMBOL_SIZE = 16


class ParameterRow(QWidget):
    """Shows one parameter and offers what the person sets: `changed` carries its name and value.

    Put it into a layout without margins at the left and right; its paddings are inside. `choices`
    are the values of a choice whose declaration does not list them.
    """

    changed = Signal(str, object)

    def __init__(
        self, declared: Parameter, choices: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.declared = declared
        self._value: Any = declared.default
        self._locked = ""
        self._remark = ("", "accent")
        self._slider: Slider | None = None
        self._field: ParameterField | None = None
        self._combo: QComboBox | None = None
        self._check: QCheckBox | None = None
        self._name = self._build_name()
        self._tail = self._build_tail()
        self._note = self._build_note()
        self._build_layout(choices or declared.choices)
        self._show()

    @property
    def value(self) -> Any:
        """The value shown."""
        return self._value

    @property
    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return bool(self._value != self.declared.default)

    @property
    def note(self) -> str:
        """The line below the row, "" where there is none."""
        return "" if self._note.isHidden() else self._note.text()

    def set_value(self, value: Any) -> None:
        """Show a value; text that is being typed stays where the value is the same."""
        if value != self._value:
            self._value = value
            self._show()

    def set_locked(self, reason: str = "") -> None:
        """Lock the row and say why, or unlock it."""
        if reason != self._locked:
            self._locked = reason
            self._show_state()

    def set_note(self, text: str = "", tone: str = "accent") -> None:
        """Say something below the row, or nothing."""
        if (text, tone) != self._remark:
            self._remark = (text, tone)
            self._show_note()

    # --- what the person does ---------------------------------------------------------------

    def _offer(self, value: Any) -> None:
        before, self._value = self._value, value
        self._show()
        if value != before:
            self.changed.emit(self.declared.name, value)

    def _slid(self, number: float) -> None:
        if self.declared.optional and number == 0:
            self._offer(None)
        else:
            self._offer(self.declared.check(number))

    def _stepped(self, direction: int, modifiers: Qt.KeyboardModifier) -> None:
        if self._slider is not None:
            self._slider.step(direction, modifiers)

    # --- what it shows ----------------------------------------------------------------------

    def _show(self) -> None:
        if self._slider is not None:
            self._slider.set_current(self._value or 0.0)
        if self._field is not None:
            self._field.show_value(self._value)
        if self._combo is not None:
            self._combo.setCurrentIndex(self._combo.findData(self._value))
        if self._check is not None:
            self._check.setChecked(self._value)
        self._show_state()

    def _show_state(self) -> None:
        for editor in self._editors:
            editor.setEnabled(not self._locked)
            editor.setAccessibleDescription(words.description(self.declared, self._value, self._locked))
        set_look(self._name, tone="3" if self._locked else "1")
        self._tail.setEnabled(not self._locked)
        self._tail.setVisible(bool(self._locked) or self.is_changed)
        default = words.value_text(self.declared, self.declared.default)
        self._tail.setToolTip(self._locked or f"Back to {default}")
        self._tail.setAccessibleName(self._locked or f"Reset {self.declared.label}")
        self._show_icon()
        self._show_note()
        self.update()

    def _show_icon(self) -> None:
        self._tail.setIcon(icon("lock-simple" if self._locked else "arrow-counter-clockwise", "text2", 14))

    def _show_note(self) -> None:
        text, tone = self._remark
        if self._locked:
            text, tone = self._locked, "3"
        if self._field is not None and self._field.is_wrong:
            text, tone = words.refusal(self.declared), "error"
        self._note.setText(text)
        set_look(self._note, tone=tone)
        self._note.setVisible(bool(text))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icon()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_changed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("disabled" if self._locked else "accent"))
            painter.drawEllipse(QPointF(8.5, 14), 2.5, 2.5)

    # --- how it is made ---------------------------------------------------------------------

    @property
    def _editors(self) -> list[QWidget]:
        return [e for e in (self._slider, self._field, self._combo, self._check) if e is not None]

    def _build_name(self) -> ElidedLabel:
        label = ElidedLabel(self.declared.label)
        label.setFixedHeight(28)
        return label

    def _build_tail(self) -> QPushButton:
        button = QPushButton()
        set_look(button, flat=True, size="bare")
        button.setFixedSize(TAIL, TAIL)
        keep = button.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        button.setSizePolicy(keep)
        button.clicked.connect(lambda: self._offer(self.declared.default))
        return button

    def _build_note(self) -> ElidedLabel:
        label = ElidedLabel()
        label.setFont(ui_font(NOTE))
        label.setContentsMargins(PADDING + SYMBOL + 2, 0, PADDING, 4)
        label.hide()
        return label

    def _build_layout(self, choices: Sequence[str]) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(PADDING, 0, PADDING + 20 - TAIL, 0)
        line.setSpacing(0)
        self._build_editors(line, choices)
        line.addWidget(self._tail)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self._note)
        self.setToolTip(words.tooltip(self.declared))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for editor in self._editors:
            editor.setAccessibleName(self.declared.label)

    def _build_editors(self, line: QHBoxLayout, choices: Sequence[str]) -> None:
        line.addWidget(self._build_symbol())
        if self.declared.kind == "flag":
            self._check = QCheckBox(self.declared.label)
            self._check.clicked.connect(self._offer)
            self._name.hide()
            line.addWidget(self._check, 1)
            return
        self._name.setFixedWidth(NAME)
        line.addWidget(self._name)
        line.addSpacing(3)
        if self.declared.kind == "choice":
            self._combo = self._build_combo(choices)
            line.addWidget(self._combo, 1)
        else:
            self._build_number(line)

    def _build_symbol(self) -> QLabel:
        label = QLabel(self.declared.symbol)
        label.setFont(maths_font(SYMBOL_SIZE))
        label.setFixedSize(SYMBOL, 28)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.setIndent(6)
        set_look(label, tone="2")
        return label

    def _build_combo(self, choices: Sequence[str]) -> QComboBox:
        combo = QComboBox()
        for choice in choices:
            combo.addItem(choice, choice)
        combo.setMinimumContentsLength(4)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.activated.connect(lambda index: self._offer(combo.itemData(index)))
        return combo

    def _build_number(self, line: QHBoxLayout) -> None:
        if self.declared.slider is not None:
            self._slider = Slider(SliderScale.of(self.declared))
            self._slider.set_default(self.declared.default or 0.0)
            self._slider.valueChanged.connect(self._slid)
            line.addWidget(self._slider, 1)
        else:
            line.addStretch(1)
        self._field = ParameterField(self.declared)
        self._field.entered.connect(self._offer)
        self._field.refused.connect(self._show_note)
        self._field.stepped.connect(self._stepped)
        line.addWidget(self._field)
