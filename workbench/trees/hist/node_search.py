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
from workbench.trees.hist.restrained_search import NodeColumn, search_column, sum_of_bins
from workbench.trees.hist.search_scratch import SearchScratch
from workbench.trees.hist.shared_search import search_shared_pair, unfold
from workbench.trees.hist.sibling_histograms import Siblings, add_heads, finish_pair, take_entries
from workbench.trees.hist.splitting import add_up, write_best
from workbench.trees.node_lists import IS_DERIVED, LARGER, N_WAVE, SMALLER
from workbench.trees.packed_units import PackedLimits, in_packed_units, packed_limits
from workbench.trees.packing import GRADIENT_UNIT, HESSIAN_UNIT, NOISE


@kernel(takes_none=True)
def entries_of(column, matrix, fine):
    """Return where a column's entries begin and end in a histogram, and its bin of missing values."""
    place = matrix.places[column]
    if fine is not None and fine.is_fine[column]:
        return fine.begins[place], fine.begins[place + 1], np.int64(matrix.n_bins[column]) + MISSING
    begin = place * HISTOGRAM_STRIDE
    return begin, begin + HISTOGRAM_STRIDE, np.int64(MISSING_BIN)


@kernel(takes_none=True, apart=True)
def search_pair_restrained(
    siblings, column, item, parts, matrix, fine, memory, params, restraints, scratch
):
    """Search one column of a pair of siblings of a restrained tree."""
    begin, end, missing_bin = entries_of(column, matrix, fine)
    n_bins, is_category = np.int64(matrix.n_bins[column]), matrix.is_category[column]
    histograms, row_histograms = memory.histograms, restraints.row_histograms
    counts_rows = len(row_histograms.pool) > 0
    line, direction = matrix.lines[column], np.int64(restraints.rules.monotone[column])
    if line == ALONE:
        finish_pair(siblings, begin, end, parts, histograms)
        if counts_rows:
            finish_pair(siblings, begin, end, parts, row_histograms)
    for side in range(2):
        node, k = siblings.larger if side else siblings.smaller, 2 * siblings.pair + side
        if node < 0:
            continue
        slot = histograms.slots[node]
        histogram = histograms.pool[slot, begin:end]
        rows = row_histograms.pool[slot, begin:end] if counts_rows else row_histograms.pool[:0, 0]
        if line != ALONE:
            unfold(histogram, matrix.bins_of_byte[line], scratch.unfolded[0])
            histogram = scratch.unfolded[0]
            if counts_rows:
                unfold(rows, matrix.bins_of_byte[line], scratch.unfolded[1])
                rows = scratch.unfolded[1]
        total, n_rows = sum_of_bins(histogram, n_bins, missing_bin), sum_of_bins(rows, n_bins, missing_bin)
        own = NodeColumn(node, direction, histogram, rows, n_bins, missing_bin, total, n_rows)
        memory.found.sums[k, item] = total
        search_column(
            own, column, is_category, matrix.levels_a_bin[column], restraints.allowed[k, column], params,
            memory.scales, restraints, scratch, memory.found.splits[k, item],
        )


@kernel
def search_pair_of_numbers(siblings, column, item, parts, rows, matrix, memory, limits, scratch):
    """Search one column of numbers of a pair of siblings.

    Its histograms are added up, and stay so: what a cut sends left in the larger child is what it sends left
    in the parent, without what it sends left in the smaller.
    """
    nodes, pool, slots = memory.nodes, memory.histograms.pool, memory.histograms.slots
    smaller, larger = siblings.smaller, siblings.larger
    place, n_bins = matrix.places[column], np.int64(matrix.n_bins[column])
    begin = place * HISTOGRAM_STRIDE
    end = begin + HISTOGRAM_STRIDE
    for side in range(2 if larger >= 0 else 1):
        node, k = larger if side else smaller, 2 * siblings.pair + side
        own = memory.found.splits[k, item]
        if slots[node] < 0:
            mark_rows(
                matrix.records, matrix.bins, place, rows, nodes[node, BEGIN], nodes[node, END], scratch.sums,
                scratch.marks,
            )
            if siblings.is_derived:
                take_sums(scratch.sums, n_bins, pool[slots[larger], begin:end])
            missing, other = scratch.sums[MISSING_BIN], scratch.sums[OTHER_BIN]
            n_cuts = list_marked(scratch.sums, scratch.marks, scratch.lefts, scratch.order)
            sums = scratch.lefts
        else:
            sums = pool[slots[node], begin:end]
            if side and siblings.is_derived:
                if slots[smaller] >= 0:
                    take_entries(sums, pool[slots[smaller], begin:end])
            else:
                add_heads(sums, node, begin, end, parts, memory.histograms)
                add_up(sums, n_bins)
            missing, other = sums[MISSING_BIN], sums[OTHER_BIN]
            n_cuts = n_bins
        total = missing + other + (sums[n_cuts - 1] if n_cuts > 0 else np.int64(0))
        memory.found.sums[k, item] = total
        write_best(sums, n_cuts, missing, missing, total, limits, own)
        if slots[node] < 0 and own[SCORE] >= 0.0:
            own[BIN] = scratch.order[np.int64(own[BIN])]


