"""A button that leaves only the rows of the selected node in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from workbench.number_text import count
from workbench.views.inspector.rows.subject import rows_subject
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.views.base import Bench


class NodeFilter(QPushButton):
    """Shown while a node is selected; follows the selection while it is pressed."""

    changed = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__("Rows of node 888")
        self.rows: NDArray[np.int64] | None = None  # of the table, ascending; None for all
        self._bench = bench
        self.setCheckable(True)
        set_tip(self, "Show only the rows that pass the selected node of the tree")
        set_look(self, fit="tool")
        self.setMinimumWidth(self.sizeHint().width())
        self.hide()
        self.toggled.connect(lambda _: self.synchronize())
        self._follow_session()

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.table, events.runs, events.state, events.rounds, events.selection):
            signal.connect(self.synchronize)
        self._bench.explainer.members.answered.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Name the node, and ask for its rows where they are wanted."""
        subject = rows_subject(self._bench.session)[0]
        is_here = subject is not None and subject.run.dataset is not None
        self.setVisible(is_here)
        if subject is None or subject.run.dataset is None:
            self.setChecked(False)
            self._take(None)
            return
        self.setText(f"Rows of node {count(subject.node)}")
        self.setAccessibleName(self.text())
        if not self.isChecked():
            self._take(None)
            return
        members = self._bench.explainer.node_members(subject)
        if members is not None:
            self._take(subject.run.dataset.table_rows[members.rows])

    def _take(self, rows: NDArray[np.int64] | None) -> None:
        same = rows is None and self.rows is None
        if rows is not None and self.rows is not None:
            same = len(rows) == len(self.rows) and bool((rows == self.rows).all())
        if not same:
            self.rows = rows
            self.changed.emit()
