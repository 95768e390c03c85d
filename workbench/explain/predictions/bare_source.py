"""Rows of a table of bare predictions: there is no model, and no round makes a difference."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.schema import features_of
from workbench.explain.predictions.bare_columns import BareColumns, bare_rows
from workbench.explain.predictions.column_values import ColumnValues, column_of
from workbench.explain.predictions.row_source import SAMPLED_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.schema import Feature
    from workbench.data.table import Table
    from workbench.explain.predictions.scored_rows import ScoredRows


class TableMatrix:
    """The columns of a table, read as a matrix is: `columns[rows, place]`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.shape = (table.n_rows, len(table.columns))

    def __getitem__(self, key: tuple[NDArray[np.int64], int]) -> NDArray[np.float32]:
        rows, place = key
        return self._table.columns[place].values[rows]


class BareSource:
    """As `RowSource`, of a table that knows truth and prediction."""

    def __init__(self, table: Table, columns: BareColumns, rows: NDArray[np.int64] | None = None) -> None:
        self._table, self._columns = table, columns
        self._some = rows
        self.rows = np.arange(table.n_rows) if rows is None else rows
        self.table_rows = np.arange(table.n_rows)
        self.features = TableMatrix(table)
        self.columns: tuple[Feature, ...] = features_of(table.columns)
        self.rounds: tuple[()] = ()
        self.schema = None

    @cached_property
    def sample(self) -> BareSource:
        """Some of the rows, drawn evenly, and always the same; of few all."""
        if len(self.rows) <= SAMPLED_ROWS:
            return self
        drawn = np.random.default_rng(0).choice(len(self.rows), SAMPLED_ROWS, replace=False)
        made = BareSource(self._table, self._columns, np.sort(drawn))
        made.__dict__["_whole"] = self._whole
        return made

    @property
    def most(self) -> BareSource:
        """All of them."""
        return self

    @cached_property
    def _whole(self) -> ScoredRows:
        return bare_rows(self._table, self._columns)

    def scored(self, _round: int, _cancelled: Callable[[], bool] | None = None) -> ScoredRows:
        """Return the rows."""
        whole = self._whole
        if self._some is None:
            return whole
        inside = np.isin(whole.rows, self._some)
        return replace(whole.take(inside), of=len(whole))

    def column(self, name: str, rows: ScoredRows) -> ColumnValues | None:
        """Return the values of a column of rows."""
        return column_of(self.columns, self.features, name, rows.rows)

