"""The table of a node's rows, and how wide its columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics

from workbench.views.fonts import BODY, NOTE, ui_font
from workbench.views.inspector.figure_table import FigureTable
from workbench.views.inspector.members_model import MembersModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from workbench.views.inspector.member_columns import ListColumn

NARROWEST, WIDEST, PADDING = 64, 200, 26
SAMPLED, MEASURED = 24, 60  # cells and columns that are measured; further columns take their names' widths


class MembersTable(FigureTable):
    """Says which column is to order the rows."""

    head_chosen = Signal(str)

    def __init__(self) -> None:
        self.members = MembersModel()
        super().__init__(self.members, "Rows of the node")
        self._heads: tuple[str, ...] = ()
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(
            lambda section: self.head_chosen.emit(self.members.columns[section].head))

    def show_members(
        self, columns: Sequence[ListColumn], order: NDArray[np.int64], head: str, *, descending: bool
    ) -> None:
        """Show rows in this order; columns keep their widths while they stay the same."""
        self.members.show(columns, order, head, descending=descending)
        heads = tuple(column.head for column in columns)
        if heads != self._heads:
            self._heads = heads
            self._fit()

    def _fit(self) -> None:
        cells, heads = QFontMetrics(ui_font(BODY)), QFontMetrics(ui_font(NOTE, bold=True))
        lines = range(0, self.members.rowCount(), max(1, self.members.rowCount() // SAMPLED))
        for place, column in enumerate(self.members.columns):
            widest = heads.horizontalAdvance(column.head + " ▼")
            if place < MEASURED:
                texts = (column.text(int(self.members.order[line])) for line in lines)
                widest = max([widest, *map(cells.horizontalAdvance, (*column.words, *texts))])
            self.setColumnWidth(place, min(max(widest + PADDING, NARROWEST), WIDEST))
