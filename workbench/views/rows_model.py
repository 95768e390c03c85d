"""What long lists stand on: rows that Qt counts by itself, for it asks for their number at each of them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class RowsModel(QStringListModel):
    """A list of so many rows; those who make one of it say what is in them."""

    def show_rows(self, number: int) -> None:
        """Show other rows."""
        self.setStringList([])
        self.insertRows(0, number)

    def tell_changed(self) -> None:
        """Say that what is in the rows has changed."""
        if self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
