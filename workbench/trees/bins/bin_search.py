"""Which bin a number falls into: #{cuts <= x}, for many numbers at once.

Looked up in cells of equal width between the first cut and the last but one: cuts in earlier cells are at
most x, those in later cells are above, and the few in its own cell are compared one by one.

    cuts     |    |  | |   |      |
    cells  … |____|____|____|____|____| …    start of a cell: how many cuts lie in earlier ones

Where many cuts crowd into one cell, x is found by halving instead. Both are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING_BIN = 255
N_BIN_VALUES = 256  # those of a byte, also of one that several columns share
CACHED_ROWS = 1024
BINNED_AT_ONCE = 16_384  # rows
N_CELLS = 4096
MOST_COMPARED = 4  # cuts in one cell, beyond which halving is faster


class CutCells(NamedTuple):
    """The cells of each of m columns.

    Attributes
    ----------
    starts : ndarray of uint8, shape (m, N_CELLS)
    lows, scales : ndarray of float32, shape (m,)
        Where the cells begin, and one over their width.
    most : ndarray of int64, shape (m,)
        The most cuts in a cell; 0 where the bins are found by halving.
    """

    starts: NDArray[np.uint8]
    lows: NDArray[np.float32]
    scales: NDArray[np.float32]
    most: NDArray[np.int64]


def cut_cells(cuts: NDArray[np.float32], n_cuts: NDArray[np.int32]) -> CutCells:
    """Lay cells over the cuts of every column.

    Parameters
    ----------
    cuts : ndarray of float32, shape (m, 255)
        Ascending; NaN beyond the last.
    n_cuts : ndarray of int32, shape (m,)
    """
    m = len(cuts)
    cells = CutCells(
        np.zeros((m, N_CELLS), np.uint8), np.zeros(m, np.float32), np.zeros(m, np.float32),
        np.zeros(m, np.int64),
    )
    for k, n in enumerate(n_cuts.tolist()):
        if n < 3 or np.isnan(cuts[k, 0]):
            continue
        width = (float(cuts[k, n - 2]) - float(cuts[k, 0])) / (N_CELLS - 1)
        with np.errstate(all="ignore"):
            scale = np.float32(1.0 / width)
        if not np.isfinite(scale) or scale == 0:
            continue
        cells.lows[k], cells.scales[k] = cuts[k, 0], scale
        most = fill_starts(cuts[k, :n], cells.lows[k], scale, cells.starts[k])
        cells.most[k] = most if most <= MOST_COMPARED else 0
    return cells


@kernel
def cell_of(x, low, scale):
    """Return the cell of a number, the first or last where it lies outside; never falls as x grows."""
    place = (x - low) * scale
    place = place if place > np.float32(0) else np.float32(0)  # so is the place of NaN
    last = np.float32(N_CELLS - 1)
    return np.uint64(np.int32(place if place < last else last))


@kernel
def fill_starts(cuts, low, scale, starts):
    """Fill in how many cuts lie before each cell; return the most that lie in one."""
    most, k = 0, 0
    for cell in range(N_CELLS):
        starts[cell] = k
        began = k
        while k < len(cuts) and cell_of(cuts[k], low, scale) == np.uint64(cell):
            k += 1
        most = max(most, k - began)
    return most


@kernel
def halve(cuts, low, x):
    """Return `low` and how many of the 255 cuts from there on are at most x.

    Eight halvings of a fixed length and no branch, so that many values are looked up at once.
    """
    low += np.uint64(128) if cuts[low + np.uint64(127)] <= x else np.uint64(0)
    low += np.uint64(64) if cuts[low + np.uint64(63)] <= x else np.uint64(0)
    low += np.uint64(32) if cuts[low + np.uint64(31)] <= x else np.uint64(0)
    low += np.uint64(16) if cuts[low + np.uint64(15)] <= x else np.uint64(0)
    low += np.uint64(8) if cuts[low + np.uint64(7)] <= x else np.uint64(0)
    low += np.uint64(4) if cuts[low + np.uint64(3)] <= x else np.uint64(0)
    low += np.uint64(2) if cuts[low + np.uint64(1)] <= x else np.uint64(0)
    low += np.uint64(1) if cuts[low] <= x else np.uint64(0)
    return low


@kernel
def find_bins_of_column(flat, first, step, rows, cuts, starts, low, scale, most, bins):
    """Find the bins of the given rows of a column of numbers.

    Parameters
    ----------
    flat : ndarray of float32
        All values; row r of the column is `flat[first + r * step]`.
    rows : ndarray of int64, shape (n,)
    cuts : ndarray of float32, shape (255,)
        Ascending; NaN beyond the last.
    starts, low, scale, most
        The column's own of `CutCells`.
    bins : ndarray of uint8, shape (n,)
        Filled: 0 to the number of cuts, which means "above the last cut"; MISSING_BIN for NaN.
    """
    first = np.uint64(first)
    step = np.uint64(step)
    if most == 0:
        for i in range(len(rows)):
            x = flat[first + np.uint64(rows[i]) * step]
            bins[i] = MISSING_BIN if np.isnan(x) else halve(cuts, np.uint64(0), x)
        return
    for i in range(len(rows)):
        x = flat[first + np.uint64(rows[i]) * step]
        b = np.uint64(starts[cell_of(x, low, scale)])
        for _ in range(most):
            b += np.uint64(1) if cuts[b] <= x else np.uint64(0)
        bins[i] = MISSING_BIN if np.isnan(x) else b


@kernel
def find_bins(flat, columns, rows, begin, end, cuts, cells, is_category, by_column):
    """Find the bins of rows begin … end−1 in every column of numbers of these m.

    A few rows at a time, so that rows that lie in memory one after another are read from it once.

    Parameters
    ----------
    flat : FlatValues
    columns : ndarray of int64, shape (m,)
    cuts : ndarray of float32, shape (m, 255)
    cells : CutCells
    is_category : ndarray of bool, shape (d,)
    by_column : ndarray of uint8, shape (m, n)
    """
    for b in range(begin, end, CACHED_ROWS):
        e = b + CACHED_ROWS if b + CACHED_ROWS < end else end
        for place in range(len(columns)):
            f = columns[place]
            if not is_category[f]:
                find_bins_of_column(
                    flat.numbers, f * flat.column_step, flat.row_step, rows[b:e], cuts[place],
                    cells.starts[place], cells.lows[place], cells.scales[place], cells.most[place],
                    by_column[place, b:e],
                )
