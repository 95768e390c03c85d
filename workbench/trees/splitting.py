"""The best split of a node, from its histogram.

Numbers: every cut, with the missing values on either side. Categories: one against the rest, the chosen
one to the left, with the missing values on either side. Where a node has no missing value in the column,
the default is the side with more hessian (left on ties). Equal gains go to the first column, the lowest
bin, and missing to the right.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.binning import MISSING_BIN, OTHER_BIN
from workbench.trees.histogram import HISTOGRAM_STRIDE
from workbench.trees.parallel import part_begin
from workbench.trees.structure_score import similarity

NO_SPLIT = -1


@njit(cache=True, nogil=True, error_model="numpy")
def unpack_gradient(packed_sum, scales):
    """Return G from a sum of packed gradients."""
    return (packed_sum >> np.int64(scales[0])) * scales[3]


@njit(cache=True, nogil=True, error_model="numpy")
def unpack_hessian(packed_sum, scales):
    """Return H from a sum of packed gradients."""
    field = (np.int64(1) << np.int64(scales[0])) - 1
    return (packed_sum & field) * scales[4]


@njit(cache=True, nogil=True, error_model="numpy")
def packed_similarity(packed_sum, scales, reg_lambda):
    """Return G²/(H+λ) of a sum of packed gradients."""
    return similarity(unpack_gradient(packed_sum, scales), unpack_hessian(packed_sum, scales), reg_lambda)


@njit(cache=True, nogil=True, error_model="numpy")
def pair_score(left, right, scales, reg_lambda, min_child_weight):
    """Return G_L²/(H_L+λ) + G_R²/(H_R+λ), or −1 where a child has nothing, or less hessian than it must.

    Both fractions are brought to one denominator: dividing is what takes time here.
    """
    left_hessian = unpack_hessian(left, scales)
    right_hessian = unpack_hessian(right, scales)
    if left == 0 or right == 0 or left_hessian < min_child_weight or right_hessian < min_child_weight:
        return -1.0
    left_gradient = unpack_gradient(left, scales)
    right_gradient = unpack_gradient(right, scales)
    a = left_hessian + reg_lambda
    b = right_hessian + reg_lambda
    if a <= 0.0 or b <= 0.0:
        return similarity(left_gradient, a, 0.0) + similarity(right_gradient, b, 0.0)
    return (left_gradient * left_gradient * b + right_gradient * right_gradient * a) / (a * b)


@njit(cache=True, nogil=True, error_model="numpy")
def total_of(histogram, n_bins):
    """Return the sum over all bins of a column: the node's own packed sum."""
    total = histogram[OTHER_BIN] + histogram[MISSING_BIN]
    for b in range(n_bins):
        total += histogram[b]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def best_cut(histogram, n_bins, total, scales, reg_lambda, min_child_weight):
    """Return score, bin and missing-goes-left of the best cut of a column of numbers.

    The cut after bin b sends bins 0 … b left. The one after the last bin parts the missing values
    from all others.
    """
    missing = histogram[MISSING_BIN]
    best_score, best_bin, missing_left = -1.0, NO_SPLIT, False
    left = np.int64(0)
    n_cuts = n_bins if missing != 0 else n_bins - 1
    for b in range(n_cuts):
        if histogram[b] == 0:
            continue
        left += histogram[b]
        score = pair_score(left, total - left, scales, reg_lambda, min_child_weight)
        if score > best_score:
            best_score, best_bin, missing_left = score, b, False
        if missing != 0 and b < n_bins - 1:
            score = pair_score(left + missing, total - left - missing, scales, reg_lambda, min_child_weight)
            if score > best_score:
                best_score, best_bin, missing_left = score, b, True
    if best_bin != NO_SPLIT and missing == 0:
        left = np.int64(0)
        for b in range(best_bin + 1):
            left += histogram[b]
        missing_left = unpack_hessian(left, scales) >= unpack_hessian(total - left, scales)
    return best_score, best_bin, missing_left


@njit(cache=True, nogil=True, error_model="numpy")
def best_category(histogram, n_bins, total, scales, reg_lambda, min_child_weight):
    """Return score, bin and missing-goes-left of the best category to set against the rest.

    A category that the node has no row of, with missing to the left, parts the missing values from all
    others.
    """
    missing = histogram[MISSING_BIN]
    best_score, best_bin, missing_left = -1.0, NO_SPLIT, False
    for b in range(n_bins):
        left = histogram[b]
        if left != 0:
            score = pair_score(left, total - left, scales, reg_lambda, min_child_weight)
            if score > best_score:
                best_score, best_bin, missing_left = score, b, False
        if missing != 0:
            score = pair_score(left + missing, total - left - missing, scales, reg_lambda, min_child_weight)
            if score > best_score:
                best_score, best_bin, missing_left = score, b, True
    if best_bin != NO_SPLIT and missing == 0:
        left = histogram[best_bin]
        missing_left = unpack_hessian(left, scales) >= unpack_hessian(total - left, scales)
    return best_score, best_bin, missing_left


