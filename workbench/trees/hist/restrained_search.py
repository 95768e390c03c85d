"""The best split of a node of a restrained tree, from its histogram: the obvious way, one cut after another.

Finds what `splitting` finds, with the same order of equals, where leaf weights follow from more than G, H and
λ, and where leaves need rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.category_order import chance_score, l2_of_parts, levels_parted, sort_categories
from workbench.trees.forced_splits import FORCED, NOT_FORCED, parts_rows, sum_members, sum_up_to
from workbench.trees.found_split import BIN, MIDDLE, MISSING_LEFT, SCORE
from workbench.trees.grown_nodes import BELOW_ALL
from workbench.trees.monotone_constraints import middle_weight
from workbench.trees.packed_units import in_packed_units, least_hessian, unpack_gradient, unpack_hessian
from workbench.trees.packing import NOISE, SHIFT
from workbench.trees.restrained_weight import NOT_FOUND, gained_by_pull, restrained_gain
from workbench.trees.restraints import forced_at, is_sought

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NodeColumn(NamedTuple):
    """A column of a node as its histogram tells it.

    Attributes
    ----------
    node : int
    direction : int
        Of the column: 1 or −1 where it is monotone, 0 otherwise.
    sums : ndarray of int64
        Packed sums by bin; the bin before that of missing values holds what no cut can part.
    rows : ndarray of int64
        Rows by bin; empty where they are not counted.
    n_bins, missing_bin : int
    total, n_rows : int
        Packed sum and rows of the node; −1 rows where they are not counted.
    """

    node: np.int64
    direction: np.int64
    sums: NDArray[np.int64]
    rows: NDArray[np.int64]
    n_bins: np.int64
    missing_bin: np.int64
    total: np.int64
    n_rows: np.int64


@kernel
def has_rows(count, total, least):
    """Whether both sides of a split have enough rows; always where rows are not counted."""
    return total < 0 or (count >= least and total - count >= least)


@kernel
def sum_of_bins(histogram, n_bins, missing_bin):
    """Return the sum of a column's histogram; −1 where there is none."""
    if len(histogram) == 0:
        return np.int64(-1)
    total = histogram[missing_bin] + histogram[missing_bin - 1]
    for b in range(n_bins):
        total += histogram[b]
    return total


@kernel
def has_missing(own):
    """Whether a node has missing values; such rows of weight 0 are seen where rows are counted."""
    return own.sums[own.missing_bin] != 0 if own.n_rows < 0 else own.rows[own.missing_bin] > 0


@kernel
def is_cut_allowed(here, n_here, own, params, scales, restraints):
    """Whether both sides have enough rows and hessian where so much goes left."""
    if not has_rows(n_here, own.n_rows, restraints.rules.min_leaf_rows):
        return False
    h = unpack_hessian(here, scales)
    other_h = unpack_hessian(own.total, scales) - h
    least = least_hessian(params.min_child_weight, scales)
    return h >= least and other_h >= least and h > 0.0 and other_h > 0.0


@kernel
def scan_bins(
    own, order, n_cuts, is_single, missing_left, reg_lambda, params, scales, restraints, is_forced, found
):
    """Try every cut between bins in order, or every bin against the rest, with missing values on one side.

    Where one is better than what stands in `found`, it is written there. Forced is whatever parts rows.
    """
    histogram, rows, node = own.sums, own.rows, own.node
    is_counted = own.n_rows >= 0
    more = histogram[own.missing_bin] if missing_left else np.int64(0)
    more_rows = rows[own.missing_bin] if missing_left and is_counted else np.int64(0)
    total_g, total_h = unpack_gradient(own.total, scales), unpack_hessian(own.total, scales)
    left, left_rows = np.int64(0), np.int64(0)
    for cut in range(n_cuts):
        b = order[cut]
        if not is_single and histogram[b] == 0 and (not is_counted or rows[b] == 0):
            continue  # parts the rows as the cut before
        left = histogram[b] if is_single else left + histogram[b]
        if is_counted:
            left_rows = rows[b] if is_single else left_rows + rows[b]
        here = left + more
        if is_forced:
            if not parts_rows(here, own.total):
                continue
        elif not is_cut_allowed(here, left_rows + more_rows, own, params, scales, restraints) or (
            unpack_hessian(left, scales) <= 0.0 and not is_single
        ):
            continue
        g, h = unpack_gradient(here, scales), unpack_hessian(here, scales)
        other_g, other_h = total_g - g, total_h - h
        gain = restrained_gain(
            g, h, other_g, other_h, reg_lambda, restraints, own.direction, node, is_forced
        )
        gain -= params.gamma
        if gain > found[SCORE]:
            found[SCORE] = gain
            found[BIN] = cut
            found[MISSING_LEFT] = missing_left
            found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)
            if not has_missing(own):
                found[MISSING_LEFT] = 2.0 * h >= total_h


