"""The best split of a node of a restrained tree, from its histogram: the obvious way, one cut after another.

Finds what `splitting` finds, with the same order of equals, where leaf weights follow from more than G, H and
λ, and where leaves need rows.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.category_order import chance_score, l2_of_parts, levels_parted, sort_categories
from workbench.trees.forced_splits import FORCED, NOT_FORCED, parts_rows, sum_members, sum_up_to
from workbench.trees.found_split import BIN, MIDDLE, MISSING_LEFT, SCORE
from workbench.trees.grown_nodes import BELOW_ALL
from workbench.trees.monotone_constraints import middle_weight
from workbench.trees.packed_units import in_packed_units, unpack_gradient, unpack_hessian
from workbench.trees.packing import NOISE, SHIFT
from workbench.trees.restrained_weight import NOT_FOUND, gained_by_pull, restrained_gain
from workbench.trees.restraints import forced_at


@kernel
def has_rows(count, total, least):
    """Whether both sides of a split have enough rows; always where rows are not counted."""
    return total < 0 or (count >= least and total - count >= least)


@kernel
def node_rows(rows, n_bins, missing_bin):
    """Return the rows of a node; −1 where they are not counted."""
    if len(rows) == 0:
        return np.int64(-1)
    total = rows[missing_bin] + rows[missing_bin - 1]
    for b in range(n_bins):
        total += rows[b]
    return total


@kernel
def has_missing(histogram, rows, missing_bin):
    """Whether a node has missing values; such rows of weight 0 are seen where rows are counted."""
    return histogram[missing_bin] != 0 if len(rows) == 0 else rows[missing_bin] > 0


@kernel
def scan_bins(
    histogram, rows, n_cuts, missing_bin, order, is_single, missing_left, total, n_rows, params, reg_lambda,
    scales, restraints, direction, node, found,
):
    """Try every cut between bins in order, or every bin against the rest, with missing values on one side.

    Where one is better than what stands in `found`, it is written there.
    """
    is_counted = n_rows >= 0
    more = histogram[missing_bin] if missing_left else np.int64(0)
    more_rows = rows[missing_bin] if missing_left and is_counted else np.int64(0)
    total_g, total_h = unpack_gradient(total, scales), unpack_hessian(total, scales)
    left, left_rows = np.int64(0), np.int64(0)
    for cut in range(n_cuts):
        b = order[cut]
        if not is_single and histogram[b] == 0 and (not is_counted or rows[b] == 0):
            continue  # parts the rows as the cut before
        left = histogram[b] if is_single else left + histogram[b]
        if is_counted:
            left_rows = rows[b] if is_single else left_rows + rows[b]
        here = left + more
        if not has_rows(left_rows + more_rows, n_rows, restraints.rules.min_leaf_rows):
            continue
        g, h = unpack_gradient(here, scales), unpack_hessian(here, scales)
        other_g, other_h = total_g - g, total_h - h
        if h < params.min_child_weight or other_h < params.min_child_weight:
            continue
        if h <= 0.0 or other_h <= 0.0 or (unpack_hessian(left, scales) <= 0.0 and not is_single):
            continue
        gain = restrained_gain(g, h, other_g, other_h, reg_lambda, restraints, direction, node, False)
        gain -= params.gamma
        if gain > found[SCORE]:
            found[SCORE] = gain
            found[BIN] = cut
            found[MISSING_LEFT] = missing_left
            found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)
            if not has_missing(histogram, rows, missing_bin):
                found[MISSING_LEFT] = 2.0 * h >= total_h


@kernel
def try_missing_alone(
    histogram, rows, missing_bin, total, n_rows, params, scales, restraints, direction, node, found
):
    """Try the missing values on the left and all others on the right, which a monotone column may need."""
    left = histogram[missing_bin]
    n_left = rows[missing_bin] if n_rows >= 0 else np.int64(0)
    g, h = unpack_gradient(left, scales), unpack_hessian(left, scales)
    other_g, other_h = unpack_gradient(total, scales) - g, unpack_hessian(total, scales) - h
    least = params.min_child_weight
    if not has_rows(n_left, n_rows, restraints.rules.min_leaf_rows) or h < least or other_h < least:
        return
    if h + params.reg_lambda <= 0.0 or other_h + params.reg_lambda <= 0.0:
        return
    gain = restrained_gain(g, h, other_g, other_h, params.reg_lambda, restraints, direction, node, False)
    gain -= params.gamma
    if gain > found[SCORE]:
        found[SCORE] = gain
        found[BIN] = BELOW_ALL
        found[MISSING_LEFT] = 1.0
        found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)


@kernel
def search_restrained(
    histogram, rows, n_bins, missing_bin, is_category, levels_a_bin, params, scales, restraints, direction,
    node, order, ratios, found, found_sum,
):
    """Write the best split of one node and column to `found`: gain (−inf: none), bin, missing left.

    Parameters
    ----------
    histogram : ndarray of int64
        Packed sums by bin, of the column.
    rows : ndarray of int64
        Rows by bin; empty where they are not counted.
    missing_bin : int
        Bin of missing values; the one before holds what no cut can part.
    direction : int
        Of the column, if it is monotone.
    order, ratios : ndarray of int64 and float64, shape (256,)
        Room; `order` for every bin.
    """
    n_cuts, reg_lambda, more_lambda = np.int64(n_bins), params.reg_lambda, 0.0
    is_parted = is_category and n_bins > params.max_cat_to_onehot
    if is_parted:
        shift, smooth = np.int64(scales[SHIFT]), in_packed_units(params.cat_smooth, scales)
        n_cuts = sort_categories(histogram, n_bins, shift, smooth, order, ratios)
        more_lambda = l2_of_parts(n_bins, params.cat_l2)
        reg_lambda += more_lambda
    else:
        for b in range(n_bins):
            order[b] = b
    total = node_rows(histogram, n_bins, missing_bin)
    found_sum[0] = total
    found[SCORE] = NOT_FOUND
    n_rows = node_rows(rows, n_bins, missing_bin)
    for missing_left in range(2 if has_missing(histogram, rows, missing_bin) else 1):
        scan_bins(
            histogram, rows, n_cuts, missing_bin, order, is_category and not is_parted, missing_left == 1,
            total, n_rows, params, reg_lambda, scales, restraints, direction, node, found,
        )
    if direction != 0 and histogram[missing_bin] != 0 and found_sum[0] != histogram[missing_bin]:
        try_missing_alone(
            histogram, rows, missing_bin, total, n_rows, params, scales, restraints, direction, node, found
        )
    if is_parted:
        n_levels = levels_parted(n_cuts, levels_a_bin, total, scales)
        found[SCORE] -= 0.5 * chance_score(n_levels, scales[NOISE]) + gained_by_pull(
            unpack_gradient(total, scales), unpack_hessian(total, scales), params.reg_lambda, more_lambda,
            restraints, node,
        )


@kernel
def note_forced(
    histogram, n_bins, missing_bin, is_category, column, total, params, scales, restraints, direction, node,
    found,
):
    """Write the split that is forced on a node to `found`, if it asks about this column and parts rows."""
    split = forced_at(restraints, node, column)
    if split == NOT_FORCED:
        return
    places = restraints.places
    if is_category:
        left = sum_members(histogram, n_bins, places.yes[split])
    else:
        left = sum_up_to(histogram, places.last[split])
    missing = histogram[missing_bin]
    total_g, total_h = unpack_gradient(total, scales), unpack_hessian(total, scales)
    best = NOT_FOUND
    for missing_left in range(2 if missing != 0 else 1):
        here = left + missing * missing_left
        if not parts_rows(here, total):
            continue
        g, h = unpack_gradient(here, scales), unpack_hessian(here, scales)
        other_g, other_h = total_g - g, total_h - h
        gain = restrained_gain(g, h, other_g, other_h, params.reg_lambda, restraints, direction, node, True)
        if gain > best:
            best = gain
            found[SCORE] = FORCED
            found[BIN] = places.last[split]
            found[MISSING_LEFT] = missing_left if missing != 0 else 2.0 * h >= total_h
            found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)
