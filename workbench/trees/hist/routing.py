"""Binned rows walked down a finished tree, for rows that did not grow it.

Eight rows are walked at the same time, so that the processor waits for eight answers at once, and no
step branches. To that end the tree is packed first, a node a cache line:

    word     0               1                  2 … 5
    split    byte asked of   8 × left child     a bit for each of 256 bytes, set where the answer is "no"
    leaf     0               8 × itself         all clear: who is here stays
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import prefetch
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.bins.shared_bytes import ALONE
from workbench.trees.grown_nodes import COLUMN, N_YES, YES, answer_of
from workbench.trees.tree import STEPS_AT_ONCE

# Words of a packed node.
BYTE, CHILD, NO_BINS = np.uint64(0), np.uint64(1), np.uint64(2)
N_WORDS = np.uint64(8)
ROWS_AHEAD = 32


@kernel
def pack_split(packed, node, nodes, grown, matrix, left):
    """Pack a grown node that asks a question.

    Parameters
    ----------
    packed : ndarray of uint64, shape (>= N_WORDS * n_nodes,)
        Filled at the node.
    left : int
        The left child; the right one is next.
    """
    at = N_WORDS * np.uint64(node)
    column = nodes[grown, COLUMN]
    packed[at + BYTE] = matrix.places[column] + BINS_A_WORD  # after word 0
    packed[at + CHILD] = N_WORDS * np.uint64(left)
    for word in range(N_YES):
        packed[at + NO_BINS + np.uint64(word)] = ~np.uint64(nodes[grown, YES + word])
    line = matrix.lines[column]
    if line != ALONE:
        for word in range(N_YES):
            yes = np.uint64(0)
            for k in range(64):
                b = np.int64(matrix.bins_of_byte[line, 64 * word + k])
                yes |= answer_of(nodes, grown, b) << np.uint64(k)
            packed[at + NO_BINS + np.uint64(word)] = ~yes


@kernel
def pack_leaf(packed, node):
    """Pack a node at which rows stay."""
    at = N_WORDS * np.uint64(node)
    packed[at + BYTE] = 0
    packed[at + CHILD] = at
    for word in range(4):
        packed[at + NO_BINS + np.uint64(word)] = 0


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


@kernel(takes_none=True, apart=True)
def add_labelled(part, parts, rows, labels, value_of_label, raw):
    """Add a tree to one part of the rows whose leaf is known by its label, in float32.

    Parameters
    ----------
    rows : ndarray of uint32, or None
        None: every row.
    labels : ndarray of int32, shape (n,)
    value_of_label : ndarray of float32
    raw : ndarray of float32, shape (n,)
    """
    n_rows = len(labels) if rows is None else len(rows)
    first, last = part_begin(part, parts, n_rows), part_begin(part + 1, parts, n_rows)
    for i in range(np.uint64(first), np.uint64(last)):
        row = i if rows is None else np.uint64(rows[i])
        raw[row] += value_of_label[np.uint64(labels[row])]


@kernel(apart=True)
def add_walked(part, parts, rows, bins, record_bytes, packed, depth, value_of_leaf, scratch, raw):
    """Add a tree to one part of the rows that are walked down it: drawn not to grow it, or held out.

    Parameters
    ----------
    rows : ndarray of uint32
    bins : ndarray of uint8, shape (n * record_bytes,)
        The records of a `BinnedMatrix`.
    packed : ndarray of uint64, shape (>= N_WORDS * n_nodes,)
        The tree, so deep.
    value_of_leaf : ndarray of float32, shape (>= n_nodes,)
    scratch : ndarray of uint64, shape (2, 8)
        For this part.
    raw : ndarray of float32, shape (n,)
    """
    first, last = part_begin(part, parts, len(rows)), part_begin(part + 1, parts, len(rows))
    begins, leaves = scratch[0], scratch[1]
    record_bytes = np.uint64(record_bytes)
    for i in range(first, last, 8):
        n = min(8, last - i)
        for k in range(8):  # behind the last row it again, so that every lane has one to walk
            begins[k] = record_bytes * np.uint64(rows[min(i + k, last - 1)])
            prefetch(bins, record_bytes * np.uint64(rows[min(i + k + ROWS_AHEAD, last - 1)]))
        a = b = c = d = e = f = g = h = np.uint64(0)
        left = depth
        while left > 0:
            for _ in range(min(left, STEPS_AT_ONCE)):
                a = step(bins, begins[0], packed, a)
                b = step(bins, begins[1], packed, b)
                c = step(bins, begins[2], packed, c)
                d = step(bins, begins[3], packed, d)
                e = step(bins, begins[4], packed, e)
                f = step(bins, begins[5], packed, f)
                g = step(bins, begins[6], packed, g)
                h = step(bins, begins[7], packed, h)
            left -= STEPS_AT_ONCE
            if left > 0 and (
                stays(packed, a) and stays(packed, b) and stays(packed, c) and stays(packed, d)
                and stays(packed, e) and stays(packed, f) and stays(packed, g) and stays(packed, h)
            ):
                break
        leaves[0], leaves[1], leaves[2], leaves[3] = a, b, c, d
        leaves[4], leaves[5], leaves[6], leaves[7] = e, f, g, h
        for k in range(n):
            raw[np.uint64(rows[i + k])] += value_of_leaf[leaves[k] // N_WORDS]
