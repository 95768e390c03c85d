"""Lines of texts under heads, for a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, Qt

from workbench.views.inspector.figure_table import LEFT, RIGHT
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence



class TextModel(QAbstractTableModel):
    """Texts as they stand; the columns `lefts` are words, the others figures."""

    def __init__(self, heads: Sequence[str], lefts: Collection[int] = (0,)) -> None:
        super().__init__()
        self.heads, self._lefts = tuple(heads), frozenset(lefts)
        self.lines: tuple[tuple[str, ...], ...] = ()

    def show_lines(self, lines: Sequence[tuple[str, ...]], heads: Sequence[str] = ()) -> None:
        """Show other lines, or more of them; under other heads where these are given."""
        lines, heads = tuple(lines), tuple(heads) or self.heads
        if (lines, heads) == (self.lines, self.heads):
            return
        before = len(self.lines)
        if before and heads == self.heads and lines[:before] == self.lines:
            self.beginInsertRows(NOWHERE, before, len(lines) - 1)
            self.lines = lines
            self.endInsertRows()
            return
        self.beginResetModel()
        self.lines, self.heads = lines, heads
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section in self._lefts else RIGHT
        return self.heads[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        text = self.lines[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if index.column() in self._lefts else RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_it_stands(text)
        return text if role == Qt.ItemDataRole.DisplayRole else None
