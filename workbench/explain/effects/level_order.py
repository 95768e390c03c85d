"""Levels of a column in a row, those beside each other whose rows are alike in the other columns.

How far two levels are apart is the sum over the other columns of how far their distributions are: of numbers
the largest difference of the shares below a value (Kolmogorov & Smirnov), of categories half the sum of the
differences of their shares. Classical scaling of these distances to one dimension puts the levels on a line
(Apley & Zhu 2020, appendix E).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

QUANTILES = 100  # of a column of numbers, at which shares are compared


def level_order(
    levels: NDArray[np.int64], others: Iterable[tuple[NDArray[np.float32], bool]],
    cancelled: Callable[[], bool] | None = None,
) -> NDArray[np.int64]:  # fmt: skip
    """Return the levels from one end of the line to the other.

    Parameters
    ----------
    levels : ndarray of int64, shape (n,)
        Of each row, from 0, each at least once.
    others : iterable of (values, whether they are categories)
        The other columns of the rows; NaN is missing, and takes no part.

    Raises
    ------
    Cancelled
    """
    n_levels = int(levels.max(initial=-1)) + 1
    apart = np.zeros((n_levels, n_levels))
    for values, is_category in others:
        leave_if(cancelled)
        apart += column_distances(levels, values, is_category, n_levels)
    return np.argsort(_on_a_line(apart), kind="stable")


def column_distances(
    levels: NDArray[np.int64], values: NDArray[np.float32], is_category: bool, n_levels: int
) -> NDArray[np.float64]:
    """Return how far every two levels are apart in one column, from 0 to 1; 0 where one has no values."""
    is_known = ~np.isnan(values)
    known, of_level = values[is_known], levels[is_known]
    if not len(known):
        return np.zeros((n_levels, n_levels))
    if is_category:
        place = known.astype(np.int64)
    else:
        cuts = np.unique(np.quantile(known, np.linspace(0, 1, QUANTILES), method="inverted_cdf"))
        place = np.searchsorted(cuts, known)  # below or at which cut
    width = int(place.max()) + 1
    counts = np.bincount(of_level * width + place, minlength=n_levels * width).reshape(n_levels, width)
    rows = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(rows, 1)
    if not is_category:
        shares = np.cumsum(shares, axis=1)
    found = np.zeros((n_levels, n_levels))
    for level in range(1, n_levels):
        differences = np.abs(shares[:level] - shares[level])
        found[level, :level] = differences.sum(axis=1) / 2 if is_category else differences.max(axis=1)
    found += found.T
    found[rows[:, 0] == 0], found[:, rows[:, 0] == 0] = 0, 0
    return found


def _on_a_line(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return coordinates by classical scaling; the first level stands left of the middle."""
    if len(apart) < 3 or not apart.any():
        return np.zeros(len(apart))
    square = apart**2
    centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()
    line = np.linalg.eigh(-centred / 2)[1][:, -1]
    return line if line[0] <= 0 else -line
