"""The table as Qt sees it: nothing is copied or formatted before it is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.views.table.cells import cell_text

if TYPE_CHECKING:
    from workbench.data.table import Column, Table

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class TableModel(QAbstractTableModel):
    """Columns of the session's table, the target first."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self._rows = 0

    def show_table(self, table: Table | None, first: str | None) -> None:
        """Show another table, or the same one with another column first."""
        self.beginResetModel()
        columns = table.columns if table else ()
        self.columns = tuple(sorted(columns, key=lambda column: column.name != first))
        self._rows = table.n_rows if table else 0
        self.endResetModel()

    def place(self, name: str | None) -> int:
        """Return the place of the column called `name`, −1 where there is none."""
        return next((i for i, column in enumerate(self.columns) if column.name == name), -1)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.isValid():
            return cell_text(self.columns[index.column()], index.row())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.columns[section].name if orientation == Qt.Orientation.Horizontal else str(section + 1)
