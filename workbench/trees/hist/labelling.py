"""Which leaf each row ended in, told by whose range of the list of rows it stands in."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.grown_nodes import BEGIN, BIN, COLUMN, END, LEFT, fill_answers
from workbench.trees.hist.fine_rows import label_fine_rows, missing_bin_left
from workbench.trees.node_lists import N_NODES, N_OWNERS

LABELLED_ROWS = 32_768  # their labels stay in the second cache
LABELLED_AN_OWNER = 512  # finding where these begin takes little beside them


@kernel
def owns_rows(nodes, node):
    """Whether rows are listed under a node: it is a leaf, or a split of the last level."""
    left = nodes[node, LEFT]
    return nodes[node, END] > 0 and (left < 0 or nodes[left, END] == 0)


@kernel(apart=True)
def list_owners(owners, progress, nodes):
    """List the nodes that own rows, with where these begin and how many the nodes before have.

    Parameters
    ----------
    owners : ndarray of int64, shape (3, > n_owners)
        Filled with nodes, begins and offsets.
    """
    n_owners = 0
    owners[2, 0] = 0
    for node in range(progress[N_NODES]):
        if owns_rows(nodes, node):
            owners[0, n_owners] = node
            owners[1, n_owners] = nodes[node, BEGIN]
            owners[2, n_owners + 1] = owners[2, n_owners] + nodes[node, END] - nodes[node, BEGIN]
            n_owners += 1
    progress[N_OWNERS] = n_owners


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
    fill_answers(nodes, owner, matrix, answers)
    column = matrix.by_column[place]
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        labels[row] = left + 1 - answers[column[row]]


@kernel(takes_none=True, apart=True)
def label_part(part, parts, matrix, fine, rows, owners, nodes, answers, labels):
    """Write to one part of all rows the leaf that each ended in, as far as they are listed.

    A block of neighbours after the other, so that what is written stays in the cache until all who own some
    of them have come.

    Parameters
    ----------
    matrix : MatrixArrays
    fine : FineColumns or None
    rows : ndarray of uint32
        Those of each owner ascending.
    owners : ListedNodes
        Nodes that own a range of `rows`: leaves, and splits of the last level, whose rows are not
        parted any more but told apart here.
    labels : ndarray of int32, shape (n,)
        Filled at `rows`.
    """
    begins, offsets = owners.begins, owners.offsets
    least = LABELLED_AN_OWNER * owners.n_nodes
    size = least if least > LABELLED_ROWS else LABELLED_ROWS
    last = part_begin(part + 1, parts, len(labels))
    for first in range(part_begin(part, parts, len(labels)), last, size):
        behind = first + size if first + size < last else last
        for k in range(owners.n_nodes):
            end = begins[k] + offsets[k + 1] - offsets[k]
            begin = first_from(rows, begins[k], end, first)
            end = first_from(rows, begin, end, behind)
            if begin < end:
                label_rows(matrix, fine, rows, begin, end, owners.nodes[k], nodes, answers, labels)
