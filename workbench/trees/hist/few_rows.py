"""The best splits of nodes of few rows, from the rows themselves.

Such a node fills a few bins of a column, and a histogram of all of them would be written and read for those.
It has none: its rows are added up in one room, which is zero before and after, and cuts after empty bins,
which part the rows as the cut before them does, are left out.

    bins     0  .  .  3  4  .  6 …      marked ones
    lefts    Σ0       Σ3 Σ4    Σ6 …     what these cuts send left
    cuts     0        3  4     6 …
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import lowest_bit
from workbench.kernels.kernel import kernel
from workbench.trees.bins.binning import BINS_A_WORD, MISSING_BIN, OTHER_BIN

FEW_ROWS = 96
N_MARKS = 4
NUMBERS = np.uint64((1 << 62) - 1)  # the last marks but those of other and missing values


@kernel
def mark_rows(records, bins, place, rows, begin, end, scratch, marks):
    """Add the packed gradients of `rows[begin:end]` to their bins of a column, and mark these.

    Parameters
    ----------
    records : ndarray of uint64, shape (n, 1 + ceil(d / 8))
    bins : ndarray of uint8
        The records as bytes.
    place : int
        Of the column in the records.
    scratch : ndarray of int64, shape (256,)
    marks : ndarray of uint64, shape (4,)
        A bit for each bin.
    """
    one, low = np.uint64(1), np.uint64(63)
    record_bytes = np.uint64(BINS_A_WORD * records.shape[1])
    byte = np.uint64(BINS_A_WORD + place)
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        b = np.uint64(bins[record_bytes * row + byte])
        scratch[b] += np.int64(records[row, 0])
        marks[b >> np.uint64(6)] |= one << (b & low)


@kernel
def take_sums(scratch, n_bins, parent):
    """Take what each cut sends left, and missing values and others, away from the parent's sums."""
    left = np.int64(0)
    for b in range(n_bins):
        left += scratch[b]
        parent[b] -= left
    parent[MISSING_BIN] -= scratch[MISSING_BIN]
    parent[OTHER_BIN] -= scratch[OTHER_BIN]


@kernel
def list_marked(scratch, marks, lefts, cuts):
    """Fill the cuts after the marked bins of numbers, and return how many there are; clear room and marks."""
    scratch[MISSING_BIN] = scratch[OTHER_BIN] = 0
    marks[N_MARKS - 1] &= NUMBERS
    one = np.uint64(1)
    n = np.uint64(0)
    left = np.int64(0)
    for w in range(np.uint64(N_MARKS)):
        word = marks[w]
        while word != np.uint64(0):
            b = np.uint64(64) * w + lowest_bit(word)
            left += scratch[b]
            scratch[b] = 0
            lefts[n] = left
            cuts[n] = b
            n += one
            word &= word - one
        marks[w] = 0
    return np.int64(n)
