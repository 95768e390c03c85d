"""Waves: the nodes that are parted together, chosen from those that wait, and their children.

A wave is as wide as free histograms allow. By depth, the last to come goes first: whole levels while
histograms last, single nodes depth-first where they do not, so that memory is bounded however deep the
tree grows. By best gain, waves are one node wide.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.forced_splits import FORCED
from workbench.trees.growing_params import NO_LIMIT
from workbench.trees.grown_nodes import BEGIN, COLUMN, DEPTH, END, LEFT, NOTHING
from workbench.trees.hist.partition import count_left
from workbench.trees.monotone_constraints import bound_children
from workbench.trees.node_lists import (
    IS_DERIVED,
    LARGER,
    N_COUNTED,
    N_FREE,
    N_LEAVES,
    N_WAITING,
    N_WAVE,
    SMALLER,
    WAITING,
    WAVE,
    WAVE_BEGIN,
    WAVE_OFFSET,
    add_counted,
    forget_one,
    free_slot,
    new_pair,
    take_slot,
    take_waiting,
)
from workbench.trees.restraints import allow_columns, follow_children


@kernel(apart=True)
def choose_wave(memory, params, few_rows):
    """Choose the nodes that are parted next, and give children to those that are split for the last time.

    A split of the last level, or for the last leaf, needs no rows parted: `labelling` tells them apart.
    `reserve` histograms are left free for the levels below. Where leaves are limited, forced splits go ahead.
    Nodes of at most `few_rows` rows need no histogram.
    """
    lists, progress, nodes, gains = memory.lists, memory.progress, memory.nodes, memory.gains
    slots, n_slots, by_gain = memory.histograms.slots, len(memory.histograms.pool), params.by_gain
    n_wave = 0
    needed = 0
    is_leading = False
    is_limited = params.max_leaves > 0
    limit = params.max_leaves if is_limited else NO_LIMIT
    lists[WAVE_OFFSET, 0] = 0
    while progress[N_WAITING] > 0 and progress[N_LEAVES] < limit and n_wave < n_slots:
        node = lists[WAITING, 0 if by_gain or is_limited else progress[N_WAITING] - 1]
        is_last = nodes[node, DEPTH] + 1 == params.max_depth or progress[N_LEAVES] + 1 == limit
        size = nodes[node, END] - nodes[node, BEGIN]
        own = 0 if size <= few_rows else 1 if slots[node] >= 0 else 2
        if n_wave > 0 and (by_gain or (not is_last and progress[N_FREE] - needed - own < memory.reserve)):
            break
        if is_leading and gains[node] < FORCED:
            break
        take_waiting(lists, progress, slots, gains, by_gain, by_gain or is_limited)
        progress[N_LEAVES] += 1
        if is_last:
            free_slot(lists, progress, slots, node)
            new_pair(nodes, slots, progress, node, np.int64(0), np.int64(0), np.int64(0))
            continue
        is_leading = is_limited and gains[node] == FORCED
        needed += own
        while progress[N_FREE] < needed:
            forget_one(lists, progress, slots, gains, n_slots, by_gain, is_limited)
        lists[WAVE, n_wave] = node
        lists[WAVE_BEGIN, n_wave] = nodes[node, BEGIN]
        lists[WAVE_OFFSET, n_wave + 1] = lists[WAVE_OFFSET, n_wave] + size
        n_wave += 1
    progress[N_WAVE] = n_wave


@kernel(apart=True)
def pair_children(lists, progress, nodes, slots, n_left, parts, few_rows):
    """Write the children of the wave's nodes, with the rows that each got; choose which are counted.

    The larger child inherits the histogram of its parent, the smaller gets a free one and is counted;
    so is the larger where the parent's has been forgotten. Nodes of few rows get none and are not counted.
    """
    progress[N_COUNTED] = 0
    for k in range(progress[N_WAVE]):
        node = lists[WAVE, k]
        begin, end = nodes[node, BEGIN], nodes[node, END]
        middle = begin + count_left(n_left, parts, k)
        left = new_pair(nodes, slots, progress, node, begin, middle, end)
        smaller = left if middle - begin <= end - middle else left + 1
        larger = 2 * left + 1 - smaller
        lists[SMALLER, k] = smaller
        lists[LARGER, k] = larger
        if nodes[smaller, END] - nodes[smaller, BEGIN] > few_rows:
            slots[smaller] = take_slot(lists, progress)
            add_counted(lists, progress, nodes, smaller)
        if nodes[larger, END] - nodes[larger, BEGIN] <= few_rows:
            free_slot(lists, progress, slots, node)
            lists[IS_DERIVED, k] = 0
            continue
        lists[IS_DERIVED, k] = slots[node] >= 0
        if slots[node] >= 0:
            slots[larger] = slots[node]
            slots[node] = NOTHING
        else:
            slots[larger] = take_slot(lists, progress)
            add_counted(lists, progress, nodes, larger)


@kernel(apart=True)
def restrain_children(lists, progress, nodes, restraints):
    """Write what the children of the wave's nodes may weigh and ask about."""
    for k in range(progress[N_WAVE]):
        node = lists[WAVE, k]
        child, column = nodes[node, LEFT], nodes[node, COLUMN]
        direction = np.int64(restraints.rules.monotone[column])
        bound_children(restraints.bounds, node, child, direction, restraints.middle[node])
        follow_children(restraints, node, child, column)
        for side in range(2):
            own = lists[LARGER, k] if side else lists[SMALLER, k]
            allow_columns(restraints, own, nodes[own, DEPTH], restraints.allowed[2 * k + side])
