"""The table of a node's rows, and how wide its columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics

from workbench.views.column_widths import ColumnWidths
from workbench.views.inspector.figure_table import FigureTable
from workbench.views.inspector.rows.members_model import MembersModel
from workbench.views.look.fonts import BODY, NOTE, ui_font

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.views.inspector.rows.member_columns import MemberColumns

NARROWEST, WIDEST, PADDING = 64, 200, 26
SAMPLED = 24  # cells of a column that are measured


class MembersTable(FigureTable):
    """Says which column is to order the rows."""

    head_chosen = Signal(str)

    def __init__(self) -> None:
        self.members = MembersModel()
        super().__init__(self.members, "Rows of the node")
        self._heads: tuple[str, ...] = ()
        self._widths = ColumnWidths(self, self._width_of)
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(
            lambda section: self.head_chosen.emit(self.members.columns[section].head))

    def show_members(
        self, columns: MemberColumns, order: NDArray[np.int64], head: str, *, descending: bool
    ) -> None:
        """Show rows in this order; columns keep their widths while they stay the same."""
        self.members.show(columns, order, head, descending=descending)
        if columns.heads != self._heads:
            self._heads = columns.heads
            self._widths.start_anew()

    def _width_of(self, place: int) -> int:
        cells, heads = QFontMetrics(ui_font(BODY)), QFontMetrics(ui_font(NOTE, bold=True))
        column, n_lines = self.members.columns[place], self.members.rowCount()
        lines = range(0, n_lines, max(1, n_lines // SAMPLED))
        texts = (column.text(int(self.members.order[line])) for line in lines)
        widest = max(map(cells.horizontalAdvance, (*column.words, *texts)), default=0)
        widest = max(widest, heads.horizontalAdvance(column.head + " ▼"))
        return min(max(widest + PADDING, NARROWEST), WIDEST)
