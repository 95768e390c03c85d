"""The kernel that grows a tree: waves of nodes, each parted, counted and searched together.

Nodes whose best split is known wait in a list. A wave is taken from it, as wide as free histograms allow,
and becomes the next nodes that wait:

    waiting --choose--> wave --part rows--> pairs of children --count, search--> waiting

By depth, the last to come goes first: whole levels while histograms last, single nodes depth-first where
they do not, so that memory is bounded however deep the tree grows. By best gain, waves are one node wide.
What a node becomes depends on its rows alone, not on the wave it came in. Nodes of few rows have no
histogram: see `few_rows`.

Every thread runs `grow_nodes` for its part of the rows and columns; between phases they meet, and what is
decided about nodes, the first decides alone.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.category_order import sort_categories
from workbench.trees.forced_splits import FORCED, NOT_FORCED
from workbench.trees.grown_nodes import (
    BEGIN,
    BIN,
    COLUMN,
    DEPTH,
    END,
    LEFT,
    MISSING_LEFT,
    NOTHING,
    ask_below,
    ask_bits,
    ask_members,
    new_node,
)
from workbench.trees.heap import is_ahead, pop, push
from workbench.trees.histogram import HISTOGRAM_STRIDE, count_part
from workbench.trees.node_search import search_part
from workbench.trees.packing import SHIFT
from workbench.trees.partition import count_left, stage_part, unstage_part
from workbench.trees.restraints import allow_columns, begin_root, bound_children, follow_children
from workbench.trees.splitting import BIN as FOUND_BIN
from workbench.trees.splitting import MIDDLE as FOUND_MIDDLE
from workbench.trees.splitting import MISSING_LEFT as FOUND_MISSING_LEFT
from workbench.trees.splitting import SCORE as FOUND_SCORE
from workbench.trees.splitting import (
    best_column,
    gain_of,
    in_packed_units,
)
from workbench.trees.structure_score import is_worth_splitting
from workbench.trees.team import meet

NO_LIMIT = 2**62

# What the parts of a team share beside arrays: entries of the book.
N_NODES, N_LEAVES, N_WAITING, N_FREE, N_WAVE, N_COUNTED, N_OWNERS, N_KEPT, IS_STOPPED = range(9)
N_ENTRIES = 9

# Lists of nodes, slots and rows: lines of one array.
WAITING, FREE, WAVE, WAVE_BEGIN, WAVE_OFFSET = range(5)
SMALLER, LARGER, IS_DERIVED, COUNTED, COUNTED_BEGIN, COUNTED_OFFSET = range(5, 11)
HOLDER = 11  # the waiting node whose histogram a slot holds
N_LISTS = 12


@kernel
def new_pair(nodes, slots, book, node, begin, middle, end):
    """Write the two children of a node, which get the next numbers; return the left one."""
    left = book[N_NODES]
    nodes[node, LEFT] = left
    new_node(nodes, left, node, begin, middle, nodes[node, DEPTH] + 1)
    new_node(nodes, left + 1, node, middle, end, nodes[node, DEPTH] + 1)
    slots[left] = slots[left + 1] = NOTHING
    book[N_NODES] += 2
    return left


@kernel
def take_slot(lists, book):
    """Take a free histogram."""
    book[N_FREE] -= 1
    return lists[FREE, book[N_FREE]]


@kernel
def free_slot(lists, book, slots, node):
    """Give back the histogram of a node, if it has one."""
    if slots[node] >= 0:
        lists[FREE, book[N_FREE]] = slots[node]
        lists[HOLDER, slots[node]] = NOTHING
        book[N_FREE] += 1
        slots[node] = NOTHING


@kernel
def add_counted(lists, book, nodes, node):
    """Put a node on the list of those whose rows are counted next."""
    k = book[N_COUNTED]
    lists[COUNTED, k] = node
    lists[COUNTED_BEGIN, k] = nodes[node, BEGIN]
    lists[COUNTED_OFFSET, k + 1] = lists[COUNTED_OFFSET, k] + nodes[node, END] - nodes[node, BEGIN]
    book[N_COUNTED] = k + 1


@kernel
def plant(lists, book, nodes, slots, n_slots, n_rows):
    """Begin with the root alone: the one node to count, without a sibling."""
    book[:] = 0
    for slot in range(n_slots):
        lists[FREE, slot] = n_slots - 1 - slot
        lists[HOLDER, slot] = NOTHING
    book[N_FREE] = n_slots
    zero = np.int64(0)
    new_node(nodes, zero, np.int64(NOTHING), zero, n_rows, zero)
    book[N_NODES] = book[N_LEAVES] = book[N_WAVE] = 1
    slots[0] = take_slot(lists, book)
    lists[SMALLER, 0] = 0
    lists[LARGER, 0] = NOTHING
    lists[IS_DERIVED, 0] = 0
    lists[COUNTED_OFFSET, 0] = 0
    add_counted(lists, book, nodes, zero)


@kernel(takes_none=True)
def is_split_found(node, found, found_sum, matrix, memory, columns, params, restraints):
    """Write the best split found for a node, if it is worth it; return whether it is."""
    nodes = memory.nodes
    item = best_column(found[: len(columns)])
    score = found[item, FOUND_SCORE]
    if restraints is None:
        if score < 0.0:
            return False
        gain = gain_of(score, found_sum, memory.scales, params.reg_lambda, params.gamma)
    else:
        gain = score
        restraints.middle[node] = found[item, FOUND_MIDDLE]
        if score < FORCED:
            restraints.split_of[node] = NOT_FORCED
    if not is_worth_splitting(gain, params.gamma, params.post_pruning):
        return False
    memory.gains[node] = gain
    nodes[node, COLUMN] = columns[item]
    nodes[node, BIN] = np.int64(found[item, FOUND_BIN])
    nodes[node, MISSING_LEFT] = np.int64(found[item, FOUND_MISSING_LEFT])
    if restraints is not None and score == FORCED:
        ask_bits(nodes, node, restraints.places.yes[restraints.split_of[node]])
    else:
        write_question(node, matrix, memory, params)
    return True


@kernel
def write_question(node, matrix, memory, params):
    """Write which bins answer "yes" to a node whose column, bin and side of missing values are known.

    Of ordered categories the bin is the last place that goes left: they are ordered once more.
    """
    nodes, order = memory.nodes, memory.order[0]
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
    histogram = memory.pool[memory.slots[node], begin : begin + HISTOGRAM_STRIDE]
    shift, smooth = np.int64(memory.scales[SHIFT]), in_packed_units(params.cat_smooth, memory.scales)
    sort_categories(histogram, n_bins, shift, smooth, order, memory.ratios[0])
    ask_members(nodes, node, order, split_bin + 1)


@kernel
def queue_pairs(matrix, memory, columns, params, restraints):
    """Let the nodes just searched wait for their split; those that stay leaves give back their histogram."""
    lists, book, slots, found = memory.lists, memory.book, memory.slots, memory.found
    for k in range(2 * book[N_WAVE]):
        node = lists[LARGER, k // 2] if k % 2 else lists[SMALLER, k // 2]
        if node < 0:
            continue
        own_sum = memory.found_sums[k, 0]
        if is_split_found(node, found[k], own_sum, matrix, memory, columns, params, restraints):
            is_ordered = params.by_gain or params.max_leaves > 0
            add_waiting(lists, book, slots, node, memory.gains, params.by_gain, is_ordered)
        else:
            free_slot(lists, book, slots, node)


@kernel
def add_waiting(lists, book, slots, node, gains, by_gain, is_ordered):
    """Let a node wait: on a heap where the order of splitting matters, otherwise on a stack."""
    n_waiting = book[N_WAITING]
    if slots[node] >= 0:
        lists[HOLDER, slots[node]] = node
    if is_ordered:
        push(lists[WAITING], n_waiting, node, gains, by_gain)
    else:
        lists[WAITING, n_waiting] = node
    book[N_WAITING] += 1


@kernel
def take_waiting(lists, book, slots, gains, by_gain, is_ordered):
    """Take the node that is split next off the waiting ones."""
    n_waiting = book[N_WAITING]
    taken = pop(lists[WAITING], n_waiting, gains, by_gain) if is_ordered else lists[WAITING, n_waiting - 1]
    if slots[taken] >= 0:
        lists[HOLDER, slots[taken]] = NOTHING
    book[N_WAITING] -= 1
    return taken


@kernel
def forget_one(lists, book, slots, gains, n_slots, by_gain, is_limited):
    """Free the histogram of the waiting node that is split last; its children are both counted then."""
    victim = np.int64(NOTHING)
    for slot in range(n_slots):
        node = lists[HOLDER, slot]
        if node == NOTHING:
            continue
        is_later = victim == NOTHING
        if not is_later:
            is_later = is_ahead(victim, node, gains, by_gain) if by_gain or is_limited else node < victim
        victim = node if is_later else victim
    free_slot(lists, book, slots, victim)


@kernel
def choose_wave(
    lists, book, nodes, slots, gains, n_slots, max_depth, max_leaves, by_gain, reserve, few_rows
):
    """Choose the nodes that are parted next, and give children to those that are split for the last time.

    A split of the last level, or for the last leaf, needs no rows parted: `labelling` tells them apart.
    `reserve` histograms are left free for the levels below. Where leaves are limited, forced splits go ahead.
    """
    n_wave = 0
    needed = 0
    is_leading = False
    is_limited = max_leaves > 0
    limit = max_leaves if is_limited else NO_LIMIT
    lists[WAVE_OFFSET, 0] = 0
    while book[N_WAITING] > 0 and book[N_LEAVES] < limit and n_wave < n_slots:
        node = lists[WAITING, 0 if by_gain or is_limited else book[N_WAITING] - 1]
        is_last = nodes[node, DEPTH] + 1 == max_depth or book[N_LEAVES] + 1 == limit
        size = nodes[node, END] - nodes[node, BEGIN]
        own = 0 if size <= few_rows else 1 if slots[node] >= 0 else 2
        if n_wave > 0 and (by_gain or (not is_last and book[N_FREE] - needed - own < reserve)):
            break
        if is_leading and gains[node] < FORCED:
            break
        take_waiting(lists, book, slots, gains, by_gain, by_gain or is_limited)
        book[N_LEAVES] += 1
        if is_last:
            free_slot(lists, book, slots, node)
            new_pair(nodes, slots, book, node, np.int64(0), np.int64(0), np.int64(0))
            continue
        is_leading = is_limited and gains[node] == FORCED
        needed += own
        while book[N_FREE] < needed:
            forget_one(lists, book, slots, gains, n_slots, by_gain, is_limited)
        lists[WAVE, n_wave] = node
        lists[WAVE_BEGIN, n_wave] = nodes[node, BEGIN]
        lists[WAVE_OFFSET, n_wave + 1] = lists[WAVE_OFFSET, n_wave] + size
        n_wave += 1
    book[N_WAVE] = n_wave


@kernel
def pair_children(lists, book, nodes, slots, n_left, parts, few_rows):
    """Write the children of the wave's nodes, with the rows that each got; choose which are counted.

    The larger child inherits the histogram of its parent, the smaller gets a free one and is counted;
    so is the larger where the parent's has been forgotten. Nodes of few rows get none and are not counted.
    """
    book[N_COUNTED] = 0
    for k in range(book[N_WAVE]):
        node = lists[WAVE, k]
        begin, end = nodes[node, BEGIN], nodes[node, END]
        middle = begin + count_left(n_left, parts, k)
        left = new_pair(nodes, slots, book, node, begin, middle, end)
        smaller = left if middle - begin <= end - middle else left + 1
        larger = 2 * left + 1 - smaller
        lists[SMALLER, k] = smaller
        lists[LARGER, k] = larger
        if nodes[smaller, END] - nodes[smaller, BEGIN] > few_rows:
            slots[smaller] = take_slot(lists, book)
            add_counted(lists, book, nodes, smaller)
        if nodes[larger, END] - nodes[larger, BEGIN] <= few_rows:
            free_slot(lists, book, slots, node)
            lists[IS_DERIVED, k] = 0
            continue
        lists[IS_DERIVED, k] = slots[node] >= 0
        if slots[node] >= 0:
            slots[larger] = slots[node]
            slots[node] = NOTHING
        else:
            slots[larger] = take_slot(lists, book)
            add_counted(lists, book, nodes, larger)


@kernel
def restrain_children(lists, book, nodes, restraints):
    """Write what the children of the wave's nodes may weigh and ask about."""
    for k in range(book[N_WAVE]):
        node = lists[WAVE, k]
        child, column = nodes[node, LEFT], nodes[node, COLUMN]
        direction = np.int64(restraints.rules.monotone[column])
        bound_children(restraints.bounds, node, child, direction, restraints.middle[node])
        follow_children(restraints, node, child, column)
        for side in range(2):
            own = lists[LARGER, k] if side else lists[SMALLER, k]
            allow_columns(restraints, own, nodes[own, DEPTH], restraints.allowed[2 * k + side])


