"""Binned rows walked down a finished tree, for rows that did not grow it."""

from __future__ import annotations

import numpy as np

from workbench.trees.binning import MISSING_BIN
from workbench.trees.kernel import kernel
from workbench.trees.parallel import part_begin

# Fields of a question on bins.
COLUMN, BIN, IS_CATEGORY, MISSING_LEFT, LEFT = range(5)
N_FIELDS = 5


@kernel
def leaf_of_bins(words, row, questions):
    """Return the leaf that a binned row falls into.

    Parameters
    ----------
    questions : ndarray of int32, shape (n_nodes, N_FIELDS)
        Column −1 in a leaf.
    """
    node = np.int64(0)
    while questions[node, COLUMN] >= 0:
        column = np.uint64(questions[node, COLUMN])
        place = (column & np.uint64(7)) << np.uint64(3)
        b = np.int64((words[row, column >> np.uint64(3)] >> place) & np.uint64(255))
        if b == MISSING_BIN:
            yes = questions[node, MISSING_LEFT] != 0
        elif questions[node, IS_CATEGORY] != 0:
            yes = b == questions[node, BIN]
        else:
            yes = b <= questions[node, BIN]
        node = np.int64(questions[node, LEFT]) + (0 if yes else 1)
    return node


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
def add_walked(part, parts, rows, words, questions, value_of_leaf, raw):
    """Add a tree to one part of the rows that are walked down it: drawn not to grow it, or held out.

    Parameters
    ----------
    rows : ndarray of uint32
    words, questions
        Their bins and the tree; see `leaf_of_bins`.
    value_of_leaf : ndarray of float32, shape (n_nodes,)
    raw : ndarray of float32, shape (n,)
    """
    n = len(rows)
    for i in range(part_begin(part, parts, n), part_begin(part + 1, parts, n)):
        row = np.uint64(rows[i])
        raw[row] += value_of_leaf[leaf_of_bins(words, row, questions)]
