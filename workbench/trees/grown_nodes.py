"""The nodes of a tree while it grows: one line of integers a node, parents before children."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.bins.bin_search import MISSING_BIN, N_BIN_VALUES
from workbench.trees.bins.shared_bytes import ALONE

# Where its rows are; its depth and parent; its left child (the right one is next); its question, at last as
# a bit for each of 256 bins, set where the answer is "yes".
BEGIN, END, DEPTH, PARENT, LEFT, COLUMN, BIN, MISSING_LEFT, YES = range(9)
N_YES = 4
N_FIELDS = YES + N_YES

NOTHING = -1
BELOW_ALL = -1  # the bin of a question that every number answers "no"


@kernel
def new_node(nodes, node, parent, begin, end, depth):
    """Write a node that is a leaf until it is split."""
    for field in range(nodes.shape[1]):
        nodes[node, field] = NOTHING
    nodes[node, BEGIN] = begin
    nodes[node, END] = end
    nodes[node, DEPTH] = depth
    nodes[node, PARENT] = parent


@kernel
def answer_missing(nodes, node):
    """Let a question answer missing values as MISSING_LEFT says."""
    last = YES + MISSING_BIN // 64
    bit = np.uint64(1) << np.uint64(MISSING_BIN % 64)
    word = np.uint64(nodes[node, last]) & ~bit
    nodes[node, last] = np.int64(word | bit if nodes[node, MISSING_LEFT] == 1 else word)


@kernel
def ask_below(nodes, node):
    """Let a node ask whether a number's bin is BIN or lower."""
    for word in range(N_YES):
        place = nodes[node, BIN] - 64 * word
        own = np.uint64(1) << np.uint64(place) if 0 <= place < 64 else np.uint64(0)
        bits = own | (own - np.uint64(1)) if 0 <= place < 64 else np.uint64(0)
        nodes[node, YES + word] = np.int64(-1) if place >= 64 else np.int64(bits)
    answer_missing(nodes, node)


@kernel
def ask_members(nodes, node, order, n):
    """Let a node ask whether a category's bin is among the first of `order`."""
    for word in range(N_YES):
        nodes[node, YES + word] = 0
    for place in range(n):
        b = order[place]
        word = YES + b // 64
        bits = np.uint64(nodes[node, word]) | np.uint64(1) << np.uint64(b % 64)
        nodes[node, word] = np.int64(bits)
    answer_missing(nodes, node)


@kernel
def ask_bits(nodes, node, bits):
    """Let a node ask whether the bit of a bin is set, shape (4,)."""
    for word in range(N_YES):
        nodes[node, YES + word] = np.int64(bits[word])
    answer_missing(nodes, node)


@kernel
def answer_of(nodes, node, b):
    """Return 1 if a bin answers a node's question with "yes", else 0."""
    return np.uint64(nodes[node, YES + b // 64]) >> np.uint64(b % 64) & np.uint64(1)


@kernel
def fill_answers(nodes, node, matrix, answers):
    """Fill which bytes answer a node's question with "yes": `answers[byte]` is 1 where a row goes left.

    A byte is a bin, unless columns share it: see `shared_bytes`.
    """
    line = matrix.lines[nodes[node, COLUMN]]
    if line == ALONE:
        for b in range(N_BIN_VALUES):
            answers[b] = np.uint8(answer_of(nodes, node, b))
    else:
        for byte in range(N_BIN_VALUES):
            answers[byte] = np.uint8(answer_of(nodes, node, np.int64(matrix.bins_of_byte[line, byte])))


@kernel
def first_member(nodes, node):
    """Return the lowest bin that answers "yes"."""
    for b in range(N_BIN_VALUES):
        if answer_of(nodes, node, b):
            return b
    return 0
