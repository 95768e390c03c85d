"""Sums of packed gradients by bin, of fine columns.

Their histograms are too long for several to stay in the innermost cache: one column is counted after the
other, in many rows at a time, whose gradients are fetched from their records once.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.bins.fine_columns import FETCHED_ROWS


@kernel
def count_fine_rows(records, rows, begin, end, fine, scratch, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in every fine column.

    Parameters
    ----------
    records : ndarray of uint64, shape (n, words)
        Gradients are packed in word 0.
    rows : ndarray of uint32
    fine : FineColumns
    scratch : ndarray of int64, shape (FETCHED_ROWS,)
    histogram : ndarray of int64
    """
    for first in range(begin, end, FETCHED_ROWS):
        n = np.uint64(min(FETCHED_ROWS, end - first))
        own = rows[first : first + FETCHED_ROWS]
        for i in range(n):
            scratch[i] = np.int64(records[np.uint64(own[i]), 0])
        for place in range(len(fine.bins)):
            bins, entries = fine.bins[place], histogram[fine.begins[place] :]
            for i in range(n):
                entries[np.uint64(bins[np.uint64(own[i])])] += scratch[i]