@kernel(apart=True)
def search_pair_of_categories(siblings, column, item, parts, matrix, memory, params, limits, scratch):
    """Search one column of categories of a pair of siblings."""
    scales, order = memory.scales, scratch.order
    begin, n_bins = matrix.places[column] * HISTOGRAM_STRIDE, np.int64(matrix.n_bins[column])
    end = begin + HISTOGRAM_STRIDE
    slot, other_slot = finish_pair(siblings, begin, end, parts, memory.histograms)
    is_parted = n_bins > params.max_cat_to_onehot
    for side in range(2 if siblings.larger >= 0 else 1):
        histogram = memory.histograms.pool[other_slot if side else slot, begin:end]
        k = 2 * siblings.pair + side
        own = memory.found.splits[k, item]
        missing = histogram[MISSING_BIN]
        total = missing + histogram[OTHER_BIN]
        for b in range(n_bins):
            total += histogram[b]
        memory.found.sums[k, item] = total
        sums, n_cuts, nobody, pull = histogram, n_bins, np.int64(0), limits.reg_lambda
        if is_parted:
            smooth = in_packed_units(params.cat_smooth, scales)
            n_cuts = sort_categories(histogram, n_bins, limits.shift, smooth, order, scratch.ratios)
            add_up_in_order(histogram, order, n_cuts, scratch.lefts)
            sums, nobody = scratch.lefts, missing
            pull += in_packed_units(l2_of_parts(n_bins, params.cat_l2), scales)
        pulled = PackedLimits(limits.shift, pull, limits.least_hessian)
        write_best(sums, n_cuts, missing, nobody, total, pulled, own)
        if is_parted:
            noise = scales[NOISE] * scales[HESSIAN_UNIT] / (scales[GRADIENT_UNIT] * scales[GRADIENT_UNIT])
            own[SCORE] -= chance_score(
                levels_parted(n_cuts, matrix.levels_a_bin[column], total, scales), noise
            )


@kernel(takes_none=True, apart=True)
def search_fine_pair(siblings, column, item, parts, matrix, fine, memory, limits, scratch):
    """Search one fine column of a pair of siblings."""
    begin, end, _ = entries_of(column, matrix, fine)
    slot, other_slot = finish_pair(siblings, begin, end, parts, memory.histograms)
    for side in range(2 if siblings.larger >= 0 else 1):
        k = 2 * siblings.pair + side
        memory.found.sums[k, item] = search_fine(
            memory.histograms.pool[other_slot if side else slot, begin:end], np.int64(matrix.n_bins[column]),
            limits, scratch.lefts, scratch.order, memory.found.splits[k, item],
        )


@kernel(takes_none=True, apart=True)
def search_part(part, parts, matrix, fine, memory, rows, columns, params, restraints):
    """Search the best split of one part of the columns of the wave's pairs of siblings.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    memory : GrowingMemory
        Filled: `found`. The histograms are finished on the way.
    rows : ndarray of uint32, shape (m,)
    columns : ndarray of int64, shape (k,)
        Columns drawn for this tree.
    params : GrowingParams
    restraints : Restraints or None
    """
    limits = packed_limits(params.reg_lambda, params.min_child_weight, memory.scales)
    lists, every = memory.lists, memory.scratch
    scratch = SearchScratch(
        every.lefts[part], every.order[part], every.ratios[part], every.sums[part], every.marks[part],
        every.unfolded[part],
    )
    k = len(columns)
    n_items = memory.progress[N_WAVE] * k
    for place in range(part_begin(part, parts, n_items), part_begin(part + 1, parts, n_items)):
        pair, item = place // k, place % k
        column = columns[item]
        siblings = Siblings(pair, lists[SMALLER, pair], lists[LARGER, pair], lists[IS_DERIVED, pair])
        if restraints is not None:
            search_pair_restrained(
                siblings, column, item, parts, matrix, fine, memory, params, restraints, scratch
            )
            continue
        if matrix.lines[column] != ALONE:
            search_shared_pair(siblings, column, item, rows, matrix, memory, limits, scratch)
            continue
        if fine is not None and fine.is_fine[column]:
            search_fine_pair(siblings, column, item, parts, matrix, fine, memory, limits, scratch)
        elif matrix.is_category[column]:
            search_pair_of_categories(
                siblings, column, item, parts, matrix, memory, params, limits, scratch
            )
        else:
            search_pair_of_numbers(siblings, column, item, parts, rows, matrix, memory, limits, scratch)
