"""The threshold that all plots share, and what errors cost."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from workbench.number_text import fixed, short
from workbench.views.controls.label import Label
from workbench.views.controls.slider import Slider
from workbench.views.controls.slider_scale import SliderScale
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

HEIGHT, FIELD = 40, 54


class NumberField(QLineEdit):
    """Free text in, a number out; wrong text stays and is outlined."""

    entered = Signal(float)

    def __init__(self, name: str, least: float = -math.inf) -> None:
        super().__init__()
        self._least, self._value = least, math.nan
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedSize(px(FIELD), px(24))
        set_look(self, fit="row", wrong=False)
        self.editingFinished.connect(self._read)

    def show_value(self, value: float, text: str) -> None:
        """Show a value, unless the person is typing another."""
        self._value = value
        if not (self.hasFocus() and self.isModified()):
            self.setText(text)
            set_look(self, wrong=False)

    def _read(self) -> None:
        if not self.isModified():
            return
        try:
            value = float(self.text().replace("−", "-").replace(",", ".").strip())
        except ValueError:
            value = math.nan
        is_right = math.isfinite(value) and value >= self._least
        set_look(self, wrong=not is_right)
        if is_right:
            self.setModified(False)
            self._value = value
            self.entered.emit(value)


class ThresholdBar(QWidget):
    """A slider, two costs, and the threshold at which the errors cost least."""

    moved = Signal(float)
    costs_changed = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self.costs = (1.0, 1.0)
        self.best = math.nan
        self.slider = Slider(SliderScale(0.0, 1.0))
        self.slider.setAccessibleName("Threshold")
        self.slider.setMinimumWidth(px(120))
        self.field = NumberField("Threshold")
        self.false_cost = NumberField("Cost of a false alarm", 0.0)
        self.missed_cost = NumberField("Cost of a miss", 0.0)
        self.best_button = QPushButton("Best 0.000")
        self._words = Label("Threshold")
        self._false, self._missed = Label("a false alarm costs"), Label("a miss")
        self._build()
        self.show_costs(*self.costs)

    def _build(self) -> None:
        self.setFixedHeight(px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        for label in (self._words, self._false, self._missed):
            label.setFont(ui_font(NOTE))
            set_look(label, tone="2")
        set_look(self.best_button, fit="tool")
        set_tip(self.best_button, "Set the threshold at which the errors cost least")
        set_tip(self.false_cost, "What it costs to take a row of the others for the class")
        set_tip(self.missed_cost, "What it costs to take a row of the class for another")
        self.best_button.setMinimumWidth(self.best_button.sizeHint().width())
        row.addWidget(self._words)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        row.addSpacing(16)
        for widget in (self._false, self.false_cost, self._missed, self.missed_cost, self.best_button):
            row.addWidget(widget)
        self.slider.valueChanged.connect(self.moved)
        self.field.entered.connect(self.moved)
        self.false_cost.entered.connect(lambda value: self.set_costs(value, self.costs[1]))
        self.missed_cost.entered.connect(lambda value: self.set_costs(self.costs[0], value))
        self.best_button.clicked.connect(self._take_best)

    def set_scale(self, low: float, high: float, default: float) -> None:
        """Let the threshold go from one score to another; the default is not the person's choice."""
        self.slider.set_scale(SliderScale(low, high if high > low else low + 1.0))
        self.slider.set_default(default)

    def show_threshold(self, threshold: float) -> None:
        """Show where it stands."""
        self.slider.set_current(threshold)
        self.field.show_value(threshold, fixed(threshold))

    def show_costs(self, of_false: float, of_missed: float) -> None:
        """Show what errors cost."""
        self.costs = (of_false, of_missed)
        for field, cost in ((self.false_cost, of_false), (self.missed_cost, of_missed)):
            field.show_value(cost, short(cost))

    def set_costs(self, of_false: float, of_missed: float) -> None:
        """Take other costs."""
        self.show_costs(of_false, of_missed)
        self.costs_changed.emit(of_false, of_missed)

    def show_best(self, threshold: float) -> None:
        """Offer the best threshold; NaN where there is none."""
        self.best = threshold
        self.best_button.setEnabled(math.isfinite(threshold))
        self.best_button.setText(f"Best {fixed(threshold)}")

    def _take_best(self) -> None:
        if math.isfinite(self.best):
            self.moved.emit(self.best)


