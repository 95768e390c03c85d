"""Rows of texts under headings, as a table shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt

from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    Index = QModelIndex | QPersistentModelIndex

NOWHERE = QModelIndex()
DIGITS = str.maketrans("123456789", "0" * 9)  # they are of equal width


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
    """A table of them, of whose cells those that differ in their digits alone are measured once."""

    def __init__(self, model: FiguresModel, name: str) -> None:
        self._hints: dict[str, int] = {}
        super().__init__(model, name)

    def sizeHintForColumn(self, column: int) -> int:
        model: FiguresModel = self.model()  # type: ignore[assignment]
        alike = {row[column].translate(DIGITS): place for place, row in enumerate(model.rows)}
        for text, place in alike.items():
            if text not in self._hints:
                self._hints[text] = self.sizeHintForIndex(model.index(place, column)).width()
        return max((self._hints[text] for text in alike), default=0) + 1

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._hints.clear()  # of another font
