"""Columns of more categories than there are bins: for each tree, neighbours by gradient share a bin.

    level    0 … 2,999, by G / (H + smooth) of all drawn rows      each group about as much hessian
    bin      0 …………………………………………………… 253 | 254: too few rows | 255: missing

At the root the best partition is among those of the groups, but for where a group would be cut; further down
the groups are parted as categories are.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.bins.binning import MISSING_BIN, OTHER_BIN
from workbench.trees.bins.cuts import MOST_BINS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class WideColumns:
    """The categories of some rows in the columns that have more than there are bins.

    Attributes
    ----------
    columns : ndarray of int64, shape (k,)
    n_levels : tuple of int
        Categories of each.
    levels : ndarray of int32, shape (k, n)
        Each row's; the number of levels where it is missing or unknown.
    kept : tuple of ndarray of int64
        Levels of each that have a bin of their own.
    """

    columns: NDArray[np.int64]
    n_levels: tuple[int, ...]
    levels: NDArray[np.int32]
    kept: tuple[NDArray[np.int64], ...]


def wide_columns(
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    n_categories: Sequence[int],
    kept: Mapping[int, NDArray[np.float32]] = MappingProxyType({}),
) -> WideColumns:
    """Return the wide columns of these rows of the matrix."""
    columns = np.array([f for f, n in enumerate(n_categories) if n > MOST_BINS], np.int64)
    levels = np.empty((len(columns), len(rows)), np.int32)
    for k, f in enumerate(columns):
        n = n_categories[f]
        column = features[:, f][rows]
        known = (column >= 0) & (column < n)
        levels[k] = np.where(known, column, n)
        levels[k][np.isnan(column)] = n + 1
    own = tuple(kept[f].astype(np.int64) if f in kept else np.empty(0, np.int64) for f in columns.tolist())
    return WideColumns(columns, tuple(n_categories[f] for f in columns), levels, own)


def bins_of_levels(
    levels: NDArray[np.int32],
    n_levels: int,
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
    smooth: float,
    least_rows: int,
    alone: NDArray[np.int64] | None = None,
) -> NDArray[np.uint8]:
    """Return the bin of each level, and at last those of unknown and missing ones.

    Parameters
    ----------
    levels : ndarray of int32, shape (m,)
        Of the drawn rows, whose gradients and hessians these are.
    least_rows : int
        Levels with fewer rows share bin 254.
    alone : ndarray of int64, optional
        Levels that have the last bins before it, each its own, however few rows they have.

    Returns
    -------
    ndarray of uint8, shape (n_levels + 2,)
    """
    length = n_levels + 2
    count, g, h = (
        np.bincount(levels, weights, length)[:n_levels] for weights in (None, gradients, hessians)
    )
    bins = np.full(length, OTHER_BIN, np.uint8)
    bins[-1] = MISSING_BIN
    n_alone = 0 if alone is None else len(alone)
    most = MOST_BINS - n_alone
    if alone is not None:
        count[alone] = 0
        bins[alone] = np.arange(most, MOST_BINS)
    kept = np.flatnonzero(count >= max(least_rows, 1))
    if not len(kept):
        return bins
    size = h[kept] + smooth
    ratio = np.divide(g[kept], size, out=np.zeros(len(kept)), where=size > 0)
    order = kept[np.argsort(ratio, kind="stable")]
    if len(order) <= most:
        bins[order] = np.arange(len(order))
        return bins
    weight = h[order] + h[order].sum() / len(order) * 1e-9
    before = np.cumsum(weight) - 0.5 * weight
    bins[order] = np.minimum(before / before[-1] * most, most - 1)
    return bins
