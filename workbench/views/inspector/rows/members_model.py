"""A node's rows as Qt sees them: in the wanted order, nothing written before it is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, Qt

from workbench.errors import one_line
from workbench.views.inspector.figure_table import LEFT, RIGHT
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index
from workbench.views.table.cell_painter import COLUMN_TINT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.views.inspector.rows.member_columns import ListColumn

ARROWS = {False: " ▲", True: " ▼"}  # by whether the order descends


class MembersModel(QAbstractTableModel):
    """Columns of members, and which member stands in which line."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: Sequence[ListColumn] = ()
        self.order: NDArray[np.int64] = np.empty(0, np.int64)
        self._sorted: tuple[str, bool] = ("", False)
        self.together: Callable[[int], bool] | None = None  # whether a member was selected with others

    def show(
        self, columns: Sequence[ListColumn], order: NDArray[np.int64], head: str, *, descending: bool
    ) -> None:
        """Show other members, or the same in another order; `head` is the column they are ordered by."""
        self.beginResetModel()
        self.columns, self.order, self._sorted = columns, order, (head, descending)
        self.endResetModel()

    def line_of(self, member: int | None) -> int | None:
        """Line of a member; None where it is not shown."""
        if member is None:
            return None
        found = np.flatnonzero(self.order == member)
        return int(found[0]) if len(found) else None

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(int(self.order[index.row()]))
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().color(column.token(int(self.order[index.row()])))
        if role == Qt.ItemDataRole.BackgroundRole and (column.strong or self._is_together(index.row())):
            return theme().color("tint", COLUMN_TINT)
        return None

    def _is_together(self, line: int) -> bool:
        return self.together is not None and self.together(int(self.order[line]))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column, (head, descending) = self.columns[section], self._sorted
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(column.head) + (ARROWS[descending] if column.head == head else "")
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(f"{column.tip}. Click to order by it.")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        return None
