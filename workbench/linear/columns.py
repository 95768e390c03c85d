"""The columns that a linear model weighs: numbers standardised, one column for every category.

    feature  | number | category of 3 levels | number | …
    column   | 0      | 1       2       3     | 4      | …

A number becomes (x − mean) / deviation, and 0 where it is missing: it counts as the mean. The column of a
category is 1 or 0, less the category's share, so that all of them have mean 0; a missing or unknown category
is 0 in each before that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LEAST_VARIANCE = 1e-14  # of the mean's square: below, a column is constant


class ColumnArrays(NamedTuple):
    """What kernels know of the columns of d features, P in all.

    Attributes
    ----------
    begins : ndarray of int64, shape (d + 1,)
        First column of each feature.
    is_category : ndarray of bool, shape (d,)
    centres, scales : ndarray of float64, shape (P,)
        Mean over the training rows, and what the column is divided by: 1 for categories.
    """

    begins: NDArray[np.int64]
    is_category: NDArray[np.bool_]
    centres: NDArray[np.float64]
    scales: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearColumns:
    """The columns of a linear model.

    Attributes
    ----------
    levels : tuple of int
        Categories of each feature; 0 where it holds numbers.
    centres, scales : ndarray of float64, shape (P,)
    """

    levels: tuple[int, ...]
    centres: NDArray[np.float64]
    scales: NDArray[np.float64]

    @cached_property
    def arrays(self) -> ColumnArrays:
        """The same for kernels."""
        begins = column_begins(self.levels)
        return ColumnArrays(begins, np.array(self.levels, np.int64) > 0, self.centres, self.scales)

    @property
    def n_columns(self) -> int:
        """P, over all features."""
        return len(self.centres)

    @cached_property
    def features(self) -> NDArray[np.int64]:
        """The feature of each column, shape (P,)."""
        return np.repeat(np.arange(len(self.levels)), np.maximum(self.levels, 1))

    def level_of(self, column: int) -> int:
        """Return the category of a column; −1 where it holds numbers."""
        feature = int(self.features[column])
        return column - int(self.arrays.begins[feature]) if self.levels[feature] else -1


def column_begins(levels: Sequence[int]) -> NDArray[np.int64]:
    """Return the first column of each feature and their number, shape (d + 1,)."""
    return np.concatenate([[0], np.cumsum(np.maximum(np.asarray(levels, np.int64), 1))]).astype(np.int64)


def columns_of(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    weight: NDArray[np.float64],
    levels: Sequence[int],
) -> LinearColumns:
    """Return the columns of features, with the means and deviations of some rows by their weights.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
    rows : ndarray of int64, shape (m,)
    weight : ndarray of float64, shape (m,)
    levels : sequence of int
    """
    total = float(weight.sum())
    begins = column_begins(levels)
    centres, scales = np.zeros(begins[-1]), np.ones(begins[-1])
    for j, n_levels in enumerate(levels):
        x = features[rows, j].astype(np.float64)
        known = ~np.isnan(x)
        x, w = x[known], weight[known]
        if n_levels:
            sums = np.bincount(x.astype(np.int64), w, n_levels)
            centres[begins[j] : begins[j + 1]] = sums / (total or 1.0)
        elif w.sum() > 0:
            centres[begins[j]], scales[begins[j]] = _standard(x, w, total)
    for array in (centres, scales):
        array.flags.writeable = False
    return LinearColumns(tuple(levels), centres, scales)


def _standard(x: NDArray[np.float64], weight: NDArray[np.float64], total: float) -> tuple[float, float]:
    """Return the mean of numbers and their deviation, in which missing ones are at the mean."""
    x, weight = x[weight > 0], weight[weight > 0]
    first = float(x[0])
    centre = first + float((weight * (x - first)).sum() / weight.sum())
    variance = float((weight * (x - centre) ** 2).sum() / total)
    if variance <= LEAST_VARIANCE * centre**2 or variance == 0.0:
        return centre, 1.0
    return centre, float(np.sqrt(variance))
