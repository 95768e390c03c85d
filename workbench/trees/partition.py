"""The rows of a node parted into those of its children, in place and in order.

Every node owns a range of one list of rows; a split turns it into two ranges:

    rows    | … | node: begin ………………… end | … |
    after   | … | left: begin …… | right: … end | … |

A part of the work is one stretch of rows of one or several nodes. Left rows are written to the front of
the stretch in `stage`, right rows to its back (reversed), then both are copied to where they belong.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.fine_rows import label_fine_rows, missing_bin_left, stage_fine_rows
from workbench.trees.grown_nodes import BIN, COLUMN, END, LEFT, fill_answers
from workbench.trees.parallel import part_begin

LABELLED_ROWS = 32_768  # their labels stay in the second cache
LABELLED_AN_OWNER = 512  # finding where these begin takes little beside them


@kernel
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


@kernel
def unstage_rows(stage, begin, end, n_left, rows, left_to, right_to):
    """Copy a staged stretch to its places, the right rows turned back into their order."""
    source = np.uint64(begin)
    target = np.uint64(left_to)
    for i in range(np.uint64(n_left)):
        rows[target + i] = stage[source + i]
    source = np.uint64(end - 1)
    target = np.uint64(right_to)
    for i in range(np.uint64(end - begin - n_left)):
        rows[target + i] = stage[source - i]


@kernel
def _stretch(part, parts, k, begins, row_offsets, n_nodes):
    """Return the rows of node k that belong to this part, as a range of `rows`; empty if none."""
    n_rows = row_offsets[n_nodes]
    first = part_begin(part, parts, n_rows)
    last = part_begin(part + 1, parts, n_rows)
    shift = begins[k] - row_offsets[k]
    begin = first if first > row_offsets[k] else row_offsets[k]
    end = last if last < row_offsets[k + 1] else row_offsets[k + 1]
    return begin + shift, end + shift


@kernel(takes_none=True)
def stage_part(
    part, parts, matrix, fine, rows, wave, begins, row_offsets, n_nodes, nodes, answers, stage, n_left,
):
    """Stage one part of the rows of several nodes.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    rows, stage : ndarray of uint32, shape (m,)
        The rows of all nodes, and room for as many.
    wave : ndarray of int64, shape (>= n_nodes,)
        Numbers of the nodes.
    begins, row_offsets : ndarray of int64, shapes (>= n_nodes,) and (> n_nodes,)
        Where each node's rows begin in `rows`; how many rows the nodes before it have.
    nodes : ndarray of int64
        See `grown_nodes`.
    answers : ndarray of uint8, shape (256,)
        Room for this part.
    n_left : ndarray of int64, shape (parts, >= n_nodes)
        Filled with the left rows of this part and each node.
    """
    for k in range(n_nodes):
        begin, end = _stretch(part, parts, k, begins, row_offsets, n_nodes)
        n_left[part, k] = 0
        if begin >= end:
            continue
        column = nodes[wave[k], COLUMN]
        place = matrix.places[column]
        if fine is not None and fine.is_fine[column]:
            also = missing_bin_left(nodes, wave[k], matrix.n_bins[column])
            n_left[part, k] = stage_fine_rows(
                fine.bins[place], rows, begin, end, nodes[wave[k], BIN], also, stage
            )
            continue
        fill_answers(nodes, wave[k], answers)
        n_left[part, k] = stage_rows(matrix.by_column[place], rows, begin, end, answers, stage)


@kernel
def count_left(n_left, parts, k):
    """Return how many rows of node k the first so many parts sent left."""
    total = np.int64(0)
    for part in range(parts):
        total += n_left[part, k]
    return total


@kernel
def unstage_part(part, parts, rows, begins, row_offsets, n_nodes, stage, n_left):
    """Bring one part of the staged rows to their places, once every part has staged its own."""
    for k in range(n_nodes):
        begin, end = _stretch(part, parts, k, begins, row_offsets, n_nodes)
        if begin >= end:
            continue
        left_before = count_left(n_left, part, k)
        left_to = begins[k] + left_before
        right_to = begins[k] + count_left(n_left, parts, k) + (begin - begins[k] - left_before)
        unstage_rows(stage, begin, end, n_left[part, k], rows, left_to, right_to)


@kernel
def first_from(rows, begin, end, least):
    """Return the first place in ascending `rows[begin:end]` with a row of at least `least`; `end` if none."""
    if begin == end or rows[begin] >= least:
        return begin
    if rows[end - 1] < least:
        return end
    while end - begin > 1:
        middle = (begin + end) // 2
        if rows[middle] < least:
            begin = middle
        else:
            end = middle
    return end


@kernel(takes_none=True)
def label_rows(matrix, fine, rows, begin, end, owner, nodes, answers, labels):
    """Write to `rows[begin:end]`, which a node owns, the leaf that each ended in."""
    left = nodes[owner, LEFT]
    if left < 0:
        for i in range(np.uint64(begin), np.uint64(end)):
            labels[np.uint64(rows[i])] = owner
        return
    asked = nodes[owner, COLUMN]
    place = matrix.places[asked]
    if fine is not None and fine.is_fine[asked]:
        also = missing_bin_left(nodes, owner, matrix.n_bins[asked])
        label_fine_rows(fine.bins[place], rows, begin, end, nodes[owner, BIN], also, left, labels)
        return
    fill_answers(nodes, owner, answers)
    column = matrix.by_column[place]
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        labels[row] = left + 1 - answers[column[row]]


@kernel(takes_none=True)
def label_part(
    part, parts, matrix, fine, rows, owners, begins, row_offsets, n_owners, nodes, answers, labels
):
    """Write to one part of all rows the leaf that each ended in, as far as they are listed.

    A block of neighbours after the other, so that what is written stays in the cache until all who own some
    of them have come.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    rows : ndarray of uint32
        Those of each owner ascending.
    owners : ndarray of int64, shape (>= n_owners,)
        Nodes that own a range of `rows`: leaves, and splits of the last level, whose rows are not
        parted any more but told apart here.
    labels : ndarray of int32, shape (n,)
        Filled at `rows`.
    """
    least = LABELLED_AN_OWNER * n_owners
    size = least if least > LABELLED_ROWS else LABELLED_ROWS
    last = part_begin(part + 1, parts, len(labels))
    for first in range(part_begin(part, parts, len(labels)), last, size):
        behind = first + size if first + size < last else last
        for k in range(n_owners):
            end = begins[k] + row_offsets[k + 1] - row_offsets[k]
            begin = first_from(rows, begins[k], end, first)
            end = first_from(rows, begin, end, behind)
            if begin < end:
                label_rows(matrix, fine, rows, begin, end, owners[k], nodes, answers, labels)


@kernel
def owns_rows(nodes, node):
    """Whether rows are listed under a node: it is a leaf, or a split of the last level."""
    left = nodes[node, LEFT]
    return nodes[node, END] > 0 and (left < 0 or nodes[left, END] == 0)
