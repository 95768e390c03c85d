"""Categories in the order of their gradients, in which the best partition is a cut between neighbours.

For a convex loss the best partition of the categories into two sets is one of those (Fisher 1958; Breiman et
al. 1984, theorem 4.5). Few rows make a noisy mean: a category stands by G / (H + smooth), drawn towards 0.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.packing import HESSIAN_UNIT, MEAN_HESSIAN, SHIFT

CAUGHT = 2.0 / np.pi  # share of the spread between random means that the best partition in two catches
FREE_CATEGORIES = 9  # of so many, chance gains as much as of a column of numbers
GAPS = (146_305, 36_289, 16_001, 3_905, 929, 209, 109, 41, 19, 5, 1)  # of Shell's sort (Sedgewick 1986)


@kernel
def stands_before(ratio, category, other_ratio, other):
    """Whether a category comes first; of equals the one with the lower bin."""
    return ratio < other_ratio or (ratio == other_ratio and category < other)


@kernel
def sort_categories(histogram, n_bins, shift, smooth, order, ratios):
    """Fill `order` with the bins that have any rows, by gradient; return how many there are.

    Parameters
    ----------
    histogram : ndarray of int64
        Packed sums by bin, of the column.
    shift : int
        Bits of the hessian in a packed sum.
    smooth : float
        In units of packed hessians.
    order : ndarray of int64, shape (256,)
    ratios : ndarray of float64, shape (256,)
        Room.
    """
    field = (np.int64(1) << shift) - 1
    n = np.int64(0)
    for b in range(n_bins):
        if histogram[b] != 0:
            h = np.float64(histogram[b] & field) + smooth
            order[n] = b
            ratios[n] = np.float64(histogram[b] >> shift) / h if h > 0.0 else 0.0
            n += 1
    for gap in GAPS:
        for i in range(gap, n):
            category, ratio = order[i], ratios[i]
            place = i
            while place >= gap and stands_before(ratio, category, ratios[place - gap], order[place - gap]):
                order[place], ratios[place] = order[place - gap], ratios[place - gap]
                place -= gap
            order[place], ratios[place] = category, ratio
    return n


@kernel
def add_up_in_order(histogram, order, n, lefts):
    """Fill what each cut between the ordered categories sends left."""
    left = np.int64(0)
    for place in range(n):
        left += histogram[order[place]]
        lefts[place] = left


@kernel
def levels_parted(n, levels_a_bin, packed_sum, scales):
    """Return how many categories a node parts: one a bin, or at most one a row where bins hold several."""
    if levels_a_bin <= 1.0:
        return np.float64(n)
    hessian = np.float64(packed_sum & ((np.int64(1) << np.int64(scales[SHIFT])) - 1)) * scales[HESSIAN_UNIT]
    n_rows = hessian / scales[MEAN_HESSIAN] if scales[MEAN_HESSIAN] > 0.0 else 0.0
    n_levels = n * levels_a_bin
    return n_levels if n_levels < n_rows else n_rows


@kernel
def l2_of_parts(n, cat_l2):
    """Return what is added to λ where a column of so many categories is parted: few do not need it."""
    return cat_l2 if n > FREE_CATEGORIES else 0.0


@kernel
def chance_score(n, noise):
    """Return the Σ G²/(H+λ) that parting so many categories gains by chance, where they mean nothing.

    Each adds `noise` (Σg²/Σh of all rows) to the spread between their means. Without this, columns of many
    categories win by their number (Loh and Shih 1997). Counted is what exceeds a column of numbers.
    """
    return CAUGHT * (n - FREE_CATEGORIES) * noise if n > FREE_CATEGORIES else 0.0
