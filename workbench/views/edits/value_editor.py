"""The number of an edit, typed or dragged: the weight of a leaf, or a threshold."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from workbench.number_text import MINUS
from workbench.views.controls.label import Label
from workbench.views.controls.slider import Slider
from workbench.views.controls.slider_scale import SliderScale
from workbench.views.look.fonts import BODY, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

FIELD, WIDE_FIELD = 92, 118  # pixels; a threshold may have all digits of a small number
LEAST_REACH = 1e-3  # a slider's ends are at least so far from 0
NO_NUMBER = "Type a number, such as −0.25 or 1e-3."


class ValueEditor(QWidget):
    """`entered` tells a number that was chosen, `typed` follows one that was typed, `refused` wrong text."""

    entered = Signal(float)
    typed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label, self.field = Label(), QLineEdit()
        self.slider = Slider(SliderScale(-1.0, 1.0))
        self.label.setFont(ui_font(NOTE))
        set_look(self.label, tone="2")
        set_look(self.field, fit="row")
        self.field.setFont(ui_font(BODY))
        self.field.setFixedWidth(px(FIELD))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._value = math.nan
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.label)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        self.slider.valueChanged.connect(self._drag)
        self.field.editingFinished.connect(self._read)

    def show_weight(self, weight: float, optimum: float | None, reach: float) -> None:
        """Show the weight of a leaf between −reach and reach, with its best weight marked."""
        self.label.setText("Weight w")
        self._name("Weight of the leaf")
        self.slider.show()
        self.field.setFixedWidth(px(FIELD))
        reach = max(reach, abs(weight), LEAST_REACH)
        self.slider.set_scale(SliderScale(-reach, reach))
        self.slider.set_default(optimum)
        self._show(weight)
        self.slider.set_current(weight)

    def show_threshold(self, threshold: float) -> None:
        """Show a threshold."""
        self.label.setText("Threshold")
        self._name("Threshold")
        self.slider.hide()
        self.field.setFixedWidth(px(WIDE_FIELD))
        self._show(threshold)

    def take_focus(self) -> None:
        """Let the person type at once."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def _name(self, name: str) -> None:
        self.field.setAccessibleName(name)
        self.slider.setAccessibleName(f"{name}, slider")

    def _show(self, value: float) -> None:
        if value != self._value or not self.field.hasFocus():
            self._value = value
            self.field.setText(f"{value:.7g}".replace("-", MINUS))
            self.field.setCursorPosition(0)  # its sign is seen, whatever its length
            set_look(self.field, wrong=False)

    def _drag(self, value: float) -> None:
        self._value = value
        self.field.setText(f"{value:.7g}".replace("-", MINUS))
        set_look(self.field, wrong=False)
        self.entered.emit(value)

    def _read(self) -> None:
        if not self.field.isModified():
            return
        self.field.setModified(False)
        try:
            value = float(self.field.text().strip().replace(MINUS, "-").replace(",", ""))
        except ValueError:
            value = math.nan
        set_look(self.field, wrong=not math.isfinite(value))
        if math.isfinite(value):
            self._value = value
            self.entered.emit(value)
            self.typed.emit()
        else:
            self.refused.emit(NO_NUMBER)
