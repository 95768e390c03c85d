"""The best partition of a node's categories in two by exact search: a cut between neighbours by gradient.

What `category_order` tells of a histogram, from the sorted entries of a node: no categories share a place,
however many there are. Rare ones answer "no", as those of bin 254 do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import INTEGER, kernel
from workbench.trees.category_order import chance_score, l2_of_parts, sort_categories
from workbench.trees.exact.columns import rank_of
from workbench.trees.exact.nodes import PRESENT_END, SET_BEGIN, SET_END
from workbench.trees.exact.restrained import gain_of_cut
from workbench.trees.exact.rows_parted import add_rows_up
from workbench.trees.exact.scan import NO_KEY, has_more, key_of, score_of_key
from workbench.trees.exact.sets import gather_yes
from workbench.trees.grown_nodes import BEGIN
from workbench.trees.monotone_constraints import middle_weight
from workbench.trees.packed_units import PackedLimits, in_packed_units, unpack_gradient, unpack_hessian
from workbench.trees.packing import GRADIENT_UNIT, HESSIAN_UNIT, NOISE, SHIFT
from workbench.trees.restrained_weight import NOT_FOUND, gained_by_pull

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARTED = -1  # in place of where the yes rows begin: the end is how many of the ordered categories go left


class CategoryScratch(NamedTuple):
    """The categories of a node while they are ordered, by part; each shape (parts, most values).

    Attributes
    ----------
    sums, ranks, counts : ndarray of int64
        Packed sum, rank and rows of each.
    order : ndarray of int64
    ratios : ndarray of float64
    """

    sums: NDArray[np.int64]
    ranks: NDArray[np.int64]
    counts: NDArray[np.int64]
    order: NDArray[np.int64]
    ratios: NDArray[np.float64]


def category_scratch(parts: int, n_values: int) -> CategoryScratch:
    """Return room for so many categories."""
    sums, ranks, counts, order = (np.empty((parts, n_values), np.int64) for _ in range(4))
    return CategoryScratch(sums, ranks, counts, order, np.empty((parts, n_values)))


@kernel(apart=True, returns=INTEGER)
def list_categories(entries, lefts, begin, present_end, before, is_rare, part, scratch):
    """List the categories of a node that may answer "yes"; return how many there are."""
    n, first = np.int64(0), begin
    for i in range(begin, present_end):
        rank = rank_of(entries[i])
        if i + 1 < present_end and rank == rank_of(entries[i + 1]):
            continue
        if not is_rare[rank]:
            scratch.sums[part, n] = lefts[i] - before
            scratch.ranks[part, n] = rank
            scratch.counts[part, n] = i + 1 - first
            n += 1
        before, first = lefts[i], i + 1
    return n


@kernel
def order_listed(n, params, scales, part, scratch):
    """Order the listed categories by gradient; return how many of them have any."""
    smooth = in_packed_units(params.cat_smooth, scales)
    return sort_categories(
        scratch.sums[part], n, np.int64(scales[SHIFT]), smooth, scratch.order[part], scratch.ratios[part]
    )


@kernel
def scan_partition(stretch, is_rare, n_own, limits, params, scales, part, scratch):
    """Return the score of the best partition (below 0: none), how many categories go left, and missing left.

    Parameters
    ----------
    stretch : SortedStretch
    n_own : int
        Categories of the column that are not rare.
    limits : PackedLimits
    """
    missing, total, shift = stretch.missing, stretch.total, limits.shift
    pull = limits.reg_lambda + in_packed_units(l2_of_parts(n_own, params.cat_l2), scales)
    pulled = PackedLimits(shift, pull, limits.least_hessian)
    totals = (np.float64(total >> shift), np.float64(total & ((np.int64(1) << shift) - 1)))
    n = list_categories(
        stretch.entries, stretch.lefts, stretch.begin, stretch.present_end, stretch.before, is_rare, part,
        scratch,
    )
    n = order_listed(n, params, scales, part, scratch)
    best, best_n, missing_left = np.int64(NO_KEY), 0, False
    for side in range(2 if missing != 0 else 1):
        left = np.int64(0)
        for k in range(n):
            left += scratch.sums[part, scratch.order[part, k]]
            here = left + side * missing
            if left == 0 or here == total:
                continue
            key = key_of(here, totals, pulled)
            if key > best:
                best, best_n, missing_left = key, k + 1, side == 1
                if missing == 0:
                    missing_left = has_more(left, total, shift)
    noise = scales[NOISE] * scales[HESSIAN_UNIT] / (scales[GRADIENT_UNIT] * scales[GRADIENT_UNIT])
    return score_of_key(best) - chance_score(n, noise), best_n, missing_left


@kernel
def scan_partition_restrained(stretch, is_rare, n_own, params, scales, restraints, is_forced, part, scratch):
    """Return gain without γ (`NOT_FOUND`: none), how many categories go left, missing left, middle weight."""
    missing, total, node = stretch.missing, stretch.total, stretch.node
    more_lambda = l2_of_parts(n_own, params.cat_l2)
    pull = params.reg_lambda + more_lambda
    n = list_categories(
        stretch.entries, stretch.lefts, stretch.begin, stretch.present_end, stretch.before, is_rare, part,
        scratch,
    )
    n = order_listed(n, params, scales, part, scratch)
    best, best_left, best_n, missing_left = NOT_FOUND, np.int64(0), 0, False
    direction = np.int64(0)
    for side in range(2 if missing != 0 else 1):
        left, n_left = side * missing, side * (stretch.end - stretch.present_end)
        for k in range(n):
            category = scratch.order[part, k]
            left += scratch.sums[part, category]
            n_left += scratch.counts[part, category]
            if left == total:
                continue
            gain = gain_of_cut(
                left, n_left, stretch, pull, params, scales, restraints, direction, is_forced
            )
            if gain > best:
                best, best_left, best_n, missing_left = gain, left, k + 1, side == 1
    total_g, total_h = unpack_gradient(total, scales), unpack_hessian(total, scales)
    g, h = unpack_gradient(best_left, scales), unpack_hessian(best_left, scales)
    if missing == 0:
        missing_left = 2.0 * h >= total_h
    middle = middle_weight(g, h, total_g - g, total_h - h, params.reg_lambda, restraints, node)
    best -= gained_by_pull(total_g, total_h, params.reg_lambda, more_lambda, restraints, node)
    return best - 0.5 * chance_score(n, scales[NOISE]), best_n, missing_left, middle


@kernel(apart=True, returns=INTEGER)
def write_partition(node, n_yes, entries, values, is_rare, memory, params, n_codes):
    """Write to a node the set of the first categories in order, and put its rows in their order.

    Done by the first part alone, which orders the node's categories once more. Returns how many codes there
    are in the list then.
    """
    nodes, is_yes, scratch = memory.nodes, memory.is_yes, memory.categories
    part, lefts = np.int64(0), memory.lefts[0]
    begin, end = nodes[node, BEGIN], nodes[node, PRESENT_END]
    add_rows_up(entries, begin, end, memory.packed, lefts)
    n = list_categories(entries, lefts, begin, end, np.int64(0), is_rare, part, scratch)
    order_listed(n, params, memory.scales, part, scratch)
    for rank in range(len(values)):
        is_yes[rank] = 0
    for k in range(n_yes):
        is_yes[scratch.ranks[part, scratch.order[part, k]]] = 1
    gather_yes(nodes, node, entries, is_yes, memory.right_entries[0])
    nodes[node, SET_BEGIN] = n_codes
    for rank in range(len(values)):
        if is_yes[rank]:
            memory.codes[n_codes] = np.int32(values[rank])
            n_codes += 1
    nodes[node, SET_END] = n_codes
    return n_codes
