"""A button that leaves only the rows in the table that were selected together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from workbench.number_text import count
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.row_set import RowSet
    from workbench.views.base import Bench


class RowSetFilter(QPushButton):
    """Shown while rows are selected; follows the selection while it is pressed."""

    changed = Signal()

    def __init__(self, bench: Bench) -> None:
        super().__init__("Selected, 888,888")
        self._bench = bench
        self._set: RowSet | None = None
        self.rows: NDArray[np.int64] | None = None  # of the table, ascending; None for all
        self.setCheckable(True)
        set_look(self, fit="tool")
        self.setMinimumWidth(self.sizeHint().width())
        self.hide()
        self.toggled.connect(lambda _: self.synchronize())
        for signal in (bench.session.events.table, bench.session.events.selection):
            signal.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Count the rows that are selected."""
        chosen = self._bench.session.shown.selection.rows
        self.setVisible(chosen is not None)
        if chosen is None:
            self.setChecked(False)
        else:
            self.setText(f"Selected, {count(len(chosen))}")
            set_tip(self, f"Show only the {count(len(chosen))} {chosen.words}")
            self.setAccessibleName(self.text())
        wanted = chosen if self.isChecked() else None
        if wanted is not self._set:
            self._set, self.rows = wanted, None if wanted is None else wanted.rows
            self.changed.emit()
