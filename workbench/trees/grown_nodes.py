"""The nodes of a tree while it grows: one line of integers a node, parents before children."""

from __future__ import annotations

import numpy as np

from workbench.trees.binning import MISSING_BIN
from workbench.trees.kernel import kernel

# Where its rows are; its depth and parent; its left child (the right one is next); its question.
BEGIN, END, DEPTH, PARENT, LEFT, COLUMN, BIN, MISSING_LEFT = range(8)
N_FIELDS = 8

NOTHING = -1
N_BIN_VALUES = 256


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
def fill_answers(nodes, node, is_category, answers):
    """Fill which bins answer a node's question with "yes": `answers[bin]` is 1 where a row goes left."""
    split_bin = nodes[node, BIN]
    if is_category[nodes[node, COLUMN]]:
        answers[:] = 0
        answers[split_bin] = 1
    else:
        answers[:] = 1
        answers[split_bin + 1 :] = 0
    answers[MISSING_BIN] = np.uint8(nodes[node, MISSING_LEFT])
