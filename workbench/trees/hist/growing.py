"""The kernel that grows a tree: waves of nodes, each parted, counted and searched together.

Nodes whose best split is known wait in a list. A wave is taken from it, and becomes the next nodes that wait:

    waiting --choose--> wave --part rows--> pairs of children --count, search--> waiting

What a node becomes depends on its rows alone, not on the wave it came in. Nodes of few rows have no
histogram: see `few_rows`.

Every thread runs `grow_nodes` for its part of the rows and columns; between phases they meet, and what is
decided about nodes, the first decides alone.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.team import barrier
from workbench.trees.category_order import sort_categories
from workbench.trees.forced_splits import FORCED, NOT_FORCED
from workbench.trees.found_split import BIN as FOUND_BIN
from workbench.trees.found_split import MIDDLE as FOUND_MIDDLE
from workbench.trees.found_split import MISSING_LEFT as FOUND_MISSING_LEFT
from workbench.trees.found_split import SCORE as FOUND_SCORE
from workbench.trees.found_split import best_column
from workbench.trees.grown_nodes import BIN, COLUMN, MISSING_LEFT, ask_below, ask_bits, ask_members
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE, count_part
from workbench.trees.hist.node_search import search_part
from workbench.trees.hist.partition import stage_part, unstage_part
from workbench.trees.hist.shared_search import finish_bytes_part
from workbench.trees.hist.waves import choose_wave, pair_children, restrain_children
from workbench.trees.node_lists import (
    COUNTED,
    COUNTED_BEGIN,
    COUNTED_OFFSET,
    IS_STOPPED,
    LARGER,
    N_COUNTED,
    N_WAVE,
    SMALLER,
    WAVE,
    WAVE_BEGIN,
    WAVE_OFFSET,
    ListedNodes,
    add_waiting,
    begin_with_root,
    free_slot,
)
from workbench.trees.packed_units import gain_of, in_packed_units
from workbench.trees.packing import SHIFT
from workbench.trees.restraints import allow_columns, begin_root, is_sought
from workbench.trees.structure_score import is_worth_splitting


@kernel(takes_none=True)
def is_split_found(node, k, matrix, memory, columns, params, restraints):
    """Write the best split found for the k-th node searched, if it is worth it; return whether it is."""
    nodes, found = memory.nodes, memory.found.splits[k]
    item = best_column(found[: len(columns)])
    score = found[item, FOUND_SCORE]
    if restraints is None:
        if score < 0.0:
            return False
        gain = gain_of(score, memory.found.sums[k, 0], memory.scales, params.reg_lambda, params.gamma)
    else:
        gain = score
        restraints.middle[node] = found[item, FOUND_MIDDLE]
        if score < FORCED:
            restraints.split_of[node] = NOT_FORCED
    if not is_worth_splitting(gain, params):
        return False
    memory.gains[node] = gain
    nodes[node, COLUMN] = columns[item]
    nodes[node, BIN] = np.int64(found[item, FOUND_BIN])
    nodes[node, MISSING_LEFT] = np.int64(found[item, FOUND_MISSING_LEFT])
    if restraints is not None and score == FORCED and not is_sought(restraints, restraints.split_of[node]):
        ask_bits(nodes, node, restraints.places.yes[restraints.split_of[node]])
    else:
        write_question(node, matrix, memory, params)
    return True


@kernel(apart=True)
def write_question(node, matrix, memory, params):
    """Write which bins answer "yes" to a node whose column, bin and side of missing values are known.

    Of ordered categories the bin is the last place that goes left: they are ordered once more.
    """
    nodes, order = memory.nodes, memory.scratch.order[0]
    column, split_bin = nodes[node, COLUMN], nodes[node, BIN]
    if not matrix.is_category[column]:
        ask_below(nodes, node)
        return
    n_bins = np.int64(matrix.n_bins[column])
    if n_bins <= params.max_cat_to_onehot:
        order[0] = split_bin
        ask_members(nodes, node, order, 1)
        return
    begin = matrix.places[column] * HISTOGRAM_STRIDE
    histogram = memory.histograms.pool[memory.histograms.slots[node], begin : begin + HISTOGRAM_STRIDE]
    shift, smooth = np.int64(memory.scales[SHIFT]), in_packed_units(params.cat_smooth, memory.scales)
    sort_categories(histogram, n_bins, shift, smooth, order, memory.scratch.ratios[0])
    ask_members(nodes, node, order, split_bin + 1)


@kernel(apart=True)
def queue_pairs(matrix, memory, columns, params, restraints):
    """Let the nodes just searched wait for their split; those that stay leaves give back their histogram."""
    lists, progress, slots = memory.lists, memory.progress, memory.histograms.slots
    for k in range(2 * progress[N_WAVE]):
        node = lists[LARGER, k // 2] if k % 2 else lists[SMALLER, k // 2]
        if node < 0:
            continue
        if is_split_found(node, k, matrix, memory, columns, params, restraints):
            is_ordered = params.by_gain or params.max_leaves > 0
            add_waiting(lists, progress, slots, node, memory.gains, params.by_gain, is_ordered)
        else:
            free_slot(lists, progress, slots, node)


@kernel(takes_none=True, apart=True)
def begin_tree(memory, n_rows, restraints):
    """Make the root the one node of a tree of so many rows, whose rows are counted next."""
    slots, n_slots = memory.histograms.slots, len(memory.histograms.pool)
    begin_with_root(memory.lists, memory.progress, memory.nodes, slots, n_slots, n_rows)
    if restraints is not None:
        begin_root(restraints)
        allow_columns(restraints, np.int64(0), np.int64(0), restraints.allowed[0])


@kernel(takes_none=True, apart=True)
def count_listed_part(part, parts, records, matrix, fine, memory, rows, histograms):
    """Count one part of the nodes that are on the list, by these records."""
    lists = memory.lists
    counted = ListedNodes(
        lists[COUNTED], lists[COUNTED_BEGIN], lists[COUNTED_OFFSET], memory.progress[N_COUNTED]
    )
    n_features = len(matrix.by_column)
    count_part(part, parts, records, n_features, fine, rows, counted, memory.fetched[part], histograms)


@kernel(takes_none=True)
def count_nodes_part(part, parts, matrix, fine, memory, rows):
    """Count one part of the gradients of the nodes that are on the list."""
    count_listed_part(part, parts, matrix.records, matrix, fine, memory, rows, memory.histograms)


@kernel(takes_none=True)
def count_ones_part(part, parts, matrix, fine, memory, rows, restraints):
    """Count one part of the rows of the nodes that are on the list, where leaves must have some."""
    if restraints is None or len(restraints.row_histograms.pool) == 0:
        return
    count_listed_part(
        part, parts, restraints.one_records, matrix, fine, memory, rows, restraints.row_histograms
    )


@kernel(takes_none=True)
def finish_shared_part(part, parts, matrix, memory, rows, restraints):
    """Finish one part of the histograms of shared bytes, and of their rows where leaves must have some."""
    finish_bytes_part(part, parts, matrix, memory, rows, memory.histograms)
    if restraints is not None and len(restraints.row_histograms.pool) > 0:
        finish_bytes_part(part, parts, matrix, memory, rows, restraints.row_histograms)


@kernel(takes_none=True)
def grow_nodes(part, parts, counters, matrix, fine, memory, rows, task, restraints):
    """Grow a tree on `rows`, which end up in the order of the nodes, from a root that is counted.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    memory : GrowingMemory
        Filled: `nodes`, parents before children, and in `progress` their number and whether it was stopped.
    rows : ndarray of uint32, shape (m,)
        Rows drawn for this tree.
    task : TreeTask
    restraints : Restraints or None
    """
    lists, progress, nodes = memory.lists, memory.progress, memory.nodes
    columns, params, slots = task.columns, task.params, memory.histograms.slots
    few_rows = memory.few_rows if restraints is None else np.int64(0)
    while progress[N_WAVE] > 0:
        count_ones_part(part, parts, matrix, fine, memory, rows, restraints)
        barrier(counters, parts)
        if matrix.n_alone < len(matrix.by_column):
            finish_shared_part(part, parts, matrix, memory, rows, restraints)
            barrier(counters, parts)
        search_part(part, parts, matrix, fine, memory, rows, columns, params, restraints)
        barrier(counters, parts)
        if part == 0:
            queue_pairs(matrix, memory, columns, params, restraints)
            choose_wave(memory, params, few_rows)
            if task.stop_flag[0] != 0:
                progress[IS_STOPPED] = 1
                progress[N_WAVE] = 0
        barrier(counters, parts)
        wave = ListedNodes(lists[WAVE], lists[WAVE_BEGIN], lists[WAVE_OFFSET], progress[N_WAVE])
        stage_part(
            part, parts, matrix, fine, rows, wave, nodes, memory.answers[part], memory.stage, memory.n_left
        )
        barrier(counters, parts)
        unstage_part(part, parts, rows, wave, memory.stage, memory.n_left)
        if part == 0:
            pair_children(lists, progress, nodes, slots, memory.n_left, parts, few_rows)
            if restraints is not None:
                restrain_children(lists, progress, nodes, restraints)
        barrier(counters, parts)
        count_nodes_part(part, parts, matrix, fine, memory, rows)
