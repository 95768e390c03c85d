"""Rows of texts under headings, as a table shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    Index = QModelIndex | QPersistentModelIndex

NOWHERE = QModelIndex()
MEASURED = 4  # cells of a column: figures are of equal width


class FiguresModel(QAbstractTableModel):
    """Cells are texts; those of `quiet` rows are written in grey."""

    def __init__(self, heads: Sequence[str], words: Sequence[int] = ()) -> None:
        super().__init__()
        self._heads, self._words = tuple(heads), frozenset(words)
        self._rows: tuple[tuple[str, ...], ...] = ()
        self._quiet: frozenset[int] = frozenset()

    def show_rows(self, rows: Sequence[tuple[str, ...]], quiet: Sequence[int] = ()) -> None:
        """Show other rows."""
        fresh, quieted = tuple(rows), frozenset(quiet)
        if len(fresh) != len(self._rows):
            self.beginResetModel()
            self._rows, self._quiet = fresh, quieted
            self.endResetModel()
        elif (fresh, quieted) != (self._rows, self._quiet):
            self._rows, self._quiet = fresh, quieted
            self.dataChanged.emit(self.index(0, 0), self.index(len(fresh) - 1, len(self._heads) - 1))

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if index.column() in self._words else RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and index.row() in self._quiet:
            return theme().color("text3")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return self._heads[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return LEFT if section in self._words else RIGHT
        return None

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """What is shown."""
        return self._rows


class FiguresTable(FigureTable):
    """A table of them, of whose cells only the longest are measured."""

    def sizeHintForColumn(self, column: int) -> int:
        model: FiguresModel = self.model()  # type: ignore[assignment]
        lengths = [len(row[column]) for row in model.rows]
        longest = sorted(range(len(lengths)), key=lengths.__getitem__)[-MEASURED:]
        hints = (self.sizeHintForIndex(model.index(row, column)).width() for row in longest)
        return max(hints, default=0) + 1
