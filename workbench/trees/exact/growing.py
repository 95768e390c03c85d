"""The kernel that grows a tree by exact search: waves of nodes, each parted and scanned column by column.

    waiting --choose--> wave --mark rows | barrier | part and scan columns | barrier--> waiting

By depth a wave is a whole level, by best gain one node. Every thread parts and scans its share of the wave's
rows in all columns; between phases they meet, and what is decided about nodes, the first decides alone. Each
thread marks for itself which rows go left: a byte a row that two threads write costs more than writing it
twice.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.threads.team import barrier
from workbench.trees.exact import scan as exact_scan
from workbench.trees.exact.nodes import (
    IS_STOPPED,
    N_LEAVES,
    N_NODES,
    N_WAITING,
    N_WAVE,
    WAITING,
    WAVE,
    WAVE_OFFSET,
    fill_sides,
    left_count,
)
from workbench.trees.exact.questions import has_capacity, write_split
from workbench.trees.exact.rows_parted import add_rows_up, fill_root_column, part_node
from workbench.trees.exact.search import ScannedNode, note_found
from workbench.trees.forced_splits import FORCED, NOT_FORCED
from workbench.trees.found_split import best_column
from workbench.trees.growing_params import NO_LIMIT
from workbench.trees.grown_nodes import (
    BEGIN,
    COLUMN,
    DEPTH,
    END,
    LEFT,
    NOTHING,
    new_node,
)
from workbench.trees.heap import pop, push
from workbench.trees.monotone_constraints import bound_children
from workbench.trees.packed_units import gain_of, packed_limits
from workbench.trees.restraints import allow_columns, begin_root, follow_children
from workbench.trees.structure_score import is_worth_splitting


@kernel
def new_pair(nodes, progress, node, begin, middle, end):
    """Write the two children of a node, which get the next numbers."""
    left = progress[N_NODES]
    nodes[node, LEFT] = left
    new_node(nodes, left, node, begin, middle, nodes[node, DEPTH] + 1)
    new_node(nodes, left + 1, node, middle, end, nodes[node, DEPTH] + 1)
    progress[N_NODES] += 2


@kernel(takes_none=True, apart=True)
def queue_node(node, k, matrix, memory, columns, params, restraints):
    """Let a node that was scanned, as the k-th of its wave, wait for its split if it is worth it."""
    found = memory.found[k, : len(columns)]
    item = best_column(found)
    score = found[item, exact_scan.SCORE]
    if restraints is None:
        if score < 0.0:
            return
        gain = gain_of(score, memory.found_sums[k], memory.scales, params.reg_lambda, params.gamma)
    else:
        gain = score - params.gamma
        restraints.middle[node] = found[item, exact_scan.MIDDLE]
        if score < FORCED:
            restraints.split_of[node] = NOT_FORCED
    is_worth = is_worth_splitting(gain, params)
    if not is_worth or not has_capacity(found[item], memory):
        return
    memory.gains[node] = gain
    write_split(node, found[item], columns[item], matrix, memory, params, restraints)
    push(memory.lists[WAITING], memory.progress[N_WAITING], node, memory.gains, params.by_gain)
    memory.progress[N_WAITING] += 1


@kernel
def queue_wave(matrix, memory, columns, params, restraints):
    """Let the children of the wave's nodes wait for their splits."""
    for k in range(memory.progress[N_WAVE]):
        left = memory.nodes[memory.lists[WAVE, k], LEFT]
        queue_node(left, 2 * k, matrix, memory, columns, params, restraints)
        queue_node(left + 1, 2 * k + 1, matrix, memory, columns, params, restraints)


@kernel(apart=True)
def choose_wave(memory, params):
    """Choose the nodes that are parted next, and write the children of all that are split.

    A split of the last level, or for the last leaf, needs no rows parted. A wave has at most as many nodes
    as there is memory for what is found. Where leaves are limited, forced splits go ahead.
    """
    lists, progress, nodes, gains = memory.lists, memory.progress, memory.nodes, memory.gains
    by_gain, max_leaves = params.by_gain, params.max_leaves
    n_wave = 0
    limit = max_leaves if max_leaves > 0 else NO_LIMIT
    is_leading = False
    widest = 1 if by_gain else len(memory.found) // 2
    lists[WAVE_OFFSET, 0] = 0
    zero = np.int64(0)
    while progress[N_WAITING] > 0 and progress[N_LEAVES] < limit and n_wave < widest:
        if is_leading and gains[lists[WAITING, 0]] < FORCED:
            break
        node = pop(lists[WAITING], progress[N_WAITING], gains, by_gain)
        progress[N_WAITING] -= 1
        progress[N_LEAVES] += 1
        if nodes[node, DEPTH] + 1 == params.max_depth or progress[N_LEAVES] == limit:
            new_pair(nodes, progress, node, zero, zero, zero)
            continue
        begin, end = nodes[node, BEGIN], nodes[node, END]
        new_pair(nodes, progress, node, begin, begin + left_count(nodes, node), end)
        is_leading = max_leaves > 0 and gains[node] == FORCED
        lists[WAVE, n_wave] = node
        lists[WAVE_OFFSET, n_wave + 1] = lists[WAVE_OFFSET, n_wave] + end - begin
        n_wave += 1
    progress[N_WAVE] = n_wave


