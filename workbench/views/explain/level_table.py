"""The levels of a factor table, a line each, with what they add, their rows, exposure, G and H."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtWidgets import QHeaderView

from workbench.number_text import count, figure, signed
from workbench.views.data.axis_text import brief
from workbench.views.inspector.figure_table import LEFT, RIGHT, FigureTable
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from workbench.explain.factors.tables import EffectTable
    from workbench.formats.factors.factor_tables import FactorTables
    from workbench.formats.factors.levels import Level

DECIMALS = 4
ROUNDING = 1e-7  # of the largest spread: raw predictions have single precision


class TableList(QAbstractTableModel):
    """The tables of a model for one output: of columns, then of pairs, each the largest first.

    Attributes
    ----------
    tables : list of EffectTable
        As they stand in the list.
    names : list of str
        Theirs.
    """

    def __init__(self) -> None:
        super().__init__()
        self._whole: FactorTables | None = None
        self.tables: list[EffectTable] = []
        self.names: list[str] = []
        self._k, self._most = 0, 0.0  # the output, and its largest spread

    def show(self, tables: FactorTables | None, k: int) -> None:
        """Show the tables of another model, or for another output."""
        self.beginResetModel()
        self._whole, self._k = tables, k
        self.tables = [] if tables is None else tables.ordered(k)
        self._most = max((float(table.spread[k]) for table in self.tables), default=0.0)
        self.names = [] if tables is None else [tables.name(table) for table in self.tables]
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.tables)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (LEFT, RIGHT)[section]
        return ("Table", "Spread")[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (LEFT, RIGHT)[index.column()]
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) or self._whole is None:
            return None
        if index.column() == 0:
            return self.names[index.row()]
        spread = float(self.tables[index.row()].spread[self._k])
        return figure(spread, 3) if spread > ROUNDING * self._most else "0"


class LevelModel(QAbstractTableModel):
    """One table for one output."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: FactorTables | None = None
        self._table: EffectTable | None = None
        self._levels: tuple[list[Level], ...] = ()
        self._heads: list[str] = []
        self._k = 0

    def show(self, tables: FactorTables | None, table: EffectTable | None, k: int) -> None:
        """Show another table."""
        self.beginResetModel()
        self._tables, self._table, self._k = tables, table, k
        self._levels, self._heads = (), []
        if tables is not None and table is not None:
            self._levels = tables.levels(table)
            names = [tables.schema.names[column] for column in table.columns]
            factor = [tables.factor_name.capitalize()] if tables.factor_name else []
            sums = ["G", "H"] if table.gradients is not None else []
            self._heads = [*names, "Adds to ŷ", *factor, "Rows", "Exposure", *sums]
        self.endResetModel()

    @property
    def n_names(self) -> int:
        """Columns that name the level."""
        return len(self._levels)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() or self._table is None else self._table.rows.size

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        return self._heads[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _side(self, section: int) -> Qt.AlignmentFlag:
        return LEFT if section < self.n_names else RIGHT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        if role != Qt.ItemDataRole.DisplayRole or self._table is None or self._tables is None:
            return None
        place = tuple(int(at) for at in np.unravel_index(index.row(), self._table.rows.shape))
        if index.column() < self.n_names:
            return self._levels[index.column()][place[index.column()]].words
        table, head, value = self._table, self._heads[index.column()], float(
            self._table.values[(self._k, *place)])
        if head == "Adds to ŷ":
            return signed(value, DECIMALS)
        if head == "Rows":
            return count(int(table.rows[place]))
        if head == "Exposure":
            return brief(float(table.exposure[place]), 6)
        if head in "GH":
            field = table.gradients if head == "G" else table.hessians
            return "" if field is None else figure(float(field[(self._k, *place)]))
        return figure(self._tables.factor(value) or 0.0)


class LevelTable(FigureTable):
    """Levels at the left, figures at the right."""

    def __init__(self) -> None:
        self.levels = LevelModel()
        super().__init__(self.levels, "Levels of the factor table")

    def show_table(self, tables: FactorTables | None, table: EffectTable | None, k: int) -> None:
        """Show another table."""
        self.levels.show(tables, table, k)
        header = self.horizontalHeader()
        for column in range(self.levels.columnCount()):
            is_name = column < self.levels.n_names
            modes = QHeaderView.ResizeMode
            header.setSectionResizeMode(column, modes.Stretch if is_name else modes.Fixed)
            if not is_name:
                self.setColumnWidth(column, 92)