@njit(cache=True, nogil=True, error_model="numpy")
def _search_column(histogram, n_bins, is_category, scales, reg_lambda, min_child_weight, found, found_sum):
    """Write the best split of one node and column to `found` (score, bin, missing left)."""
    total = total_of(histogram, n_bins)
    if is_category:
        best = best_category(histogram, n_bins, total, scales, reg_lambda, min_child_weight)
    else:
        best = best_cut(histogram, n_bins, total, scales, reg_lambda, min_child_weight)
    found[0], found[1], found[2] = best
    found_sum[0] = total


@njit(cache=True, nogil=True, error_model="numpy")
def add_entries(histogram, other, sign):
    """Add or take away another histogram."""
    for entry in range(len(histogram)):
        histogram[entry] += sign * other[entry]


@njit(cache=True, nogil=True, error_model="numpy")
def _search_pair(
    pair, item, column, counted, others, pool, heads, head_of_part, parts, n_bins, is_category, scales,
    reg_lambda, min_child_weight, found, found_sums,
):
    """Finish one column of a pair of siblings, and search it.

    Adds what other parts counted of the smaller child, takes it from the parent (whose slot the larger
    child inherits), and searches both.
    """
    begin = column * HISTOGRAM_STRIDE
    end = begin + HISTOGRAM_STRIDE
    small = pool[counted[pair], begin:end]
    for part in range(1, parts):
        if head_of_part[part] == pair:
            add_entries(small, heads[part, begin:end], 1)
    _search_column(
        small, n_bins[column], is_category[column], scales, reg_lambda, min_child_weight,
        found[2 * pair, item], found_sums[2 * pair, item : item + 1],
    )
    if others[pair] < 0:
        return
    large = pool[others[pair], begin:end]
    add_entries(large, small, -1)
    _search_column(
        large, n_bins[column], is_category[column], scales, reg_lambda, min_child_weight,
        found[2 * pair + 1, item], found_sums[2 * pair + 1, item : item + 1],
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _search_part(
    part, threads, counted, others, columns, pool, heads, head_of_part, parts, n_bins, is_category, scales,
    reg_lambda, min_child_weight, found, found_sums,
):
    k = len(columns)
    n_items = len(counted) * k
    for item in range(part_begin(part, threads, n_items), part_begin(part + 1, threads, n_items)):
        _search_pair(
            item // k, item % k, columns[item % k], counted, others, pool, heads, head_of_part, parts,
            n_bins, is_category, scales, reg_lambda, min_child_weight, found, found_sums,
        )


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def search_splits(
    threads, counted, others, columns, pool, heads, head_of_part, parts, n_bins, is_category, scales,
    reg_lambda, min_child_weight, found, found_sums,
):
    """Search the best split of every column for several pairs of siblings.

    Parameters
    ----------
    counted, others : ndarray of int64, shape (m,)
        Slots of the child that was counted and of its sibling, which still holds the parent (-1: none).
    columns : ndarray of int64, shape (k,)
        Columns drawn for this tree.
    heads, head_of_part, parts
        From `count_nodes`.
    found : ndarray of float64, shape (2 m, k, 3)
        Filled with score ΣG²/(H+λ), bin and missing-goes-left, for counted child and sibling in turn.
    found_sums : ndarray of int64, shape (2 m, k)
        Filled with the packed sum of each node.
    """
    if threads == 1:
        _search_part(
            np.int64(0), threads, counted, others, columns, pool, heads, head_of_part, parts, n_bins,
            is_category, scales, reg_lambda, min_child_weight, found, found_sums,
        )
    else:
        for part in prange(threads):
            _search_part(
                np.int64(part), threads, counted, others, columns, pool, heads, head_of_part, parts, n_bins,
                is_category, scales, reg_lambda, min_child_weight, found, found_sums,
            )


@njit(cache=True, nogil=True, error_model="numpy")
def best_column(found):
    """Return the position of the column with the highest score, the first of equals."""
    best = 0
    for item in range(1, len(found)):
        if found[item, 0] > found[best, 0]:
            best = item
    return best
