"""The bar over the steps: λ, γ and η to read them with, the row, and the way back to the model's values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.parameters.training import BY_NAME
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.explain.derivation.assumed import Assumed

NAMES = ("reg_lambda", "gamma", "learning_rate")
MODEL, ASSUMED = "The model's own values.", "What if. The model is not changed."


class Assumptions(QWidget):
    """`changed` tells a parameter and its value; `back_wanted`, `row_chosen` and `class_chosen` the rest."""

    changed = Signal(str, object)
    back_wanted = Signal()
    row_chosen = Signal(int)
    class_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, ParameterRow] = {}
        self.chooser, self.classes = RowChooser(), PhraseCombo()
        self.note, self.back_button = ElidedLabel(), QPushButton("Back to the model's values")
        self._build()

    def _build(self) -> None:
        set_look(self, ground="data")
        set_look(self.back_button, flat=True, fit="tool")
        self.note.setFont(ui_font(NOTE))
        self.classes.setAccessibleName("Class")
        set_look(self.classes, fit="tool")
        self._sliders = QHBoxLayout()
        self._sliders.setSpacing(0)
        below = QHBoxLayout()
        below.setContentsMargins(4, 0, 16, 0)
        below.setSpacing(8)
        below.addWidget(self.chooser)
        below.addWidget(self.classes)
        below.addWidget(self.note, 1)
        below.addWidget(self.back_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 6)
        column.setSpacing(4)
        column.addLayout(self._sliders)
        column.addLayout(below)
        self.back_button.clicked.connect(self.back_wanted)
        self.chooser.chosen.connect(self.row_chosen)
        self.classes.activated.connect(self.class_chosen)

    def build(self) -> Iterator[None]:
        """Make the sliders, one each time the next is asked for; all of them before it is shown."""
        for name in NAMES:
            self.rows[name] = row = ParameterRow(BY_NAME[name])
            row.changed.connect(self.changed)
            self._sliders.addWidget(row, 1)
            yield

    def show_values(self, stored: Assumed, asked: Mapping[str, float]) -> None:
        """Show the values of the tree, and those asked for in their place."""
        for name, row in self.rows.items():
            home = getattr(stored, name)
            row.set_home(home, home)
            row.set_value(asked.get(name, home))
        is_changed = any(row.is_changed for row in self.rows.values())
        self.note.setText(ASSUMED if is_changed else MODEL)
        set_look(self.note, tone="accent" if is_changed else "3")
        self.back_button.setEnabled(is_changed)

    def show_row(self, row: int | None, rows: int) -> None:
        """Show the row that is followed, of so many."""
        self.chooser.setVisible(rows > 0)
        self.chooser.show_row(row, rows)

    def show_classes(self, names: Sequence[str], chosen: int) -> None:
        """Offer the classes of a model that has several; none else."""
        with QSignalBlocker(self.classes):
            if [self.classes.itemText(place) for place in range(self.classes.count())] != list(names):
                self.classes.clear()
                self.classes.addItems(list(names))
            self.classes.setCurrentIndex(min(chosen, len(names) - 1))
        self.classes.setVisible(len(names) > 1)
