"""From a brush to rows that are selected in every view, and to what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.views.predictions.row_set_panel import RowSetPanel

if TYPE_CHECKING:
    from workbench.data.row_set import RowSet
    from workbench.explain.predictions.brush import Brush
    from workbench.explain.predictions.shared_leaves import LeafShare
    from workbench.views.base import Bench
    from workbench.workers.prediction_desk import PredictionSubject


class SelectedRows(QObject):
    """Rows of the window's table are the session's selection; rows of another table stay here."""

    changed = Signal()
    view_wanted = Signal(str)
    rows_alone_wanted = Signal()  # in the table

    def __init__(self, bench: Bench, parent: QObject) -> None:
        super().__init__(parent)
        self._bench = bench
        self.panel = RowSetPanel()
        self._brushed: tuple[PredictionSubject, Brush, bool] | None = None  # whose rows are not known yet
        self._apart: tuple[object, RowSet] | None = None  # rows of another table
        self.panel.leaf_wanted.connect(self._open_leaf)
        self.panel.column_chosen.connect(lambda name: bench.session.shown.select(column=name))
        self.panel.table_wanted.connect(self.rows_alone_wanted)
        self.panel.left.connect(self.select_none)

    def brush(self, subject: PredictionSubject, brush: Brush, *, is_of_table: bool) -> None:
        """Select the rows that a hand brushed."""
        self._brushed = subject, brush, is_of_table
        self.take()

    def take(self) -> None:
        """Select the rows that were brushed once they are known."""
        if self._brushed is None:
            return
        subject, brush, is_of_table = self._brushed
        chosen = self._bench.predictions.row_set(subject, brush)
        if chosen is None:
            return
        self._brushed = None
        if is_of_table:
            self._bench.session.shown.select(rows=chosen)
        else:
            self._apart = subject.rows, chosen
            self.changed.emit()

    def chosen(self, rows: object, *, is_of_table: bool) -> RowSet | None:
        """Return the selected ones among these rows' table; None where none are."""
        if is_of_table:
            return self._bench.session.shown.selection.rows
        return self._apart[1] if self._apart is not None and self._apart[0] == rows else None

    def show(self, subject: PredictionSubject, chosen: RowSet | None, *, follows: bool) -> None:
        """Show what the selected rows share in the trees up to the round."""
        if chosen is None:
            self.panel.show_rows(None, None)
            return
        desk, rows, round = self._bench.predictions, subject.rows, subject.round
        found = desk.row_set_findings(rows, round, chosen, follows=follows)
        self.panel.show_rows(chosen, found, desk.row_set_problem(rows, round, chosen))

    def select_none(self) -> None:
        """Let all rows be as they were."""
        self._brushed = self._apart = None
        self._bench.session.shown.select(rows=None)
        self.changed.emit()

    def _open_leaf(self, leaf: LeafShare) -> None:
        self._bench.session.shown.select(round=leaf.round, class_index=leaf.place, node=leaf.node)
        self.view_wanted.emit("tree")
