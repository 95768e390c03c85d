"""Columns of numbers with more cuts than a byte can tell apart: their bins take 16 bits.

They stand by themselves, by column only; all other columns keep their bytes (see `BinnedMatrix`).

    bin      0 ............ n_bins-1 | n_bins              | n_bins + 1
    holds    values                  | beyond the last cut | missing

The histogram of a node has the byte columns first, then the fine ones, each as long as it has bins:

    | byte column 0: 264 | … | fine column 0: n_bins + 2, up to a multiple of 8 | fine column 1: … | … |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.bins.bin_search import CACHED_ROWS, halve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MOST_FINE_BINS = 65_534
BEYOND, MISSING = 0, 1  # bins behind the last one that holds values
ENTRIES_IN_LINE = 8
FETCHED_ROWS = 8192
GROUP = 256


class FineColumns(NamedTuple):
    """What kernels read of the fine columns, k of d.

    Attributes
    ----------
    is_fine : ndarray of bool, shape (d,)
    begins : ndarray of int64, shape (k + 1,)
        Where each one's entries begin in a histogram; at last its length.
    cuts : ndarray of float32, shape (k, most bins)
        Upper edges of the bins.
    bins : ndarray of uint16, shape (k, n)
        Of the training rows.
    scratch : ndarray of int64, shape (parts, FETCHED_ROWS)
        For each part, while it counts.
    """

    is_fine: NDArray[np.bool_]
    begins: NDArray[np.int64]
    cuts: NDArray[np.float32]
    bins: NDArray[np.uint16]
    scratch: NDArray[np.int64]


def column_places(n_columns: int, fine: Mapping[int, object]) -> NDArray[np.int64]:
    """Return each column's place among the fine ones, or among the others if it is none of them."""
    is_fine = np.zeros(n_columns, np.bool_)
    is_fine[list(fine)] = True
    return np.where(is_fine, np.cumsum(is_fine), np.cumsum(~is_fine)) - 1


def padded(cuts: Mapping[int, NDArray[np.float32]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the cuts of the fine columns with NaN behind them, and every 256th: shapes (k, …), (k, 256)."""
    longest = max((len(own) for own in cuts.values()), default=0)
    all_cuts = np.full((len(cuts), (longest // GROUP + 1) * GROUP), np.nan, np.float32)
    for line, own in zip(all_cuts, cuts.values(), strict=True):
        line[: len(own)] = own
    every = np.full((len(cuts), GROUP), np.nan, np.float32)
    every[:, : all_cuts.shape[1] // GROUP] = all_cuts[:, GROUP - 1 :: GROUP]
    return all_cuts, every


def fine_columns(
    n_columns: int, cuts: Mapping[int, NDArray[np.float32]], bins: NDArray[np.uint16], first: int, parts: int
) -> FineColumns:
    """Return what kernels read of them.

    Parameters
    ----------
    cuts : mapping of int to ndarray of float32
        Upper edges of the bins of each fine column, ascending by column.
    bins : ndarray of uint16, shape (k, n)
    first : int
        Entries of the byte columns in a histogram.
    """
    is_fine = np.zeros(n_columns, np.bool_)
    is_fine[list(cuts)] = True
    n_bins = np.array([len(own) for own in cuts.values()], np.int64)
    entries = -(-(n_bins + 2) // ENTRIES_IN_LINE) * ENTRIES_IN_LINE
    return FineColumns(
        is_fine,
        first + np.concatenate([[0], np.cumsum(entries)]),
        padded(cuts)[0],
        bins,
        np.empty((parts, FETCHED_ROWS), np.int64),
    )


@kernel
def find_bins_of_fine_column(flat, first, step, rows, cuts, every, missing, bins):
    """Find the bins of the given rows of a fine column: #{cuts <= x}, its high byte first.

    Parameters
    ----------
    flat : ndarray of float32
        All values; row r of the column is `flat[first + r * step]`.
    rows : ndarray of int64, shape (m,)
    cuts, every : ndarray of float32
        Ascending, NaN beyond the last; every 256th of them.
    missing : int
        Bin of missing values.
    bins : ndarray of uint16, shape (m,)
        Filled.
    """
    first, step = np.uint64(first), np.uint64(step)
    for i in range(len(rows)):
        x = flat[first + np.uint64(rows[i]) * step]
        low = halve(cuts, halve(every, np.uint64(0), x) << np.uint64(8), x)
        bins[i] = missing if np.isnan(x) else low


@kernel
def find_fine_bins(flat, columns, rows, begin, end, cuts, every, n_bins, bins):
    """Find the bins of rows begin … end−1 in every fine column, a few rows at a time; see `find_bins`.

    Parameters
    ----------
    flat : FlatValues
    columns : ndarray of int64, shape (k,)
    cuts, every : ndarray of float32, shapes (k, groups * 256) and (k, 256)
        As `padded` makes them.
    n_bins : ndarray of int32, shape (d,)
    bins : ndarray of uint16, shape (k, n)
    """
    for b in range(begin, end, CACHED_ROWS):
        e = b + CACHED_ROWS if b + CACHED_ROWS < end else end
        for place in range(len(columns)):
            f = columns[place]
            find_bins_of_fine_column(
                flat.numbers, f * flat.column_step, flat.row_step, rows[b:e], cuts[place], every[place],
                n_bins[f] + MISSING, bins[place, b:e],
            )
