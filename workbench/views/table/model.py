"""The table as Qt sees it: nothing is copied or formatted before it is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, Qt

from workbench.views.rows_model import NOWHERE, Index
from workbench.views.table.cells import cell_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.table import Column, Table



class TableModel(QAbstractTableModel):
    """Columns of the session's table, the target first; all of its rows, or a choice of them.

    A line is where a row stands on the screen: with all rows shown they are the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self._names: tuple[str, ...] = ()
        self.table_rows = 0
        self._chosen: NDArray[np.int64] | None = None

    def show_table(
        self, table: Table | None, first: str | None, hidden: frozenset[str] = frozenset(),
        beside: Column | None = None,
    ) -> None:
        """Show another table, or the same one with another column first, or with others left out.

        `beside` is a column that is not the table's, to stand after the first.
        """
        self.beginResetModel()
        self.columns = table.columns_from(first) if table else ()
        self._names = table.names_from(first) if table else ()
        if hidden:
            self.columns = tuple(column for column in self.columns if column.name not in hidden)
            self._names = tuple(name for name in self._names if name not in hidden)
        if beside is not None:
            self.columns = (*self.columns[:1], beside, *self.columns[1:])
            self._names = (*self._names[:1], "", *self._names[1:])
        self.table_rows = table.n_rows if table else 0
        self._chosen = None
        self.endResetModel()

    def show_rows(self, chosen: NDArray[np.int64] | None) -> None:
        """Show these rows of the table alone, ascending; None shows all."""
        self.beginResetModel()
        self._chosen = chosen
        self.endResetModel()

    @property
    def is_choice(self) -> bool:
        """Whether some rows are left out."""
        return self._chosen is not None

    def row_at(self, line: int) -> int:
        """Return the row of the table in a line."""
        return line if self._chosen is None else int(self._chosen[line])

    def line_of(self, row: int) -> int | None:
        """Return where a row of the table stands; None where it is not shown."""
        if self._chosen is None:
            return row if row < self.table_rows else None
        line = int(np.searchsorted(self._chosen, row))
        return line if line < len(self._chosen) and self._chosen[line] == row else None

    def place(self, name: str | None) -> int:
        """Return the place of the column called `name`, −1 where it is not shown."""
        return self._names.index(name) if name in self._names else -1

    def rowCount(self, parent: Index = NOWHERE) -> int:
        shown = self.table_rows if self._chosen is None else len(self._chosen)
        return 0 if parent.isValid() else shown

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.isValid():
            return cell_text(self.columns[index.column()], self.row_at(index.row()))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self.columns[section].name
        return str(self.row_at(section) + 1)
