"""Which columns of the table are truth, prediction and weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from workbench.explain.predictions.bare_columns import BareColumns, prediction_choices
from workbench.views.controls.label import Label
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.data.table import Table

HEIGHT, LETTERS = 40, 18
NONE = "none"
CHOOSE = "choose a column"
MOST_SEARCHED = 200  # columns, of more none is looked through for probabilities of classes


class BareBar(QWidget):
    """Three choices; probabilities of all classes are one of the second, where there are such columns."""

    chosen = Signal(object)  # BareColumns

    def __init__(self) -> None:
        super().__init__()
        self._table: Table | None = None
        self._columns: BareColumns | None = None
        self.truth, self.predicted, self.weight = QComboBox(), QComboBox(), QComboBox()
        self.setFixedHeight(px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        for words, box in (
            ("Truth", self.truth), ("Prediction", self.predicted), ("Weight", self.weight)
        ):
            label = Label(words)
            label.setFont(ui_font(NOTE))
            set_look(label, tone="2")
            set_look(box, fit="tool")
            box.setAccessibleName(words)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(LETTERS)
            row.addWidget(label)
            row.addWidget(box)
            row.addSpacing(12)
            box.activated.connect(self._choose)
        row.addStretch(1)

    def show_table(self, table: Table, columns: BareColumns | None) -> None:
        """Offer the columns of a table, and show which are taken."""
        if table is self._table and columns == self._columns:
            return
        self._table, self._columns = table, columns
        truth = columns.truth if columns else None
        _fill(self.truth, [(name, name) for name in table.names], truth)
        self._offer(columns.predicted if columns else None)
        numbers = [column.name for column in table.columns if not column.is_categorical]
        items: list[tuple[str, str | None]] = [(NONE, None), *((name, name) for name in numbers)]
        _fill(self.weight, items, columns.weight if columns else None)

    def _offer(self, predicted: tuple[str, ...] | None) -> None:
        table, truth = self._table, self.truth.currentData()
        if table is None:
            return
        choices: list[tuple[str, ...]] = [(name,) for name in table.names if name != truth]
        if truth is not None and len(table.names) <= MOST_SEARCHED:
            choices = prediction_choices(table, truth)
        items = [(BareColumns("", names).words, names) for names in choices]
        _fill(self.predicted, items, predicted)

    def _choose(self) -> None:
        truth, predicted = self.truth.currentData(), self.predicted.currentData()
        if self.sender() is self.truth:
            self._offer(predicted)
            predicted = self.predicted.currentData()
        if truth is not None and predicted is not None:
            self.chosen.emit(BareColumns(truth, tuple(predicted), self.weight.currentData()))


def _fill(box: QComboBox, items: list[tuple[str, Any]], chosen: Any) -> None:
    with QSignalBlocker(box):
        box.clear()
        values = [value for _, value in items]
        if chosen not in values:
            box.addItem(CHOOSE, None)
        for text, value in items:
            box.addItem(text, value)
        if chosen in values:
            box.setCurrentIndex(values.index(chosen))
