"""How trees that are grown on the target itself see the values of a column at a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.column_groups import MISSING, ColumnGroups
from workbench.kernels.thresholds import LOWEST_THRESHOLD
from workbench.trees.cut_thresholds import last_edge, thresholds_between

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_CODES, NO_THRESHOLDS = np.empty(0, np.int64), np.empty(0, np.float32)


def value_groups(values: NDArray[np.float32], highest: float) -> ColumnGroups:
    """Return groups of equal numbers, with thresholds midway; behind the last lie the missing values.

    Parameters
    ----------
    highest : float
        Of the training rows' values.
    """
    known = values[~np.isnan(values)]
    distinct = np.unique(known)
    of_row = np.where(np.isnan(values), MISSING, np.searchsorted(distinct, values))
    beyond = [last_edge(np.float32(highest))] * min(len(distinct), 1)
    return _of_numbers(of_row, np.append(thresholds_between(distinct[:-1], distinct[1:]), beyond))


def bin_groups(
    values: NDArray[np.float32], cuts: NDArray[np.float32], lowest: float, highest: float
) -> ColumnGroups:
    """Return bins of numbers; between two that lie apart the threshold is the cut that the search takes.

    Parameters
    ----------
    cuts : ndarray of float32, shape (n,)
        Upper edges of the bins.
    lowest, highest : float
        Of the training rows' values.
    """
    n = len(cuts)
    bins = np.minimum(np.searchsorted(cuts, values, side="right"), max(n - 1, 0))
    of_row = np.where(np.isnan(values), MISSING, bins)
    lower = np.append(np.float32(lowest), cuts[:-1]).astype(np.float32)
    upper = np.append(cuts[:-1], np.float32(highest)).astype(np.float32)
    thresholds = upper.copy()
    held = np.unique(of_row[of_row >= 0])
    middles = thresholds_between(upper[held[:-1]], lower[held[1:]])
    for at, behind, middle in zip(held[:-1].tolist(), held[1:].tolist(), middles, strict=True):
        cut = max(at, int(np.searchsorted(lower[:behind], middle)) - 1)
        thresholds[at] = min(max(middle, upper[cut]), lower[cut + 1]) if cut + 1 < n else middle
    if len(held):
        thresholds[held[-1]] = last_edge(np.float32(highest))
    return _of_numbers(of_row, thresholds)


def category_groups(
    values: NDArray[np.float32], n_categories: int, *, is_parted: bool
) -> ColumnGroups:
    """Return a group for each category."""
    of_row = np.where(np.isnan(values), MISSING, values).astype(np.int64)
    codes = np.arange(n_categories)
    return ColumnGroups(of_row, n_categories, NO_THRESHOLDS, codes, -1, LOWEST_THRESHOLD, is_parted)


def _of_numbers(of_row: NDArray[np.int64], thresholds: NDArray[np.float32]) -> ColumnGroups:
    places, cuts = of_row.astype(np.int64), thresholds.astype(np.float32)
    return ColumnGroups(places, len(cuts), cuts, NO_CODES, -1, LOWEST_THRESHOLD)
