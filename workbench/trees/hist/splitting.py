"""The best split of a node, from its histogram.

Numbers: every cut, with the missing values on either side. Categories: one against the rest, the chosen
one to the left, with the missing values on either side. That side is the split's missing direction, its
default; where a node has no missing value in the column, it is the side with more hessian (left on ties).
Equal scores go to the first column, the lowest bin, and missing to the right.

A score and its bin travel as one integer, so that the best of a column is a maximum of integers, which
vectors find sixteen times as fast as a comparison with branches:

    bit 63 | 62 .................... 8 | 7 ........... 0
        0  | score, its last 8 bits cut | tag: 255 − bin

Scores are taken in the units of packed gradients (see packing.py), in which λ and the least hessian of a
child are expressed once a tree.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import bits_of, number_of
from workbench.kernels.kernel import kernel
from workbench.trees.found_split import BIN, MISSING_LEFT, SCORE, TAG_BITS
from workbench.trees.packing import gradient_of, hessian_of

NO_KEY = 0
TAGS = np.arange(TAG_BITS, -1, -1)  # of the cuts
VECTOR_CUTS = 16


@kernel
def add_up(histogram, n_bins):
    """Put in the place of each bin of a column of numbers what the cut after it sends left: bins 0 … b."""
    left = np.int64(0)
    for b in range(n_bins):
        left += histogram[b]
        histogram[b] = left


@kernel
def best_key(lefts, n_cuts, missing, nobody, total, limits):
    """Return score and tag of the best cut as one integer, or NO_KEY.

    Parameters
    ----------
    lefts : ndarray of int64, shape (>= 256,)
        Packed sum that each cut sends left, but for missing values; anything beyond `n_cuts`.
    missing, nobody, total : int
        Packed sums of the missing values that go left too, of a left side that is refused as empty,
        and of all.
    limits : PackedLimits
    """
    shift, reg_lambda, least_hessian = limits
    field = (np.int64(1) << shift) - 1
    total_gradient, total_hessian = gradient_of(total, shift), hessian_of(total, shift)
    least = max(least_hessian, (nobody & field) + 1)
    most = (total & field) - least_hessian
    last_tag = TAG_BITS + 1 - n_cuts
    best = np.int64(NO_KEY)
    # Whole vectors: what is left over would be taken one by one, which costs more than all the rest.
    for b in range((n_cuts + VECTOR_CUTS - 1) // VECTOR_CUTS * VECTOR_CUTS):
        left = lefts[b] + missing
        packed_h = left & field
        g, h = gradient_of(left, shift), hessian_of(left, shift)
        other_g = total_gradient - g
        other_h = (total_hessian - h) + reg_lambda
        h += reg_lambda
        # Both fractions over one denominator: dividing is what takes time.
        score = (g * g * other_h + other_g * other_g * h) / (h * other_h)
        tag = TAGS[b]
        allowed = (packed_h >= least) & (packed_h <= most) & (tag >= last_tag)
        key = (bits_of(score) & ~TAG_BITS) | tag
        key = key if allowed else np.int64(NO_KEY)
        best = key if key > best else best
    return best


@kernel
def write_best(lefts, n_cuts, missing, nobody, total, limits, found):
    """Write the best cut and its missing direction to `found`: score (−1: none), place, missing left.

    Where there are missing values, `nobody` is a left side with them that is refused as empty.
    """
    found[SCORE] = -1.0
    field = (np.int64(1) << limits.shift) - 1
    if (total & field) - limits.least_hessian < limits.least_hessian:
        return
    best, missing_left = np.int64(NO_KEY), False
    for side in range(2 if missing != 0 else 1):
        key = best_key(lefts, n_cuts, side * missing, side * nobody, total, limits)
        if key > best:
            best, missing_left = key, side == 1
    if best == NO_KEY:
        return
    b = TAG_BITS - (best & TAG_BITS)
    if missing == 0:
        missing_left = 2 * (lefts[b] & field) >= (total & field)
    found[SCORE] = number_of(best & ~TAG_BITS)
    found[BIN] = b
    found[MISSING_LEFT] = missing_left