@kernel
def try_missing_alone(own, params, scales, restraints, is_forced, found):
    """Try the missing values on the left and all others on the right, which a monotone column may need."""
    left = own.sums[own.missing_bin]
    n_left = own.rows[own.missing_bin] if own.n_rows >= 0 else np.int64(0)
    g, h = unpack_gradient(left, scales), unpack_hessian(left, scales)
    other_g, other_h = unpack_gradient(own.total, scales) - g, unpack_hessian(own.total, scales) - h
    least = least_hessian(params.min_child_weight, scales)
    if not is_forced:
        if not has_rows(n_left, own.n_rows, restraints.rules.min_leaf_rows) or h < least or other_h < least:
            return
        if h + params.reg_lambda <= 0.0 or other_h + params.reg_lambda <= 0.0:
            return
    gain = restrained_gain(
        g, h, other_g, other_h, params.reg_lambda, restraints, own.direction, own.node, is_forced
    )
    gain -= params.gamma
    if gain > found[SCORE]:
        found[SCORE] = gain
        found[BIN] = BELOW_ALL
        found[MISSING_LEFT] = 1.0
        found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, own.node)


@kernel
def search_restrained(
    own, is_category, levels_a_bin, params, scales, restraints, is_forced, scratch, found
):
    """Write the best split of one node and column to `found`: gain (−inf: none), bin, missing left.

    Parameters
    ----------
    own : NodeColumn
    is_forced : bool
        Whether any cut may be made that parts rows.
    scratch : SearchScratch
        Of this thread.
    """
    n_bins, order = own.n_bins, scratch.order
    n_cuts, reg_lambda, more_lambda = np.int64(n_bins), params.reg_lambda, 0.0
    is_parted = is_category and n_bins > params.max_cat_to_onehot
    if is_parted:
        shift, smooth = np.int64(scales[SHIFT]), in_packed_units(params.cat_smooth, scales)
        n_cuts = sort_categories(own.sums, n_bins, shift, smooth, order, scratch.ratios)
        more_lambda = l2_of_parts(n_bins, params.cat_l2)
        reg_lambda += more_lambda
    else:
        for b in range(n_bins):
            order[b] = b
    found[SCORE] = NOT_FOUND
    for missing_left in range(2 if has_missing(own) else 1):
        scan_bins(
            own, order, n_cuts, is_category and not is_parted, missing_left == 1, reg_lambda, params, scales,
            restraints, is_forced, found,
        )
    missing = own.sums[own.missing_bin]
    if own.direction != 0 and missing != 0 and own.total != missing:
        try_missing_alone(own, params, scales, restraints, is_forced, found)
    if is_parted:
        n_levels = levels_parted(n_cuts, levels_a_bin, own.total, scales)
        found[SCORE] -= 0.5 * chance_score(n_levels, scales[NOISE]) + gained_by_pull(
            unpack_gradient(own.total, scales), unpack_hessian(own.total, scales), params.reg_lambda,
            more_lambda, restraints, own.node,
        )


@kernel
def note_forced(own, split, is_category, params, scales, restraints, found):
    """Write the question that is forced on a node to `found`, if it parts rows."""
    node, places = own.node, restraints.places
    if is_category:
        left = sum_members(own.sums, own.n_bins, places.yes[split])
    else:
        left = sum_up_to(own.sums, places.last[split])
    missing = own.sums[own.missing_bin]
    total_g, total_h = unpack_gradient(own.total, scales), unpack_hessian(own.total, scales)
    best = NOT_FOUND
    for missing_left in range(2 if missing != 0 else 1):
        here = left + missing * missing_left
        if not parts_rows(here, own.total):
            continue
        g, h = unpack_gradient(here, scales), unpack_hessian(here, scales)
        other_g, other_h = total_g - g, total_h - h
        gain = restrained_gain(
            g, h, other_g, other_h, params.reg_lambda, restraints, own.direction, node, True
        )
        if gain > best:
            best = gain
            found[SCORE] = FORCED
            found[BIN] = places.last[split]
            found[MISSING_LEFT] = missing_left if missing != 0 else 2.0 * h >= total_h
            found[MIDDLE] = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)


@kernel
def search_column(
    own, column, is_category, levels_a_bin, is_allowed, params, scales, restraints, scratch, found
):
    """Write a node's split in one column to `found`: the best, where it may be asked about, or the forced.

    Of a column that is forced alone it is the best cut that may be made; where none may, the best of all.
    """
    split = forced_at(restraints, own.node, column)
    seeks = is_sought(restraints, split)
    found[SCORE] = NOT_FOUND
    for is_forced in range(2 if seeks else 1):
        if found[SCORE] == NOT_FOUND:
            search_restrained(
                own, is_category, levels_a_bin, params, scales, restraints, is_forced == 1, scratch, found
            )
    if seeks:
        found[SCORE] = FORCED if found[SCORE] > NOT_FOUND else NOT_FOUND
        return
    if not is_allowed:
        found[SCORE] = NOT_FOUND
    if split != NOT_FORCED:
        note_forced(own, split, is_category, params, scales, restraints, found)
