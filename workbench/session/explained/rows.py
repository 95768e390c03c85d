"""The rows by which a run is explained, as many of them as there is time for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.row_path import matrix_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.data.table import Table

    RowsOf = Literal["holdout", "training", "table"]

SEED = 0  # of the rows that are drawn


class TakenRows(NamedTuple):
    """Encoded rows, ascending by their places in the table; all, or some drawn at random.

    Attributes
    ----------
    features : ndarray of float32, shape (n, d)
    table_rows : ndarray of int64, shape (n,)
        Their places in the table.
    total : int
        How many there are to draw from.
    target : ndarray of float64, shape (n,), or None
        Where answers are known.
    weight : ndarray of float64, shape (n,), or None
    offset : ndarray of float32, shape (n,), or None
    groups : ndarray of int64, shape (n,), or None
        Queries of rankings.
    """

    features: NDArray[np.float32]
    table_rows: NDArray[np.int64]
    total: int
    target: NDArray[np.float64] | None = None
    weight: NDArray[np.float64] | None = None
    offset: NDArray[np.float32] | None = None
    groups: NDArray[np.int64] | None = None

    @property
    def is_sample(self) -> bool:
        """Whether there are more."""
        return len(self.features) < self.total


@dataclass(frozen=True, eq=False)
class ExplainedRows:
    """Rows of a run's dataset, or of the open table as the model knows its columns.

    Attributes
    ----------
    schema : DataSchema
    name : {"holdout", "training", "table"}
    dataset : Dataset or None
    table : Table or None
        Where its rows are wanted.
    """

    schema: DataSchema
    name: RowsOf
    dataset: Dataset | None
    table: Table | None

    def is_same(self, other: ExplainedRows) -> bool:
        """Whether these are the same rows."""
        return (self.name, id(self.schema)) == (other.name, id(other.schema)) and (
            self.dataset is other.dataset and self.table is other.table
        )

    @property
    def total(self) -> int:
        """How many there are."""
        if self.table is not None:
            return self.table.n_rows
        return 0 if self.dataset is None else len(self._places)

    @property
    def _places(self) -> NDArray[np.int64]:
        assert self.dataset is not None
        return self.dataset.train_rows if self.name == "training" else self.dataset.valid_rows

    def values(self, column: int) -> NDArray[np.float32] | None:
        """Return a column of all of them; None where they are not encoded yet."""
        return None if self.dataset is None else self.dataset.features[self._places, column]

    def one(self, table_row: int | None) -> TakenRows:
        """Return a row of the table, or the first of these where it is not selected or not the model's.

        For a worker thread, like `take`.
        """
        if self.table is not None:
            whole = self.take(self.total)
            place = table_row if table_row is not None and table_row < self.total else 0
            return TakenRows(whole.features[place : place + 1], np.array([place]), self.total)
        data = self.dataset
        assert data is not None
        found = None if table_row is None else matrix_row(data, table_row)
        return self._taken(np.array([self._places[0] if found is None else found]))

    def background(self, most: int) -> NDArray[np.float32]:
        """Return the features of training rows drawn at random, or of the table's, at most so many."""
        if self.table is not None or self.dataset is None or not len(self.dataset.train_rows):
            return self.take(most).features
        rows = self.dataset.train_rows
        return self.dataset.features[rows[_drawn(len(rows), most)]]

    def take(self, most: int, cancelled: Callable[[], bool] | None = None) -> TakenRows:
        """Return at most so many rows, for a worker thread; more of them hold the fewer.

        Raises
        ------
        Cancelled
        WorkbenchError
            Where the table lacks columns of the model.
        """
        chosen = _drawn(self.total, most)
        if self.table is not None:
            from workbench.data.encoding import encode

            return TakenRows(encode(self.schema, self.table)[chosen], chosen, self.total)
        return self._taken(self._places[chosen])

    def take_queries(self, most: int, cancelled: Callable[[], bool] | None = None) -> TakenRows:
        """Return rows as `take` does; of rankings whole queries, at least one."""
        groups = None if self.dataset is None else self.dataset.groups
        if groups is None or self.table is not None or self.total <= most:
            return self.take(most, cancelled)
        names, query, sizes = np.unique(groups[self._places], return_inverse=True, return_counts=True)
        order = np.random.default_rng(SEED).permutation(len(names))
        fits = np.cumsum(sizes[order]) <= most
        fits[0] = True
        chosen = np.zeros(len(names), bool)
        chosen[order[fits]] = True
        return self._taken(self._places[chosen[query]])

    def pieces(
        self, size: int, cancelled: Callable[[], bool] | None = None
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the features of all rows, so many at once; for a worker thread.

        Raises
        ------
        Cancelled
        WorkbenchError
            Where the table lacks columns of the model.
        """
        whole = None if self.table is None else self.take(self.total).features
        for begin in range(0, self.total, size):
            leave_if(cancelled)
            if whole is not None:
                yield whole[begin : begin + size]
            elif self.dataset is not None:
                yield self.dataset.features[self._places[begin : begin + size]]

    def _taken(self, places: NDArray[np.int64]) -> TakenRows:
        data = self.dataset
        assert data is not None
        return TakenRows(
            data.features[places], data.table_rows[places], self.total, data.target[places],
            None if data.weight is None else data.weight[places],
            None if data.offset is None else data.offset[places],
            None if data.groups is None else data.groups[places],
        )


def _drawn(total: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the places up to `total`, ascending."""
    if total <= most:
        return np.arange(total)
    return np.sort(np.random.default_rng(SEED).permutation(total)[:most])