@kernel(takes_none=True)
def begin_tree(memory, n_rows, restraints):
    """Make the root the one node of a tree of so many rows, whose rows are counted next."""
    plant(memory.lists, memory.book, memory.nodes, memory.slots, len(memory.pool), n_rows)
    if restraints is not None:
        begin_root(restraints)
        allow_columns(restraints, np.int64(0), np.int64(0), restraints.allowed[0])


@kernel(takes_none=True)
def count_nodes_part(part, parts, matrix, fine, memory, rows):
    """Count one part of the gradients of the nodes that are on the list."""
    lists = memory.lists
    count_part(
        part, parts, matrix.records, rows, lists[COUNTED], lists[COUNTED_BEGIN], lists[COUNTED_OFFSET],
        memory.book[N_COUNTED], memory.slots, len(matrix.by_column), fine, memory.fetched[part],
        memory.pool, memory.heads, memory.head_of_part,
    )


@kernel(takes_none=True)
def count_ones_part(part, parts, matrix, fine, memory, rows, restraints):
    """Count one part of the rows of the nodes that are on the list, where leaves must have some."""
    if restraints is None or len(restraints.row_pool) == 0:
        return
    lists = memory.lists
    count_part(
        part, parts, restraints.one_records, rows, lists[COUNTED], lists[COUNTED_BEGIN],
        lists[COUNTED_OFFSET], memory.book[N_COUNTED], memory.slots, len(matrix.by_column), fine,
        memory.fetched[part], restraints.row_pool, restraints.row_heads, memory.head_of_part,
    )


