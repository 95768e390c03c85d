"""The rows of a node parted into those of its children, in place and in order.

Every node owns a range of one list of rows; a split turns it into two ranges:

    rows    | … | node: begin ………………… end | … |
    after   | … | left: begin …… | right: … end | … |

A part of the work is one stretch of rows of one or several nodes. Its left rows move to its front, its right
rows to the front of the same stretch of `stage`; the left ones follow there if the node does not begin with
them. Then all that is staged is copied to where it belongs.

    rows    | a B c D e | f G H i |        a node in two parts, right ones in capitals
    staged  | a c e . . | . . . . |
    stage   | B D . . . | G H f i |
    after   | a c e f i | B D G H |
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import keep_chosen
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.grown_nodes import BIN, COLUMN, fill_answers
from workbench.trees.hist.fine_rows import missing_bin_left, stage_fine_rows


@kernel
def answers_of_sixteen(column, rows, first, answers):
    """Return a bit for each of `rows[first : first + 16]`, set where the answer is "yes"."""
    bits = np.uint64(0)
    for k in range(np.uint64(16)):
        bits |= np.uint64(answers[column[np.uint64(rows[first + k])]]) << k
    return bits


@kernel
def stage_rows(column, rows, begin, end, answers, stage):
    """Move the left rows of `rows[begin:end]` to the front, and the right ones to that stretch of `stage`.

    Returns
    -------
    int
        Number of left rows.
    """
    first, last, sixteen = np.uint64(begin), np.uint64(end), np.uint64(16)
    whole = last - (last - first) % sixteen
    left = right = first
    for i in range(first, whole, sixteen):
        yes = answers_of_sixteen(column, rows, i, answers)
        right += keep_chosen(rows, i, ~yes, stage, right)
        left += keep_chosen(rows, i, yes, rows, left)
    for i in range(whole, last):
        row = rows[i]
        yes = np.uint64(answers[column[np.uint64(row)]])
        stage[right] = row
        rows[left] = row
        right += np.uint64(1) - yes
        left += yes
    return np.int64(left) - begin


@kernel
def copy_rows(source, begin, n, target, to):
    """Copy `n` rows."""
    first, place = np.uint64(begin), np.uint64(to)
    for i in range(np.uint64(n)):
        target[place + i] = source[first + i]


@kernel
def _stretch(part, parts, k, wave):
    """Return the rows of node k that belong to this part, as a range of `rows`; empty if none."""
    offsets = wave.offsets
    n_rows = offsets[wave.n_nodes]
    first = part_begin(part, parts, n_rows)
    last = part_begin(part + 1, parts, n_rows)
    shift = wave.begins[k] - offsets[k]
    begin = first if first > offsets[k] else offsets[k]
    end = last if last < offsets[k + 1] else offsets[k + 1]
    return begin + shift, end + shift


@kernel(takes_none=True, apart=True)
def stage_part(part, parts, matrix, fine, rows, wave, nodes, answers, stage, n_left):
    """Stage one part of the rows of several nodes.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    rows, stage : ndarray of uint32, shape (m,)
        The rows of all nodes, and room for as many.
    wave : ListedNodes
        The nodes that are parted.
    nodes : ndarray of int64
        See `grown_nodes`.
    answers : ndarray of uint8, shape (256,)
        Room for this part.
    n_left : ndarray of int64, shape (parts, >= n_nodes)
        Filled with the left rows of this part and each node.
    """
    for k in range(wave.n_nodes):
        begin, end = _stretch(part, parts, k, wave)
        n_left[part, k] = 0
        if begin >= end:
            continue
        node = wave.nodes[k]
        column = nodes[node, COLUMN]
        place = matrix.places[column]
        if fine is not None and fine.is_fine[column]:
            also = missing_bin_left(nodes, node, matrix.n_bins[column])
            n = stage_fine_rows(fine.bins[place], rows, begin, end, nodes[node, BIN], also, stage)
        else:
            fill_answers(nodes, node, matrix, answers)
            n = stage_rows(matrix.by_column[place], rows, begin, end, answers, stage)
        n_left[part, k] = n
        if begin > wave.begins[k]:
            copy_rows(rows, begin, n, stage, end - n)


@kernel
def count_left(n_left, parts, k):
    """Return how many rows of node k the first so many parts sent left."""
    total = np.int64(0)
    for part in range(parts):
        total += n_left[part, k]
    return total


@kernel(apart=True)
def unstage_part(part, parts, rows, wave, stage, n_left):
    """Bring one part of the staged rows to their places, once every part has staged its own."""
    for k in range(wave.n_nodes):
        begin, end = _stretch(part, parts, k, wave)
        if begin >= end:
            continue
        first = wave.begins[k]
        n, left_before = n_left[part, k], count_left(n_left, part, k)
        if begin > first:
            copy_rows(stage, end - n, n, rows, first + left_before)
        right_to = first + count_left(n_left, parts, k) + (begin - first - left_before)
        copy_rows(stage, begin, end - begin - n, rows, right_to)
