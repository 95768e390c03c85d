"""The best split of one node and column of a restrained tree, by one scan of its sorted entries.

Finds what `scan` finds, with the same order of equals, one cut after another.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.exact.columns import first_missing, rank_of
from workbench.trees.forced_splits import is_member, parts_rows
from workbench.trees.monotone_constraints import middle_weight
from workbench.trees.packed_units import least_hessian, unpack_gradient, unpack_hessian
from workbench.trees.restrained_weight import NOT_FOUND, restrained_gain


@kernel
def gain_of_cut(left, n_left, stretch, reg_lambda, params, scales, restraints, direction, is_forced):
    """Return the gain of sending a packed sum and so many rows left, without γ; `NOT_FOUND` if refused.

    Forced is whatever parts rows.
    """
    least, n_rows = restraints.rules.min_leaf_rows, stretch.end - stretch.begin
    total = stretch.total
    if is_forced:
        if not parts_rows(left, total):
            return NOT_FOUND
    elif n_left < least or n_rows - n_left < least:
        return NOT_FOUND
    g, h = unpack_gradient(left, scales), unpack_hessian(left, scales)
    other_g, other_h = unpack_gradient(total, scales) - g, unpack_hessian(total, scales) - h
    lightest = least_hessian(params.min_child_weight, scales)
    is_light = h < lightest or other_h < lightest
    if not is_forced and (is_light or h + reg_lambda <= 0.0 or other_h + reg_lambda <= 0.0):
        return NOT_FOUND
    return restrained_gain(
        g, h, other_g, other_h, reg_lambda, restraints, direction, stretch.node, is_forced
    )


@kernel
def scan_restrained(stretch, n_values, is_category, params, scales, restraints, direction, is_forced):
    """Return gain without γ (`NOT_FOUND`: none), the yes rows, missing left and the middle weight.

    Parameters
    ----------
    stretch, n_values
        See `exact_scan.scan_node`.
    direction : int
        Of the column, if it is monotone.
    is_forced : bool
        Whether any cut may be made that parts rows.
    """
    entries, lefts, total, missing = stretch.entries, stretch.lefts, stretch.total, stretch.missing
    begin, present_end, before = stretch.begin, stretch.present_end, stretch.before
    n_rows, n_missing = stretch.end - begin, stretch.end - present_end
    best, best_left, reg_lambda = NOT_FOUND, np.int64(0), params.reg_lambda
    cut_begin, cut_end, missing_left = begin, begin, False
    n_present = np.int64(0)
    for side in range(2 if n_missing > 0 else 1):
        more, more_rows = (missing, n_missing) if side else (np.int64(0), np.int64(0))
        first, earlier = begin, before
        for i in range(begin, present_end):
            is_last = i + 1 == present_end
            if not is_last and rank_of(entries[i]) == rank_of(entries[i + 1]):
                continue
            left = lefts[i] - (earlier if is_category else before) + more
            start = first if is_category else begin
            n_left = i + 1 - start + more_rows
            first, earlier = i + 1, lefts[i]
            n_present += side
            if n_left == n_rows:
                continue
            gain = gain_of_cut(
                left, n_left, stretch, reg_lambda, params, scales, restraints, direction, is_forced
            )
            if gain > best:
                best, best_left = gain, left
                cut_begin, cut_end, missing_left = start, i + 1, side == 1
    # Missing values alone, as no category that is absent, or as a monotone column may need.
    may_part = n_present < n_values if is_category else direction != 0
    if may_part and 0 < n_missing < n_rows:
        gain = gain_of_cut(
            missing, n_missing, stretch, reg_lambda, params, scales, restraints, direction, is_forced
        )
        if gain > best:
            best, best_left = gain, missing
            cut_begin, cut_end, missing_left = begin, begin, True
    if best > NOT_FOUND and n_missing == 0:
        missing_left = 2.0 * unpack_hessian(best_left, scales) >= unpack_hessian(total, scales)
    g, h = unpack_gradient(best_left, scales), unpack_hessian(best_left, scales)
    middle = middle_weight(
        g, h, unpack_gradient(total, scales) - g, unpack_hessian(total, scales) - h, params.reg_lambda,
        restraints, stretch.node,
    )
    return best, cut_begin, cut_end, missing_left, middle


@kernel
def sum_yes(stretch, is_category, places, split):
    """Return the packed sum of the rows that answer a forced split "yes", and where those of numbers end."""
    entries, lefts, before = stretch.entries, stretch.lefts, stretch.before
    begin, present_end = stretch.begin, stretch.present_end
    left = np.int64(0)
    if not is_category:
        end = first_missing(entries, begin, present_end, places.last[split] + 1)
        return (lefts[end - 1] - before if end > begin else left), end
    for i in range(begin, present_end):
        if i + 1 < present_end and rank_of(entries[i]) == rank_of(entries[i + 1]):
            continue
        if is_member(places.yes[split], rank_of(entries[i])):
            left += lefts[i] - before
        before = lefts[i]
    return left, begin


@kernel
def scan_forced(stretch, is_category, params, scales, restraints, direction, split):
    """Return whether a forced split parts the rows, where yes rows of numbers end, missing left, middle."""
    total, node, has_missing = stretch.total, stretch.node, stretch.present_end < stretch.end
    left, cut_end = sum_yes(stretch, is_category, restraints.places, split)
    best, missing_left, middle = NOT_FOUND, False, 0.0
    total_g, total_h = unpack_gradient(total, scales), unpack_hessian(total, scales)
    for side in range(2 if has_missing else 1):
        here = left + side * stretch.missing
        if not parts_rows(here, total):
            continue
        g, h = unpack_gradient(here, scales), unpack_hessian(here, scales)
        other_g, other_h = total_g - g, total_h - h
        gain = restrained_gain(g, h, other_g, other_h, params.reg_lambda, restraints, direction, node, True)
        if gain > best:
            best = gain
            missing_left = side == 1 if has_missing else 2.0 * h >= total_h
            middle = middle_weight(g, h, other_g, other_h, params.reg_lambda, restraints, node)
    return best > NOT_FOUND, cut_end, missing_left, middle