@kernel(takes_none=True)
def grow_nodes(part, parts, counters, matrix, fine, memory, rows, columns, params, restraints, stop_flag):
    """Grow a tree on `rows`, which end up in the order of the nodes, from a root that is counted.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    memory : GrowingMemory
        Filled: `nodes`, parents before children, and in `book` their number and whether it was stopped.
    rows : ndarray of uint32, shape (m,)
        Rows drawn for this tree.
    columns : ndarray of int64, shape (k,)
        Columns drawn for this tree.
    params : GrowingParams
    restraints : Restraints or None
    stop_flag : ndarray of uint8, shape (1,)
        Read before each wave.
    """
    lists, book, nodes, slots, gains = memory.lists, memory.book, memory.nodes, memory.slots, memory.gains
    few_rows = memory.few_rows if restraints is None else np.int64(0)
    while book[N_WAVE] > 0:
        count_ones_part(part, parts, matrix, fine, memory, rows, restraints)
        meet(counters, parts)
        search_part(
            part, parts, lists[SMALLER], lists[LARGER], slots, lists[IS_DERIVED], book[N_WAVE], columns,
            nodes, rows, memory.pool, memory.heads, memory.head_of_part, matrix, fine, memory.scales, params,
            restraints, memory.room[part], memory.marks[part], memory.lefts[part], memory.order[part],
            memory.ratios[part], memory.found, memory.found_sums,
        )
        meet(counters, parts)
        if part == 0:
            queue_pairs(matrix, memory, columns, params, restraints)
            choose_wave(
                lists, book, nodes, slots, gains, len(memory.pool), params.max_depth, params.max_leaves,
                params.by_gain, memory.reserve, few_rows,
            )
            if stop_flag[0] != 0:
                book[IS_STOPPED] = 1
                book[N_WAVE] = 0
        meet(counters, parts)
        stage_part(
            part, parts, matrix, fine, rows, lists[WAVE], lists[WAVE_BEGIN], lists[WAVE_OFFSET],
            book[N_WAVE], nodes, memory.answers[part], memory.stage, memory.n_left,
        )
        meet(counters, parts)
        unstage_part(
            part, parts, rows, lists[WAVE_BEGIN], lists[WAVE_OFFSET], book[N_WAVE], memory.stage,
            memory.n_left,
        )
        if part == 0:
            pair_children(lists, book, nodes, slots, memory.n_left, parts, few_rows)
            if restraints is not None:
                restrain_children(lists, book, nodes, restraints)
        meet(counters, parts)
        count_nodes_part(part, parts, matrix, fine, memory, rows)
