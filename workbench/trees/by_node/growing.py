"""One tree grown node by node, breadth-first, by one thread."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import INTEGER, kernel
from workbench.kernels.random_numbers import stream_start, unit
from workbench.trees.by_node.impurity import NO_SPLIT
from workbench.trees.by_node.memory import (
    AT,
    BEGIN,
    BEHIND,
    COLUMN,
    CUT,
    DEPTH,
    DRAWN,
    END,
    LEFT,
    MISSING_LEFT,
    NOTHING,
    PARENT,
    SCORE,
    SET_BEGIN,
    SET_END,
    SIZE,
    TO_LEFT,
    WHERE,
)
from workbench.trees.by_node.search import add_row, clear, cut_at, search_column, settled
from workbench.trees.exact.questions import threshold_between

DRAWN_COLUMNS, DRAWN_CUTS = 11, 12  # streams of random numbers
STOPPED, NO_ROOM = -1, -2


@kernel
def begin_node(memory, node, parent, begin, end, depth):
    """Write a node that is a leaf until it is split."""
    nodes = memory.nodes
    for field in range(nodes.shape[1]):
        nodes[node, field] = NOTHING
    nodes[node, BEGIN], nodes[node, END] = begin, end
    nodes[node, DEPTH], nodes[node, PARENT] = depth, parent
    nodes[node, SET_BEGIN], nodes[node, SET_END] = 0, 0


@kernel
def is_pure(memory, node, total, params):
    """Whether all rows of a node have one class, or one number."""
    if params.n_classes > 0:
        held = 0
        for k in range(len(total)):
            held += 1 if total[k] > 0.0 else 0
        return held <= 1
    begin = memory.nodes[node, BEGIN]
    first = memory.products[begin] / memory.weights[begin]
    return not differs(memory, first, begin, memory.nodes[node, END])


@kernel
def differs(memory, number, begin, end):
    """Whether any row's number is another, but for rounding."""
    room, i = 1e-12 * abs(number), begin
    while i < end and abs(memory.products[i] / memory.weights[i] - number) <= room:
        i += 1
    return i < end


@kernel
def search_node(memory, columns, params, node, total):
    """Seek the best split of a node among drawn columns, and more while none has two values."""
    best, found, drawn = memory.found[0], memory.found[1], memory.columns
    best[SCORE] = NO_SPLIT
    of_columns = stream_start(params.stream, node, DRAWN_COLUMNS)
    of_cuts = stream_start(params.stream, node, DRAWN_CUTS)
    has_varied = False
    for place in range(len(drawn)):
        if place >= params.n_drawn and has_varied:
            break
        if params.n_drawn < len(drawn):
            other = place + np.int64(unit(of_columns + place) * (len(drawn) - place))
            drawn[place], drawn[other] = drawn[other], drawn[place]
        column = drawn[place]
        has_varied |= search_column(memory, columns, params, node, column, total, of_cuts + column)
        if found[SCORE] > best[SCORE]:
            for field in range(len(found)):
                best[field] = found[field]
            best[WHERE] = column
            for i in range(np.int64(found[SIZE])):
                memory.members[memory.progress[0] + i] = memory.best_order[i]
    return best[SCORE] > NO_SPLIT


@kernel(apart=True)
def write_question(memory, columns, params, node):
    """Write to a node the split that was found."""
    nodes, best = memory.nodes, memory.found[0]
    column, at, size = np.int64(best[WHERE]), np.int64(best[AT]), np.int64(best[SIZE])
    first, n_codes = columns.begins[column], columns.begins[column + 1] - columns.begins[column]
    nodes[node, COLUMN], nodes[node, CUT] = column, at
    nodes[node, MISSING_LEFT] = np.int64(best[TO_LEFT])
    memory.thresholds[node] = np.nan
    if columns.is_category[column] and size > 0:
        begin = memory.progress[0]
        nodes[node, SET_BEGIN], nodes[node, SET_END] = begin, begin + size
        memory.progress[0] += size
    elif best[BEHIND] == n_codes:
        nodes[node, CUT] = n_codes - 1
        memory.thresholds[node] = columns.above_all[column]
    else:
        behind = np.int64(best[BEHIND])
        threshold = np.float32(best[DRAWN])
        if np.isnan(threshold):
            threshold = threshold_between(columns.upper[first + at], columns.lower[first + behind])
            at = cut_at(columns, first, at, behind, threshold)
            nodes[node, CUT] = at
        memory.thresholds[node] = settled(columns, first, at, threshold)


@kernel
def goes_left(memory, node, code, n_codes, is_yes):
    """Whether a row of this code answers a node's question with "yes"."""
    nodes = memory.nodes
    if code == n_codes:
        return nodes[node, MISSING_LEFT] == 1
    if nodes[node, SET_END] > nodes[node, SET_BEGIN]:
        return is_yes[code] > 0.0
    return code <= nodes[node, CUT]


