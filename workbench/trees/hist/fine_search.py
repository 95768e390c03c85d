"""The best split of a node on a fine column, from its histogram.

Finds what `splitting` finds, with the same order of equals. A node has far fewer rows than such a column has
bins: cuts after empty bins, which part the rows as the cut before them does, are left out, and the others
compared a byte's worth at a time.

    bins     0  .  .  3  4  .  6 …      entries that are not 0
    lefts    Σ0       Σ3 Σ4    Σ6 …     what these cuts send left
    cuts     0        3  4     6 …
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import number_of
from workbench.kernels.kernel import kernel
from workbench.trees.bins.fine_columns import MISSING
from workbench.trees.found_split import BIN, MISSING_LEFT, SCORE, TAG_BITS
from workbench.trees.hist.splitting import NO_KEY, best_key

COMPARED_CUTS = TAG_BITS + 1
NOT_FOUND = -1  # below every score
BINS_AT_ONCE = 64  # bins between two looks whether there are enough cuts


@kernel
def total_of(histogram, n_bins):
    """Return the packed sum of a node."""
    total = np.int64(0)
    for b in range(n_bins + MISSING + 1):
        total += histogram[b]
    return total


@kernel
def list_cuts(histogram, begin, end, n, left, lefts, cuts):
    """Append the cuts after bins begin … end−1 that are not empty; return how many there are then, and left.

    Parameters
    ----------
    n : int
        Cuts that are listed already.
    left : int
        Packed sum of the bins before `begin`.
    lefts, cuts : ndarray of int64, shape (COMPARED_CUTS,)
    """
    for b in range(begin, end):
        left += histogram[b]
        lefts[n] = left
        cuts[n] = b
        n += histogram[b] != 0
    return n, left


@kernel
def search_fine(histogram, n_bins, limits, lefts, cuts, found):
    """Write the best split of one node and fine column to `found`: score (−1: none), bin, missing left.

    Parameters
    ----------
    histogram : ndarray of int64
        Packed sums by bin, of the column.
    limits : PackedLimits
    lefts, cuts : ndarray of int64, shape (>= COMPARED_CUTS,)
        Scratch.

    Returns
    -------
    int
        Packed sum of the node.
    """
    zero = np.int64(0)
    missing = histogram[n_bins + MISSING]
    total = total_of(histogram, n_bins)
    found[SCORE] = -1.0
    best, best_left = np.int64(NOT_FOUND), zero
    n, left = zero, zero
    for begin in range(0, n_bins, BINS_AT_ONCE):
        end = min(begin + BINS_AT_ONCE, n_bins)
        n, left = list_cuts(histogram, begin, end, n, left, lefts, cuts)
        if n + BINS_AT_ONCE < COMPARED_CUTS and end < n_bins:
            continue
        key = best_key(lefts, n, zero, zero, total, limits)
        missing_left = False
        if missing != 0:
            other = best_key(lefts, n, missing, missing, total, limits)
            missing_left = other > key
            key = other if missing_left else key
        if key & ~TAG_BITS > best and key != NO_KEY:
            place = TAG_BITS - (key & TAG_BITS)
            best, best_left = key & ~TAG_BITS, lefts[place]
            found[BIN] = cuts[place]
            found[MISSING_LEFT] = missing_left
        n = zero
    if best != NOT_FOUND:
        found[SCORE] = number_of(best)
        if missing == 0:
            field = (np.int64(1) << limits.shift) - 1
            found[MISSING_LEFT] = 2 * (best_left & field) >= (total & field)
    return total
