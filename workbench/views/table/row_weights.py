"""A button that shows the row weights of AdaBoost as a column of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from workbench.data.table import Column
from workbench.number_text import figure
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.views.base import Bench

NAME, HELD_OUT = "ω", "not trained on"
DIGITS = 4


def _texts(weights: NDArray[np.float32]) -> tuple[str, ...]:
    """What the cells say: four digits are enough to tell weights apart."""
    return tuple(HELD_OUT if weight != weight else figure(weight, DIGITS) for weight in weights.tolist())


class RowWeights(QPushButton):
    """Shown while the shown run is one of AdaBoost; the column follows the round while it is pressed."""

    changed = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__("Row weights ω")
        self.column: Column | None = None
        self._bench = bench
        self.setCheckable(True)
        self.setAccessibleName("Row weights")
        set_tip(self, "Show what each training row weighed before the round of the ruler, as a column ω")
        set_look(self, fit="tool")
        self.hide()
        self.toggled.connect(lambda _: self.synchronize())
        events = bench.session.events
        for signal in (events.table, events.runs, events.state, events.rounds, events.selection):
            signal.connect(self.synchronize)
        bench.explainer.weights.answered.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Ask for the weights where they are wanted."""
        session = self._bench.session
        run, table = session.shown.run, session.data.table
        has_weights = run is not None and run.params.method == "adaboost" and bool(run.rounds)
        self.setVisible(has_weights)
        if run is None or table is None or not has_weights or not self.isChecked():
            self._take(None)
            return
        weights = self._bench.explainer.row_weights(run, session.shown.round)
        if weights is not None and len(weights) == table.n_rows:
            same = self.column is not None and self.column.values is weights
            self._take(self.column if same else Column(NAME, "number", weights, texts=_texts(weights)))

    def _take(self, column: Column | None) -> None:
        if column is not self.column:
            self.column = column
            self.changed.emit()
