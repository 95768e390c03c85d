"""Full-precision G, H and row count of every leaf, added in blocks of rows that no thread count changes."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.parallel import parts_for

BLOCK_ROWS = 16_384
ROWS_A_NODE = 8  # keeps the sums of all blocks smaller than the data however many nodes there are


@njit(cache=True, nogil=True)
def _sum_block(rows, begin, end, labels, gradients, hessians, sums):
    sums[:] = 0.0
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        node = np.uint64(labels[row])
        sums[node, 0] += gradients[row]
        sums[node, 1] += hessians[row]
        sums[node, 2] += 1.0


@njit(cache=True, nogil=True, parallel=True)
def sum_leaves(threads, rows, labels, gradients, hessians, n_nodes):
    """Sum gradients, hessians and rows by label.

    Parameters
    ----------
    rows : ndarray of uint32, shape (m,)
        Ascending, so that memory is read in order.
    labels : ndarray of int32, shape (n,)
        The leaf of each row, below `n_nodes`.
    gradients, hessians : ndarray of float64, shape (n,)

    Returns
    -------
    ndarray of float64, shape (n_nodes, 3)
        G, H and count; zeros for nodes that are no leaves.
    """
    n_rows = len(rows)
    block_rows = max(BLOCK_ROWS, ROWS_A_NODE * n_nodes)
    n_blocks = (n_rows + block_rows - 1) // block_rows
    of_block = np.empty((n_blocks, n_nodes, 3))
    if parts_for(threads, n_rows) == 1:
        for block in range(n_blocks):
            begin = block * block_rows
            end = min(n_rows, begin + block_rows)
            _sum_block(rows, begin, end, labels, gradients, hessians, of_block[block])
    else:
        for block in prange(n_blocks):
            begin = np.int64(block) * block_rows
            end = min(n_rows, begin + block_rows)
            _sum_block(rows, begin, end, labels, gradients, hessians, of_block[block])
    return _add_blocks(of_block)


@njit(cache=True, nogil=True)
def _add_blocks(of_block):
    total = np.zeros(of_block.shape[1:])
    for block in range(len(of_block)):
        total += of_block[block]
    return total