@kernel
def begin_with_root(progress, nodes, n_rows):
    """Begin with the root alone."""
    progress[:] = 0
    zero = np.int64(0)
    new_node(nodes, zero, np.int64(NOTHING), zero, n_rows, zero)
    progress[N_NODES] = progress[N_LEAVES] = 1


@kernel
def restrain_children(memory, restraints):
    """Write what the children of the wave's nodes may weigh and ask about."""
    nodes = memory.nodes
    for k in range(memory.progress[N_WAVE]):
        node = memory.lists[WAVE, k]
        child, column = nodes[node, LEFT], nodes[node, COLUMN]
        direction = np.int64(restraints.rules.monotone[column])
        bound_children(restraints.bounds, node, child, direction, restraints.middle[node])
        follow_children(restraints, node, child, column)
        for side in range(2):
            depth = nodes[child + side, DEPTH]
            allow_columns(restraints, child + side, depth, restraints.allowed[2 * k + side])


@kernel(apart=True)
def fill_root_part(part, parts, matrix, memory, n_rows, columns, limits, params, restraints):
    """Copy and scan one part of the columns at the root."""
    zero = np.int64(0)
    lefts = memory.lefts[part]
    for item in range(part_begin(part, parts, len(columns)), part_begin(part + 1, parts, len(columns))):
        column = columns[item]
        entries = memory.entries[column]
        fill_root_column(matrix.entries[column], memory.goes_left[part], n_rows, entries)
        add_rows_up(entries, zero, n_rows, memory.packed, lefts)
        root = ScannedNode(zero, zero, zero, n_rows, zero)
        note_found(part, item, column, root, matrix, memory, limits, params, restraints)


@kernel(apart=True)
def mark_rows(part, memory):
    """Mark, for one part alone, which rows of the wave's nodes go left."""
    for k in range(memory.progress[N_WAVE]):
        fill_sides(
            memory.entries, memory.nodes, memory.lists[WAVE, k], np.uint8(1), np.uint8(0),
            memory.goes_left[part],
        )


@kernel
def part_column(part, item, column, first, last, matrix, memory, limits, params, restraints):
    """Part one column's list, and scan the children, for the nodes whose rows begin in first … last − 1."""
    nodes, wave, offsets = memory.nodes, memory.lists[WAVE], memory.lists[WAVE_OFFSET]
    entries, lefts = memory.entries[column], memory.lefts[part]
    for k in range(memory.progress[N_WAVE]):
        if offsets[k] < first or offsets[k] >= last:
            continue
        begin, end = nodes[wave[k], BEGIN], nodes[wave[k], END]
        middle = nodes[nodes[wave[k], LEFT], END]
        part_node(
            entries, begin, end, memory.goes_left[part], memory.packed, memory.right_entries[part], lefts
        )
        for side in range(2):
            child = ScannedNode(
                np.int64(2 * k + side), nodes[wave[k], LEFT] + side, middle if side else begin,
                end if side else middle, lefts[middle - 1] if side else np.int64(0),
            )
            note_found(part, item, column, child, matrix, memory, limits, params, restraints)


@kernel(apart=True)
def part_wave(part, parts, matrix, memory, columns, limits, params, restraints):
    """Part one part of the wave's rows in all columns, and scan the children.

    The pairs of column and node, column by column, are shared out by where their rows begin.
    """
    n_rows = memory.lists[WAVE_OFFSET, memory.progress[N_WAVE]]
    first = part_begin(part, parts, n_rows * len(columns))
    last = part_begin(part + 1, parts, n_rows * len(columns))
    for item in range(first // n_rows, (last + n_rows - 1) // n_rows):
        begin = item * n_rows
        part_column(
            part, item, columns[item], first - begin, last - begin, matrix, memory, limits, params, restraints
        )


@kernel(takes_none=True)
def grow_nodes(part, parts, counters, matrix, memory, task, restraints):
    """Grow a tree on the drawn rows.

    Parameters
    ----------
    matrix : SortedColumns
    memory : ExactMemory
        Filled: `nodes`, parents before children, and in `progress` their number and whether it was stopped.
    task : TreeTask
    restraints : Restraints or None
    """
    drawn, columns, params, progress = task.rows.drawn, task.columns, task.params, memory.progress
    limits = packed_limits(params.reg_lambda, params.min_child_weight, memory.scales)
    is_drawn = memory.goes_left[part]
    is_drawn[:] = 0
    for i in range(len(drawn)):
        is_drawn[np.uint64(drawn[i])] = 1
    if restraints is not None and part == 0:
        begin_root(restraints)
        allow_columns(restraints, np.int64(0), np.int64(0), restraints.allowed[0])
    if restraints is not None:
        barrier(counters, parts)
    fill_root_part(part, parts, matrix, memory, len(drawn), columns, limits, params, restraints)
    if part == 0:
        begin_with_root(progress, memory.nodes, len(drawn))
    barrier(counters, parts)
    if part == 0:
        queue_node(np.int64(0), np.int64(0), matrix, memory, columns, params, restraints)
    while True:
        if part == 0:
            choose_wave(memory, params)
            if restraints is not None:
                restrain_children(memory, restraints)
            progress[IS_STOPPED] = task.stop_flag[0] != 0
        barrier(counters, parts)
        if progress[IS_STOPPED] or progress[N_WAVE] == 0:
            break
        mark_rows(part, memory)
        barrier(counters, parts)
        part_wave(part, parts, matrix, memory, columns, limits, params, restraints)
        barrier(counters, parts)
        if part == 0:
            queue_wave(matrix, memory, columns, params, restraints)
