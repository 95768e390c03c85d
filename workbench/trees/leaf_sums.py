"""Full-precision G, H and row count of every leaf, added in blocks of rows that no thread count changes.

of_block   | G H n – | G H n – | …        four a node, the last unused: one store a row
sums       | G H n | G H n | …            the blocks added up
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import add_side_by_side
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin

LEAF_BLOCK_ROWS = 16_384
ROWS_A_NODE = 8  # keeps the sums of all blocks smaller than the data however many nodes there are
GRADIENT, HESSIAN, COUNT = range(3)
N_LEAF_SUMS = 3
STRIDE = 4


@kernel
def block_size(n_nodes):
    """Return the rows of a block where a tree has so many nodes."""
    least = n_nodes * ROWS_A_NODE
    return least if least > LEAF_BLOCK_ROWS else LEAF_BLOCK_ROWS


@kernel
def block_count(n_rows, n_nodes):
    """Return the number of blocks."""
    size = block_size(n_nodes)
    return (n_rows + size - 1) // size


@kernel(takes_none=True)
def _sum_block(rows, begin, end, labels, gradients, hessians, n_nodes, sums):
    sums[: n_nodes * STRIDE] = 0.0
    for i in range(np.uint64(begin), np.uint64(end)):
        row = i if rows is None else np.uint64(rows[i])
        leaf = np.uint64(labels[row]) * np.uint64(STRIDE)
        add_side_by_side(sums, leaf, gradients[row], hessians[row], 1.0)


@kernel(takes_none=True, apart=True)
def sum_leaves_part(part, parts, rows, labels, gradients, hessians, n_nodes, of_block):
    """Sum gradients, hessians and rows by label, for one part of the blocks.

    Parameters
    ----------
    rows : ndarray of uint32, shape (m,), or None
        Ascending, so that memory is read in order. None: every row.
    labels : ndarray of int32, shape (n,)
        The leaf of each row, below `n_nodes`.
    gradients, hessians : ndarray of float64, shape (n,)
    of_block : ndarray of float64, shape (>= blocks * n_nodes * STRIDE,)
    """
    n_rows = len(labels) if rows is None else len(rows)
    n_blocks = block_count(n_rows, n_nodes)
    size = block_size(n_nodes)
    step = n_nodes * STRIDE
    for block in range(part_begin(part, parts, n_blocks), part_begin(part + 1, parts, n_blocks)):
        begin = block * size
        end = begin + size if begin + size < n_rows else n_rows
        _sum_block(rows, begin, end, labels, gradients, hessians, n_nodes, of_block[block * step :])


@kernel(apart=True)
def add_blocks(of_block, n_rows, n_nodes, sums):
    """Fill G, H and count of all nodes, shape (>= n_nodes, N_LEAF_SUMS); zeros where they are no leaves."""
    for node in range(n_nodes):
        for field in range(N_LEAF_SUMS):
            total = 0.0
            for block in range(block_count(n_rows, n_nodes)):
                total += of_block[(block * n_nodes + node) * STRIDE + field]
            sums[node, field] = total


def size_for(n_rows: int, capacity: int) -> int:
    """Return how many numbers the sums of all blocks take, at most, in trees of so many nodes."""
    return STRIDE * (n_rows // ROWS_A_NODE + n_rows // LEAF_BLOCK_ROWS + 2 * capacity)
