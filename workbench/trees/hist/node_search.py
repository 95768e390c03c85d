"""The best splits of a wave of nodes, column by column, from their histograms."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.bins.binning import MISSING_BIN, OTHER_BIN
from workbench.trees.bins.fine_columns import MISSING
from workbench.trees.bins.shared_bytes import ALONE
from workbench.trees.category_order import (
    add_up_in_order,
    chance_score,
    l2_of_parts,
    levels_parted,
    sort_categories,
)
from workbench.trees.found_split import BIN, SCORE
from workbench.trees.grown_nodes import BEGIN, END
from workbench.trees.hist.few_rows import list_marked, mark_rows, take_sums
from workbench.trees.hist.fine_search import search_fine
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE
from workbench.trees.hist.restrained_search import note_forced, search_restrained
from workbench.trees.hist.shared_search import search_shared_pair, unfold
from workbench.trees.hist.sibling_histograms import add_heads, finish_pair, take_entries
from workbench.trees.hist.splitting import add_up, write_best
from workbench.trees.packed_units import in_packed_units, packed_limits
from workbench.trees.packing import GRADIENT_UNIT, HESSIAN_UNIT, NOISE


@kernel
def search_pair_restrained(
    k, smaller, larger, is_derived, column, item, begin, end, missing_bin, parts, slots, pool, heads,
    head_of_part, matrix, scales, params, restraints, unfolded, order, ratios, found, found_sums,
):
    """Search one column of a pair of siblings, the k-th of their wave, of a restrained tree."""
    n_bins, is_category = np.int64(matrix.n_bins[column]), matrix.is_category[column]
    counts_rows = len(restraints.row_pool) > 0
    line = matrix.lines[column]
    if line == ALONE:
        finish_pair(smaller, larger, is_derived, begin, end, slots, pool, heads, head_of_part, parts)
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
        histogram = pool[slots[node], begin:end]
        rows = restraints.row_pool[slots[node], begin:end] if counts_rows else restraints.row_pool[:0, 0]
        if line != ALONE:
            unfold(histogram, matrix.bins_of_byte[line], unfolded[0])
            histogram = unfolded[0]
            if counts_rows:
                unfold(rows, matrix.bins_of_byte[line], unfolded[1])
                rows = unfolded[1]
        search_restrained(
            histogram, rows, n_bins, missing_bin, is_category, matrix.levels_a_bin[column], params, scales,
            restraints, direction, node, order, ratios, found[2 * k + side, item],
            found_sums[2 * k + side, item : item + 1],
        )
        if not restraints.allowed[2 * k + side, column]:
            found[2 * k + side, item, 0] = -np.inf
        note_forced(
            histogram, n_bins, missing_bin, is_category, column,
            found_sums[2 * k + side, item], params, scales, restraints, direction, node,
            found[2 * k + side, item],
        )


@kernel
def search_pair_of_numbers(
    k, smaller, larger, is_derived, column, item, parts, slots, nodes, rows, pool, heads, head_of_part,
    matrix, shift, reg_lambda, least_hessian, scratch, marks, lefts, cuts, found, found_sums,
):
    """Search one column of numbers of a pair of siblings, the k-th of their wave.

    Its histograms are added up, and stay so: what a cut sends left in the larger child is what it sends left
    in the parent, without what it sends left in the smaller.
    """
    place, n_bins = matrix.places[column], np.int64(matrix.n_bins[column])
    begin = place * HISTOGRAM_STRIDE
    end = begin + HISTOGRAM_STRIDE
    for side in range(2 if larger >= 0 else 1):
        node = larger if side else smaller
        own = found[2 * k + side, item]
        if slots[node] < 0:
            mark_rows(
                matrix.records, matrix.bins, place, rows, nodes[node, BEGIN], nodes[node, END], scratch, marks
            )
            if is_derived:
                take_sums(scratch, n_bins, pool[slots[larger], begin:end])
            missing, other = scratch[MISSING_BIN], scratch[OTHER_BIN]
            n_cuts = list_marked(scratch, marks, lefts, cuts)
            sums = lefts
        else:
            sums = pool[slots[node], begin:end]
            if side and is_derived:
                if slots[smaller] >= 0:
                    take_entries(sums, pool[slots[smaller], begin:end])
            else:
                add_heads(sums, node, begin, end, heads, head_of_part, parts)
                add_up(sums, n_bins)
            missing, other = sums[MISSING_BIN], sums[OTHER_BIN]
            n_cuts = n_bins
        total = missing + other + (sums[n_cuts - 1] if n_cuts > 0 else np.int64(0))
        found_sums[2 * k + side, item] = total
        write_best(sums, n_cuts, missing, missing, total, shift, reg_lambda, least_hessian, own)
        if slots[node] < 0 and own[SCORE] >= 0.0:
            own[BIN] = cuts[np.int64(own[BIN])]


@kernel
def search_pair_of_categories(
    k, smaller, larger, is_derived, column, item, parts, slots, pool, heads, head_of_part, matrix, scales,
    params, shift, reg_lambda, least_hessian, lefts, order, ratios, found, found_sums,
):
    """Search one column of categories of a pair of siblings, the k-th of their wave."""
    begin, n_bins = matrix.places[column] * HISTOGRAM_STRIDE, np.int64(matrix.n_bins[column])
    end = begin + HISTOGRAM_STRIDE
    finish_pair(smaller, larger, is_derived, begin, end, slots, pool, heads, head_of_part, parts)
    is_parted = n_bins > params.max_cat_to_onehot
    for side in range(2 if larger >= 0 else 1):
        histogram = pool[slots[larger if side else smaller], begin:end]
        own = found[2 * k + side, item]
        missing = histogram[MISSING_BIN]
        total = missing + histogram[OTHER_BIN]
        for b in range(n_bins):
            total += histogram[b]
        found_sums[2 * k + side, item] = total
        sums, n_cuts, nobody, pull = histogram, n_bins, np.int64(0), reg_lambda
        if is_parted:
            smooth = in_packed_units(params.cat_smooth, scales)
            n_cuts = sort_categories(histogram, n_bins, shift, smooth, order, ratios)
            add_up_in_order(histogram, order, n_cuts, lefts)
            sums, nobody = lefts, missing
            pull += in_packed_units(l2_of_parts(n_bins, params.cat_l2), scales)
        write_best(sums, n_cuts, missing, nobody, total, shift, pull, least_hessian, own)
        if is_parted:
            noise = scales[NOISE] * scales[HESSIAN_UNIT] / (scales[GRADIENT_UNIT] * scales[GRADIENT_UNIT])
            own[SCORE] -= chance_score(
                levels_parted(n_cuts, matrix.levels_a_bin[column], total, scales), noise
            )


@kernel(takes_none=True)
def search_part(
    part, parts, smaller, larger, slots, is_derived, n_pairs, columns, nodes, rows, pool, heads,
    head_of_part, matrix, fine, scales, params, restraints, unfolded, scratch, marks, lefts, order, ratios,
    found, found_sums,
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
    unfolded : ndarray of int64, shape (2, 264)
        Room for this part.
    scratch, marks, lefts, order, ratios : ndarray, shapes (256,), (4,) and (256,) thrice
        Room for this part, the first two zero; `order` as long as any column has bins.
    found : ndarray of float64, shape (>= 2 n_pairs, k, N_FOUND)
        Filled for smaller and larger child in turn.
    found_sums : ndarray of int64, shape (>= 2 n_pairs, k)
        Filled with the packed sum of each node.
    """
    shift, reg_lambda, least_hessian = packed_limits(params.reg_lambda, params.min_child_weight, scales)
    k = len(columns)
    n_items = n_pairs * k
    for place in range(part_begin(part, parts, n_items), part_begin(part + 1, parts, n_items)):
        pair = place // k
        item = place % k
        column = columns[item]
        bins = np.int64(matrix.n_bins[column])
        begin = matrix.places[column] * HISTOGRAM_STRIDE
        end = begin + HISTOGRAM_STRIDE
        missing_bin = np.int64(MISSING_BIN)
        if fine is not None and fine.is_fine[column]:
            place = matrix.places[column]
            begin, end, missing_bin = fine.begins[place], fine.begins[place + 1], bins + MISSING
        if restraints is not None:
            search_pair_restrained(
                pair, smaller[pair], larger[pair], is_derived[pair], column, item, begin, end, missing_bin,
                parts, slots, pool, heads, head_of_part, matrix, scales, params, restraints, unfolded, order,
                ratios, found, found_sums,
            )
            continue
        if matrix.lines[column] != ALONE:
            search_shared_pair(
                pair, smaller[pair], larger[pair], column, item, slots, nodes, rows, pool, matrix, shift,
                reg_lambda, least_hessian, unfolded[0], unfolded[1], found, found_sums,
            )
            continue
        if fine is not None and fine.is_fine[column]:
            own, others = finish_pair(
                smaller[pair], larger[pair], is_derived[pair], begin, end, slots, pool, heads, head_of_part,
                parts,
            )
            for side in range(2 if larger[pair] >= 0 else 1):
                search_fine(
                    pool[others if side else own, begin:end], bins, shift, reg_lambda, least_hessian,
                    lefts, order, found[2 * pair + side, item],
                    found_sums[2 * pair + side, item : item + 1],
                )
        elif matrix.is_category[column]:
            search_pair_of_categories(
                pair, smaller[pair], larger[pair], is_derived[pair], column, item, parts, slots, pool, heads,
                head_of_part, matrix, scales, params, shift, reg_lambda, least_hessian, lefts, order,
                ratios, found, found_sums,
            )
        else:
            search_pair_of_numbers(
                pair, smaller[pair], larger[pair], is_derived[pair], column, item, parts, slots, nodes, rows,
                pool, heads, head_of_part, matrix, shift, reg_lambda, least_hessian, scratch, marks, lefts,
                order, found, found_sums,
            )
