"""The cells of a column, all over each of which a model says the same: the levels of a factor table.

number      x < t0 | t0 ≤ x < t1 | … | t(m−1) ≤ x | missing
category    code 0 | code 1      | … | unknown    | missing
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.plane.cells import thresholds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble


@dataclass(frozen=True, eq=False)
class FactorCells:
    """The cells of one column.

    Attributes
    ----------
    column : int
    thresholds : ndarray of float32, shape (m,)
        Ascending; none of categories.
    n_categories : int
        0 of numbers.
    """

    column: int
    thresholds: NDArray[np.float32]
    n_categories: int = 0

    def __len__(self) -> int:
        return (self.n_categories or len(self.thresholds)) + 2

    @property
    def is_category(self) -> bool:
        """Whether the cells are categories."""
        return self.n_categories > 0

    @property
    def missing(self) -> int:
        """The cell of missing values: the last."""
        return len(self) - 1

    @property
    def places(self) -> NDArray[np.float32]:
        """A value of each cell."""
        if self.is_category:
            return np.append(np.arange(self.n_categories + 1, dtype=np.float32), np.float32(np.nan))
        return np.concatenate([[-np.inf], self.thresholds, [np.nan]]).astype(np.float32)

    def of(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the cell of each value."""
        missing = np.isnan(values)
        if self.is_category:
            known = np.where(missing, 0, values)
            inside = (known >= 0) & (known < self.n_categories)
            cells = np.where(inside, known, self.n_categories).astype(np.int64)
        else:
            cells = np.searchsorted(self.thresholds, values, side="right").astype(np.int64)
        cells[missing] = self.missing
        return cells

    def within(self, finer: FactorCells) -> NDArray[np.int64]:
        """Return the cell in which each cell of a finer parting of the same column lies."""
        return self.of(finer.places)

    def coarser(self, values: NDArray[np.float32], most: int) -> FactorCells:
        """Return cells of about as many rows each, at some of the same thresholds; categories stay."""
        if self.is_category or len(self.thresholds) < most:
            return self
        known = np.sort(values[~np.isnan(values)])
        below = np.searchsorted(known, self.thresholds, side="left")
        wanted = np.linspace(0, len(known), most + 1)[1:-1]
        kept = np.unique(np.clip(np.searchsorted(below, wanted), 0, len(self.thresholds) - 1))
        return FactorCells(self.column, self.thresholds[kept])


def cells_of_column(ensemble: Ensemble, column: int, n_categories: int) -> FactorCells:
    """Return the cells between the thresholds of all trees."""
    if n_categories:
        return FactorCells(column, np.empty(0, np.float32), n_categories)
    return FactorCells(column, thresholds_of(ensemble.trees, column).astype(np.float32))
