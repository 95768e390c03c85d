"""Partial dependence (Friedman 2001) and each row's own line (Goldstein et al. 2015) over one or two columns.

Of every row the looked-at columns are put at a place and the others stay; the mean of the predictions over
the rows is the partial dependence there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.explain.effects.grid import ColumnGrid
    from workbench.explain.effects.response import Response

MOST_LINES = 60
NUMBERS_AT_ONCE = 500_000  # predictions of one block of rows


@dataclass(frozen=True, eq=False)
class EffectRows:
    """The rows that predictions are averaged over.

    Attributes
    ----------
    features : ndarray of float32, shape (N, d)
        Of which `rows` are taken.
    rows : ndarray of int64, shape (n,)
    weight : ndarray of float64, shape (n,), or None
    offset : ndarray of float32, shape (n,), or None
    of_rows : int
        How many there are, where `rows` are a sample of them.
    """

    features: NDArray[np.float32]
    rows: NDArray[np.int64]
    weight: NDArray[np.float64] | None = None
    offset: NDArray[np.float32] | None = None
    of_rows: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_sample(self) -> bool:
        """Whether there are more of them."""
        return self.of_rows > len(self.rows)

    def some(self, most: int) -> EffectRows:
        """Return so many of them, spread evenly over their order."""
        n = len(self.rows)
        if n <= most:
            return self
        kept = np.arange(most) * n // max(most, 1)
        weight = None if self.weight is None else self.weight[kept]
        if weight is not None and not weight.any():
            weight = None
        offset = None if self.offset is None else self.offset[kept]
        return EffectRows(self.features, self.rows[kept], weight, offset, max(self.of_rows, n))


@dataclass(frozen=True, eq=False)
class PartialDependence:
    """The mean prediction over a grid.

    Attributes
    ----------
    grids : tuple of ColumnGrid
        One or two.
    average : ndarray of float64, shape (K, places) or (K, places of one, places of two)
    lines : ndarray of float64, shape (K, m, places)
        Of single rows, of one column; none of two.
    line_rows : ndarray of int64, shape (m,)
    rows, of_rows : int
        Rows that were averaged over, of so many.
    """

    grids: tuple[ColumnGrid, ...]
    average: NDArray[np.float64]
    lines: NDArray[np.float64]
    line_rows: NDArray[np.int64]
    rows: int
    of_rows: int


def partial_dependence(
    response: Response,
    rows: EffectRows,
    grids: Sequence[ColumnGrid],
    most_lines: int = MOST_LINES,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PartialDependence:
    """Return the mean prediction over one or two columns; serial, from any thread.

    Raises
    ------
    Cancelled
    """
    over = response.over(grids)
    shape = tuple(len(grid) for grid in grids)
    n, size = len(rows), int(np.prod(shape))
    weight = np.ones(n) if rows.weight is None else rows.weight
    wanted = rows.some(most_lines).rows if len(grids) == 1 else np.empty(0, np.int64)
    total, lines, at_once, begin = np.zeros((1, size)), [], 1, 0
    while begin < n:
        leave_if(cancelled)
        block = slice(begin, begin + at_once)
        picked = rows.rows[block]
        offset = None if rows.offset is None else rows.offset[block]
        said = over(np.asfortranarray(rows.features[picked]), offset)
        total = total + np.einsum("knp,n->kp", said, weight[block])
        if len(wanted):
            lines.append(said[:, np.isin(picked, wanted)])
        begin += len(picked)
        at_once = max(1, NUMBERS_AT_ONCE // (size * len(said)))
        if progress is not None:
            progress(begin, n)
    mean = total / max(float(weight.sum()), 1e-300) if n else np.full((1, size), np.nan)
    own = np.concatenate(lines, axis=1) if lines else np.empty((len(mean), 0, size))
    found = rows.rows[np.isin(rows.rows, wanted)]
    return PartialDependence(
        tuple(grids), mean.reshape(len(mean), *shape), own, found, n, max(rows.of_rows, n)
    )
