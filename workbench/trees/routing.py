"""Binned rows walked down a finished tree, for rows that did not grow it."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.binning import MISSING_BIN
from workbench.trees.parallel import part_begin, parts_for

# Fields of a question on bins.
COLUMN, BIN, IS_CATEGORY, MISSING_LEFT, LEFT = range(5)
N_FIELDS = 5


@njit(cache=True, nogil=True)
def leaf_of_bins(words, row, questions):
    """Return the leaf that a binned row falls into.

    Parameters
    ----------
    questions : ndarray of int32, shape (n_nodes, N_FIELDS)
        Column −1 in a leaf.
    """
    node = 0
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


@njit(cache=True, nogil=True)
def _add_walked_part(words, rows, begin, end, questions, leaf_values, raw):
    for i in range(begin, end):
        row = np.uint64(rows[i])
        raw[row] += leaf_values[leaf_of_bins(words, row, questions)]


@njit(cache=True, nogil=True, parallel=True)
def add_walked(threads, words, rows, questions, leaf_values, raw):
    """Walk the given rows down the tree and add their leaves' values, in float32.

    Parameters
    ----------
    rows : ndarray of uint32, shape (m,)
    leaf_values : ndarray of float32, shape (n_nodes,)
    raw : ndarray of float32, shape (n,)
    """
    parts = parts_for(threads, len(rows))
    if parts == 1:
        _add_walked_part(words, rows, np.int64(0), len(rows), questions, leaf_values, raw)
        return
    for part in prange(parts):
        begin = np.int64(part_begin(np.int64(part), parts, len(rows)))
        end = np.int64(part_begin(np.int64(part) + 1, parts, len(rows)))
        _add_walked_part(words, rows, begin, end, questions, leaf_values, raw)


@njit(cache=True, nogil=True)
def _add_labelled_part(rows, begin, end, labels, values, raw):
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        raw[row] += values[np.uint64(labels[row])]


@njit(cache=True, nogil=True, parallel=True)
def add_labelled(threads, rows, labels, values, raw):
    """Add `values[labels[row]]` to the raw prediction of the given rows, in float32."""
    parts = parts_for(threads, len(rows))
    if parts == 1:
        _add_labelled_part(rows, np.int64(0), len(rows), labels, values, raw)
        return
    for part in prange(parts):
        begin = np.int64(part_begin(np.int64(part), parts, len(rows)))
        end = np.int64(part_begin(np.int64(part) + 1, parts, len(rows)))
        _add_labelled_part(rows, begin, end, labels, values, raw)
