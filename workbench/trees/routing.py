"""Binned rows walked down a finished tree, for rows that did not grow it.

Eight rows are walked at the same time, so that the processor waits for eight answers at once, and no
step branches. To that end the tree is packed first, a node a cache line:

    word     0               1                  2 … 5
    split    byte asked of   8 × left child     a bit for each of 256 bins, set where the answer is "no"
    leaf     0               8 × itself         all clear: who is here stays
"""

from __future__ import annotations

import numpy as np

from workbench.trees.binning import MISSING_BIN
from workbench.trees.instructions import prefetch
from workbench.trees.kernel import kernel
from workbench.trees.parallel import part_begin

# Fields of a question on bins. COLUMN is the byte of a row's record in which the column's bin stands.
COLUMN, BIN, IS_CATEGORY, MISSING_LEFT, LEFT = range(5)
N_FIELDS = 5

# Words of a packed node.
BYTE, CHILD, NO_BINS = np.uint64(0), np.uint64(1), np.uint64(2)
N_WORDS = np.uint64(8)
ROWS_AHEAD = 32
STRETCH = 8  # steps after which it is looked whether all rows have come to leaves


@kernel
def count_nodes(questions):
    """Return how many nodes a tree has: they stand breadth-first, what follows is of earlier trees."""
    n_nodes = 1
    node = 0
    while node < n_nodes:
        if questions[node, COLUMN] >= 0:
            n_nodes = questions[node, LEFT] + 2
        node += 1
    return n_nodes


@kernel
def bins_that_say_no(question, word):
    """Return a bit for each of the bins 64·word … 64·word + 63."""
    place = question[BIN] - 64 * word
    own = np.uint64(1) << np.uint64(place) if 0 <= place < 64 else np.uint64(0)
    if question[IS_CATEGORY] != 0 or place < 0:
        no = ~own
    else:
        no = ~(own | (own - np.uint64(1))) if place < 64 else np.uint64(0)
    if word == MISSING_BIN // 64:
        missing = np.uint64(1) << np.uint64(MISSING_BIN % 64)
        no = no & ~missing if question[MISSING_LEFT] != 0 else no | missing
    return no


@kernel
def pack(questions, packed):
    """Pack a tree as drawn above; return its depth.

    Parameters
    ----------
    questions : ndarray of int32, shape (>= n_nodes, N_FIELDS)
        Column −1 in a leaf.
    packed : ndarray of uint64, shape (N_WORDS * n_nodes,)
        Zeros; filled.
    """
    depth, n_level, next_level = 0, 1, 0
    for node in range(len(packed) // N_WORDS):
        at = N_WORDS * np.uint64(node)
        packed[at + CHILD] = at
        if questions[node, COLUMN] >= 0:
            next_level += 2
            packed[at + BYTE] = questions[node, COLUMN]
            packed[at + CHILD] = N_WORDS * np.uint64(questions[node, LEFT])
            for word in range(4):
                packed[at + NO_BINS + np.uint64(word)] = bins_that_say_no(questions[node], word)
        n_level -= 1
        if n_level == 0 and next_level:
            depth, n_level, next_level = depth + 1, next_level, 0
    return depth


@kernel
def step(bins, begin, packed, at):
    """Return where a row goes whose record begins at this byte."""
    b = np.uint64(bins[begin + packed[at + BYTE]])
    no = packed[at + NO_BINS + (b >> np.uint64(6))] >> (b & np.uint64(63)) & np.uint64(1)
    return packed[at + CHILD] + N_WORDS * no


@kernel
def stays(packed, at):
    """Whether a packed node is a leaf."""
    return packed[at + CHILD] == at


@kernel
def add_labelled(part, parts, rows, labels, value_of_label, raw):
    """Add a tree to one part of the rows whose leaf is known by its label, in float32.

    Parameters
    ----------
    rows : ndarray of uint32
    labels : ndarray of int32, shape (n,)
    value_of_label : ndarray of float32
    raw : ndarray of float32, shape (n,)
    """
    n = len(rows)
    for i in range(np.uint64(part_begin(part, parts, n)), np.uint64(part_begin(part + 1, parts, n))):
        row = np.uint64(rows[i])
        raw[row] += value_of_label[np.uint64(labels[row])]


@kernel
def add_walked(part, parts, rows, records, questions, value_of_leaf, raw):
    """Add a tree to one part of the rows that are walked down it: drawn not to grow it, or held out.

    Parameters
    ----------
    rows : ndarray of uint32
    records : ndarray of uint64, shape (n, words)
        See `BinnedMatrix`.
    questions
        See `pack`.
    value_of_leaf : ndarray of float32, shape (>= n_nodes,)
    raw : ndarray of float32, shape (n,)
    """
    first, last = part_begin(part, parts, len(rows)), part_begin(part + 1, parts, len(rows))
    if first == last:
        return
    packed = np.zeros(N_WORDS * np.uint64(count_nodes(questions)), np.uint64)
    depth = pack(questions, packed)
    bins = records.reshape(records.size).view(np.uint8)
    record_bytes = np.uint64(8 * records.shape[1])
    begins, leaves = np.zeros(8, np.uint64), np.zeros(8, np.uint64)
    for i in range(first, last, 8):
        n = min(8, last - i)
        for k in range(n):
            begins[k] = record_bytes * np.uint64(rows[i + k])
            prefetch(bins, record_bytes * np.uint64(rows[min(i + k + ROWS_AHEAD, last - 1)]))
        a = b = c = d = e = f = g = h = np.uint64(0)
        left = depth
        while left > 0:
            for _ in range(min(left, STRETCH)):
                a = step(bins, begins[0], packed, a)
                b = step(bins, begins[1], packed, b)
                c = step(bins, begins[2], packed, c)
                d = step(bins, begins[3], packed, d)
                e = step(bins, begins[4], packed, e)
                f = step(bins, begins[5], packed, f)
                g = step(bins, begins[6], packed, g)
                h = step(bins, begins[7], packed, h)
            left -= STRETCH
            if left > 0 and (
                stays(packed, a) and stays(packed, b) and stays(packed, c) and stays(packed, d)
                and stays(packed, e) and stays(packed, f) and stays(packed, g) and stays(packed, h)
            ):
                break
        leaves[0], leaves[1], leaves[2], leaves[3] = a, b, c, d
        leaves[4], leaves[5], leaves[6], leaves[7] = e, f, g, h
        for k in range(n):
            raw[np.uint64(rows[i + k])] += value_of_leaf[leaves[k] // N_WORDS]
