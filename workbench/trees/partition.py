"""The rows of a node parted into those of its children, in place and in order.

Every node owns a range of one list of rows; a split turns it into two ranges:

    rows    | … | node: begin ………………… end | … |
    after   | … | left: begin …… | right: … end | … |

A part of the work is one stretch of rows of one or several nodes. Left rows are written to the front of
the stretch in `stage`, right rows to its back (reversed), then both are copied to where they belong.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.binning import MISSING_BIN
from workbench.trees.parallel import part_begin

N_BIN_VALUES = 256


@njit(cache=True, nogil=True, error_model="numpy")
def fill_answers(is_category, split_bin, missing_left, answers):
    """Fill which bins answer "yes": `answers[bin]` is 1 where a row goes left."""
    for b in range(N_BIN_VALUES):
        answers[b] = b == split_bin if is_category else b <= split_bin
    answers[MISSING_BIN] = missing_left


@njit(cache=True, nogil=True, error_model="numpy")
def stage_rows(column, rows, begin, end, answers, stage):
    """Write the left rows of `rows[begin:end]` to the front of that stretch of `stage`, right ones behind.

    Returns
    -------
    int
        Number of left rows.
    """
    front = np.uint64(begin)
    back = np.uint64(end - 1)
    for i in range(np.uint64(begin), np.uint64(end)):
        row = rows[i]
        yes = np.uint64(answers[column[np.uint64(row)]])
        stage[front] = row
        stage[back] = row
        front += yes
        back -= np.uint64(1) - yes
    return np.int64(front) - begin


@njit(cache=True, nogil=True, error_model="numpy")
def unstage_rows(stage, begin, end, n_left, rows, left_to, right_to):
    """Copy a staged stretch to its places, the right rows turned back into their order."""
    for i in range(n_left):
        rows[left_to + i] = stage[begin + i]
    for i in range(end - begin - n_left):
        rows[right_to + i] = stage[end - 1 - i]


@njit(cache=True, nogil=True, error_model="numpy")
def _stretch(part, parts, k, begins, row_offsets):
    """Return the rows of node k that belong to this part, as a range of `rows`; empty if none."""
    n_rows = row_offsets[len(begins)]
    first = part_begin(part, parts, n_rows)
    last = part_begin(part + 1, parts, n_rows)
    shift = begins[k] - row_offsets[k]
    begin = first if first > row_offsets[k] else row_offsets[k]
    end = last if last < row_offsets[k + 1] else row_offsets[k + 1]
    return begin + shift, end + shift


@njit(cache=True, nogil=True, error_model="numpy")
def _stage_part(part, parts, by_column, rows, begins, row_offsets, columns, answers, stage, n_left):
    for k in range(len(begins)):
        begin, end = _stretch(part, parts, k, begins, row_offsets)
        n_left[part, k] = 0
        if begin < end:
            n_left[part, k] = stage_rows(by_column[columns[k]], rows, begin, end, answers[k], stage)


@njit(cache=True, nogil=True, error_model="numpy")
def count_left(n_left, parts, k):
    """Return how many rows of node k the first so many parts sent left."""
    total = np.int64(0)
    for part in range(parts):
        total += n_left[part, k]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _unstage_part(part, parts, rows, begins, row_offsets, stage, n_left):
    for k in range(len(begins)):
        begin, end = _stretch(part, parts, k, begins, row_offsets)
        if begin >= end:
            continue
        left_before = count_left(n_left, part, k)
        left_to = begins[k] + left_before
        right_to = begins[k] + count_left(n_left, parts, k) + (begin - begins[k] - left_before)
        unstage_rows(stage, begin, end, n_left[part, k], rows, left_to, right_to)


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def partition_nodes(parts, by_column, rows, begins, row_offsets, columns, answers, stage, n_left):
    """Part the rows of several nodes at once, each between its left and right child.

    Parameters
    ----------
    by_column : ndarray of uint8, shape (d, n)
    rows, stage : ndarray of uint32, shape (m,)
        The rows of all nodes, and room for as many.
    begins, row_offsets : ndarray of int64, shapes (k,) and (k + 1,)
        Where each node's rows begin in `rows`; how many rows the nodes before it have.
    columns : ndarray of int64, shape (k,)
        The column that each node asks about.
    answers : ndarray of uint8, shape (k, 256)
        From `fill_answers`.
    n_left : ndarray of int64, shape (parts, k)
        Filled with the left rows of each part and node.
    """
    if parts == 1:
        _stage_part(np.int64(0), parts, by_column, rows, begins, row_offsets, columns, answers, stage, n_left)
        _unstage_part(np.int64(0), parts, rows, begins, row_offsets, stage, n_left)
        return
    for part in prange(parts):
        _stage_part(
            np.int64(part), parts, by_column, rows, begins, row_offsets, columns, answers, stage, n_left
        )
    for part in prange(parts):
        _unstage_part(np.int64(part), parts, rows, begins, row_offsets, stage, n_left)


@njit(cache=True, nogil=True, error_model="numpy")
def _label_part(part, parts, rows, begins, row_offsets, left, columns, answers, by_column, nodes, labels):
    for k in range(len(begins)):
        begin, end = _stretch(part, parts, k, begins, row_offsets)
        if left[k] < 0:
            for i in range(begin, end):
                labels[np.uint64(rows[i])] = nodes[k]
        else:
            column = by_column[columns[k]]
            for i in range(begin, end):
                row = np.uint64(rows[i])
                labels[row] = left[k] + 1 - answers[k, column[row]]


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def label_rows(parts, rows, begins, row_offsets, left, columns, answers, by_column, nodes, labels):
    """Write to each row the leaf it ended in.

    Parameters
    ----------
    nodes : ndarray of int64, shape (k,)
        Nodes that own a range of `rows`: leaves, and splits of the last level, whose rows are not
        parted any more but told apart here.
    left : ndarray of int64, shape (k,)
        Left child of such a split, −1 for a leaf; `columns` and `answers` are its question.
    labels : ndarray of int32, shape (n,)
        Filled at `rows`.
    """
    if parts == 1:
        _label_part(
            np.int64(0), parts, rows, begins, row_offsets, left, columns, answers, by_column, nodes, labels
        )
        return
    for part in prange(parts):
        _label_part(
            np.int64(part), parts, rows, begins, row_offsets, left, columns, answers, by_column, nodes, labels
        )
