"""The leaves that a row reaches, a line a tree: where, how it comes there, and what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtWidgets import QHeaderView

from workbench.explain.node_figures import way_to
from workbench.number_text import count, fixed, signed
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.inspector.why.question_delegate import WAY_ROLE, way_text
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.node_figures import Way
    from workbench.explain.row_growth import RowGrowth

HEADS = ("Round", "Leaf", "Way to it", "Weight w*", "Adds η·w*", "Raw prediction ŷ")
ROUND, LEAF, WAY, WEIGHT, ADDS, RAW = range(len(HEADS))
WIDTHS = {ROUND: 70, LEAF: 70, WEIGHT: 96, ADDS: 96, RAW: 128}
DECIMALS = 4


class LeafListModel(QAbstractTableModel):
    """One class of a growth; trees side by side in a round have a line each."""

    def __init__(self) -> None:
        super().__init__()
        self._subject: object = None
        self._growth: RowGrowth | None = None
        self._schema: DataSchema | None = None
        self._class = 0
        self._lines = 0

    def show(self, subject: object, growth: RowGrowth, schema: DataSchema, class_index: int) -> None:
        """Show the growth of a subject; of the same one it may have more rounds."""
        lines = int(growth.lines[-1])
        goes_on = (subject, class_index) == (self._subject, self._class) and lines >= self._lines
        self._subject, self._class, self._schema = subject, class_index, schema
        if not goes_on:
            self.beginResetModel()
        elif lines > self._lines:
            self.beginInsertRows(NOWHERE, self._lines, lines - 1)
        more, self._growth, self._lines = lines > self._lines, growth, lines
        if not goes_on:
            self.endResetModel()
        elif more:
            self.endInsertRows()

    def line_of(self, number: int) -> int:
        """First line of a round."""
        return number - 1 if self._growth is None else int(self._growth.lines[number - 1])

    def round_of(self, line: int) -> int:
        """Round of a line."""
        return line + 1 if self._growth is None else self._growth.place_of(line)[0]

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else self._lines

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return HEADS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == WAY:
            return as_it_stands(self._text(index.row(), WAY))
        return self._way(index.row()) if role == WAY_ROLE and index.column() == WAY else None

    def _way(self, line: int) -> Way:
        growth, schema = self._growth, self._schema
        if growth is None or schema is None:
            return ()
        number, beside = growth.place_of(line)
        leaf = growth.leaves_of(number, self._class)[beside]
        return way_to(growth.tree(number, self._class, beside), leaf, schema)

    def _text(self, line: int, column: int) -> str:
        growth, schema = self._growth, self._schema
        if growth is None or schema is None:
            return ""
        number, beside = growth.place_of(line)
        leaves = growth.leaves_of(number, self._class)
        if column == ROUND:
            return count(number)
        if column == LEAF:
            return count(leaves[beside])
        if column == WEIGHT:
            return signed(float(growth.leaf_weights(number, self._class)[beside]), DECIMALS)
        if column == ADDS:
            return signed(float(growth.added[number - 1, self._class, beside]), DECIMALS)
        if column == RAW:
            last = beside == len(leaves) - 1
            return fixed(float(growth.raw[number, self._class]), DECIMALS) if last else ""
        return way_text(self._way(line)) or "a single leaf"


class LeafList(FigureTable):
    """Its lines are chosen by round."""

    def __init__(self) -> None:
        self.leaves = LeafListModel()
        super().__init__(self.leaves, "Leaves of the row, by round")
        header = self.horizontalHeader()
        header.setSectionResizeMode(WAY, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            self.setColumnWidth(column, width)

    def choose_round(self, number: int) -> None:
        """Tint a round, and bring it into view."""
        self.choose(self.leaves.line_of(number))


def _side(column: int) -> Qt.AlignmentFlag:
    return LEFT if column == WAY else RIGHT


def leaf_records(growth: RowGrowth, schema: DataSchema, class_index: int) -> list[dict[str, Any]]:
    """Return a record for each tree of a class, with full digits, for files and the clipboard."""
    records = []
    for number in range(1, growth.rounds + 1):
        weights = growth.leaf_weights(number, class_index).tolist()
        for beside, weight in enumerate(weights):
            leaf = int(growth.leaves[number - 1, class_index, beside])
            tree = growth.tree(number, class_index, beside)
            records.append({
                "round": number, "leaf": leaf,
                "way": way_text(way_to(tree, leaf, schema)),
                "weight": weight,
                "adds": float(str(growth.added[number - 1, class_index, beside])),
                "raw_prediction": float(str(growth.raw[number, class_index])),
            })
    return records
