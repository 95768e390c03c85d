"""The best splits of a wave of nodes, column by column, from their histograms."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.binning import MISSING_BIN
from workbench.trees.category_order import add_up_in_order, chance_score, levels_parted, sort_categories
from workbench.trees.fine_columns import MISSING
from workbench.trees.fine_search import search_fine
from workbench.trees.histogram import HISTOGRAM_STRIDE
from workbench.trees.packing import GRADIENT_UNIT, HESSIAN_UNIT, NOISE
from workbench.trees.parallel import part_begin
from workbench.trees.restrained_search import note_forced, search_restrained
from workbench.trees.splitting import SCORE, add_up, in_packed_units, packed_limits, search_column


@kernel
def add_entries(histogram, other):
    """Add another histogram."""
    for entry in range(len(histogram)):
        histogram[entry] += other[entry]


@kernel
def take_entries(histogram, other):
    """Take away another histogram."""
    for entry in range(len(histogram)):
        histogram[entry] -= other[entry]


@kernel
def finish_pair(smaller, larger, is_derived, begin, end, slots, pool, heads, head_of_part, parts):
    """Finish one column of the histograms of two siblings; return their slots, twice the same for the root.

    Adds what other parts counted, and takes the smaller child's from the parent's, whose slot the larger
    child inherits.
    """
    place = slots[smaller]
    other_place = slots[larger] if larger >= 0 else place
    histogram, other_histogram = pool[place, begin:end], pool[other_place, begin:end]
    for head in range(1, parts):
        if head_of_part[head] == smaller:
            add_entries(histogram, heads[head, begin:end])
        if head_of_part[head] == larger and larger >= 0:
            add_entries(other_histogram, heads[head, begin:end])
    if is_derived:
        take_entries(other_histogram, histogram)
    return place, other_place


@kernel
def search_pair_restrained(
    k, smaller, larger, is_derived, column, item, begin, end, missing_bin, parts, slots, pool, heads,
    head_of_part, n_bins, is_category, levels_a_bin, scales, params, restraints, order, ratios, found,
    found_sums,
):
    """Search one column of a pair of siblings, the k-th of their wave, of a restrained tree."""
    finish_pair(smaller, larger, is_derived, begin, end, slots, pool, heads, head_of_part, parts)
    counts_rows = len(restraints.row_pool) > 0
    if counts_rows:
        finish_pair(
            smaller, larger, is_derived, begin, end, slots, restraints.row_pool, restraints.row_heads,
            head_of_part, parts,
        )
    for side in range(2):
        node = larger if side else smaller
        if node < 0:
            continue
        direction = np.int64(restraints.rules.monotone[column])
        rows = restraints.row_pool[slots[node], begin:end] if counts_rows else restraints.row_pool[:0, 0]
        search_restrained(
            pool[slots[node], begin:end], rows, n_bins, missing_bin, is_category, levels_a_bin, params,
            scales, restraints, direction, node, order, ratios, found[2 * k + side, item],
            found_sums[2 * k + side, item : item + 1],
        )
        if not restraints.allowed[2 * k + side, column]:
            found[2 * k + side, item, 0] = -np.inf
        note_forced(
            pool[slots[node], begin:end], n_bins, missing_bin, is_category, column,
            found_sums[2 * k + side, item], params, scales, restraints, direction, node,
            found[2 * k + side, item],
        )


@kernel(takes_none=True)
def search_part(
    part, parts, smaller, larger, slots, is_derived, n_pairs, columns, pool, heads, head_of_part,
    matrix, fine, scales, params, restraints, lefts, order, ratios, found, found_sums,
):
    """Search the best split of one part of the columns of several pairs of siblings.

    Parameters
    ----------
    smaller, larger : ndarray of int64, shape (>= n_pairs,)
        Nodes; −1 for the sibling of the root.
    slots : ndarray of int64
        Each node's row of the pool, by node.
    is_derived : ndarray of int64, shape (>= n_pairs,)
        1 where the slot of the larger child still holds the parent.
    columns : ndarray of int64, shape (k,)
        Columns drawn for this tree.
    heads, head_of_part : ndarray of int64, shapes (parts, histogram) and (parts,)
        What each part counted of a node that began in an earlier part, and of which node.
    matrix : MatrixArrays
    fine : FineColumns or None
    params : GrowingParams
    restraints : Restraints or None
    lefts, order, ratios : ndarray, shapes (2, 256), (256,) and (256,)
        Room for this part; `order` as long as any column has bins.
    found : ndarray of float64, shape (>= 2 n_pairs, k, N_FOUND)
        Filled for smaller and larger child in turn.
    found_sums : ndarray of int64, shape (>= 2 n_pairs, k)
        Filled with the packed sum of each node.
    """
    shift, reg_lambda, min_child_weight = packed_limits(params.reg_lambda, params.min_child_weight, scales)
    k = len(columns)
    n_items = n_pairs * k
    for place in range(part_begin(part, parts, n_items), part_begin(part + 1, parts, n_items)):
        pair = place // k
        item = place % k
        column = columns[item]
        bins = np.int64(matrix.n_bins[column])
        category = matrix.is_category[column]
        begin = matrix.places[column] * HISTOGRAM_STRIDE
        end = begin + HISTOGRAM_STRIDE
        missing_bin = np.int64(MISSING_BIN)
        if fine is not None and fine.is_fine[column]:
            place = matrix.places[column]
            begin, end, missing_bin = fine.begins[place], fine.begins[place + 1], bins + MISSING
        if restraints is not None:
            search_pair_restrained(
                pair, smaller[pair], larger[pair], is_derived[pair], column, item, begin, end, missing_bin,
                parts, slots, pool, heads, head_of_part, bins, category, matrix.levels_a_bin[column], scales,
                params, restraints, order, ratios, found, found_sums,
            )
            continue
        own, others = finish_pair(
            smaller[pair], larger[pair], is_derived[pair], begin, end, slots, pool, heads, head_of_part, parts
        )
        histogram, other_histogram = pool[own, begin:end], pool[others, begin:end]
        if fine is not None and fine.is_fine[column]:
            for side in range(2 if larger[pair] >= 0 else 1):
                search_fine(
                    other_histogram if side else histogram, bins, shift, reg_lambda, min_child_weight,
                    lefts[0], order, found[2 * pair + side, item],
                    found_sums[2 * pair + side, item : item + 1],
                )
            continue
        n_cuts, other_cuts, pull = bins, bins, reg_lambda
        is_parted = category and bins > params.max_cat_to_onehot
        if is_parted:
            smooth = in_packed_units(params.cat_smooth, scales)
            n_cuts = sort_categories(histogram, bins, shift, smooth, order, ratios)
            add_up_in_order(histogram, order, n_cuts, lefts[0])
            other_cuts = sort_categories(other_histogram, bins, shift, smooth, order, ratios)
            add_up_in_order(other_histogram, order, other_cuts, lefts[1])
            pull = reg_lambda + in_packed_units(params.cat_l2, scales)
        elif not category:
            add_up(histogram, other_histogram, bins, lefts[0], lefts[1])
        is_single = category and not is_parted
        search_column(
            histogram, histogram if is_single else lefts[0], n_cuts, is_single, shift, pull,
            min_child_weight, found[2 * pair, item], found_sums[2 * pair, item : item + 1],
        )
        if larger[pair] >= 0:
            search_column(
                other_histogram, other_histogram if is_single else lefts[1], other_cuts, is_single, shift,
                pull, min_child_weight, found[2 * pair + 1, item],
                found_sums[2 * pair + 1, item : item + 1],
            )
        if is_parted:
            noise = scales[NOISE] * scales[HESSIAN_UNIT] / (scales[GRADIENT_UNIT] * scales[GRADIENT_UNIT])
            for side in range(2 if larger[pair] >= 0 else 1):
                n = other_cuts if side else n_cuts
                own_sum = found_sums[2 * pair + side, item]
                n_levels = levels_parted(n, matrix.levels_a_bin[column], own_sum, scales)
                found[2 * pair + side, item, SCORE] -= chance_score(n_levels, noise)