@kernel
def mark_members(memory, node, n_codes):
    """Mark the categories that answer "yes" in the room for ratios."""
    if memory.nodes[node, SET_END] > memory.nodes[node, SET_BEGIN]:
        clear(memory.ratios, n_codes)
        for i in range(memory.nodes[node, SET_BEGIN], memory.nodes[node, SET_END]):
            memory.ratios[memory.members[i]] = 1.0


@kernel(apart=True, returns=INTEGER)
def part_rows(memory, columns, params, node):
    """Part the rows of a node, each side in its old order; return where those that go right begin."""
    nodes, rows, spare = memory.nodes, memory.rows, memory.spare
    column, begin, end = nodes[node, COLUMN], nodes[node, BEGIN], nodes[node, END]
    codes, n_codes = columns.codes[column], columns.begins[column + 1] - columns.begins[column]
    mark_members(memory, node, n_codes)
    n_left, n_right = begin, np.int64(0)
    for i in range(begin, end):
        row = rows[i]
        if goes_left(memory, node, np.int64(codes[row]), n_codes, memory.ratios):
            rows[n_left] = row
            memory.weights[n_left] = memory.weights[i]
            if params.n_classes > 0:
                memory.labels[n_left] = memory.labels[i]
            else:
                memory.products[n_left] = memory.products[i]
            n_left += 1
        else:
            memory.node_codes[n_right] = row
            spare[0, n_right] = memory.weights[i]
            spare[1, n_right] = memory.labels[i] if params.n_classes > 0 else memory.products[i]
            n_right += 1
    for i in range(n_right):
        rows[n_left + i] = memory.node_codes[i]
        memory.weights[n_left + i] = spare[0, i]
        if params.n_classes > 0:
            memory.labels[n_left + i] = np.int32(spare[1, i])
        else:
            memory.products[n_left + i] = spare[1, i]
    return n_left


@kernel
def sum_node(memory, node, n_classes):
    """Add up the rows of a node."""
    total = memory.sums[node]
    clear(total, len(total))
    for i in range(memory.nodes[node, BEGIN], memory.nodes[node, END]):
        add_row(memory, i, n_classes, total, 0)


@kernel
def grow_nodes(columns, memory, params, stop_flag):
    """Grow a tree; return how many nodes it has, or that it was stopped, or that its sets found no room.

    Parameters
    ----------
    columns : CodedColumns
    memory : NodeMemory
    params : NodeParams
    stop_flag : ndarray of uint8, shape (1,)
    """
    nodes = memory.nodes
    begin_node(memory, 0, NOTHING, 0, len(memory.rows), 0)
    n_nodes, node = np.int64(1), np.int64(0)
    while node < n_nodes:
        if stop_flag[0]:
            return np.int64(STOPPED)
        if memory.progress[0] + len(memory.best_order) > len(memory.members):
            return np.int64(NO_ROOM)
        sum_node(memory, node, params.n_classes)
        total = memory.sums[node]
        n = nodes[node, END] - nodes[node, BEGIN]
        may_split = n >= 2 * params.min_leaf_rows and nodes[node, DEPTH] != params.max_depth
        may_split = may_split and not is_pure(memory, node, total, params)
        if may_split and search_node(memory, columns, params, node, total):
            write_question(memory, columns, params, node)
            middle, depth = part_rows(memory, columns, params, node), nodes[node, DEPTH] + 1
            nodes[node, LEFT] = n_nodes
            begin_node(memory, n_nodes, node, nodes[node, BEGIN], middle, depth)
            begin_node(memory, n_nodes + 1, node, middle, nodes[node, END], depth)
            n_nodes += 2
        node += 1
    return n_nodes


@kernel
def find_leaves(columns, memory, n_nodes, default_left, is_drawn, leaves):
    """Fill in the leaf of every training row: of those that grew the tree, and of the others by their codes.

    Parameters
    ----------
    default_left : ndarray of bool, shape (n_nodes,)
    is_drawn : ndarray of bool, shape (n,)
    leaves : ndarray of int32, shape (n,)
    """
    nodes = memory.nodes
    for node in range(n_nodes):
        if nodes[node, LEFT] == NOTHING:
            for i in range(nodes[node, BEGIN], nodes[node, END]):
                leaves[memory.rows[i]] = node
    for row in range(len(leaves)):
        if is_drawn[row]:
            continue
        place = np.int64(0)
        while nodes[place, LEFT] != NOTHING:
            column = nodes[place, COLUMN]
            code = np.int64(columns.codes[column, row])
            if code == columns.begins[column + 1] - columns.begins[column]:
                yes = default_left[place]
            elif nodes[place, SET_END] > nodes[place, SET_BEGIN]:
                yes = False
                for i in range(nodes[place, SET_BEGIN], nodes[place, SET_END]):
                    yes = yes or np.int64(memory.members[i]) == code
            else:
                yes = code <= nodes[place, CUT]
            place = nodes[place, LEFT] + (0 if yes else 1)
        leaves[row] = place
