"""Full-precision G, H and row count of every leaf, added in blocks of rows that no thread count changes."""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.parallel import part_begin, parts_for

BLOCK_ROWS = 16_384
ROWS_A_NODE = 8  # keeps the sums of all blocks smaller than the data however many nodes there are


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_block(rows, begin, end, labels, gradients, hessians, sums):
    for node in range(len(sums)):
        for field in range(3):
            sums[node, field] = 0.0
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        leaf = np.uint64(labels[row])
        sums[leaf, 0] += gradients[row]
        sums[leaf, 1] += hessians[row]
        sums[leaf, 2] += 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_part(part, parts, rows, labels, gradients, hessians, of_block, block_rows):
    n_blocks = len(of_block)
    for block in range(part_begin(part, parts, n_blocks), part_begin(part + 1, parts, n_blocks)):
        begin = block * block_rows
        end = begin + block_rows if begin + block_rows < len(rows) else len(rows)
        _sum_block(rows, begin, end, labels, gradients, hessians, of_block[block])


@njit(cache=True, nogil=True, error_model="numpy")
def _add_blocks(of_block):
    total = np.zeros((of_block.shape[1], of_block.shape[2]))
    for block in range(len(of_block)):
        for node in range(len(total)):
            for field in range(3):
                total[node, field] += of_block[block, node, field]
    return total


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
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
    block_rows = n_nodes * ROWS_A_NODE if n_nodes * ROWS_A_NODE > BLOCK_ROWS else BLOCK_ROWS
    n_blocks = (len(rows) + block_rows - 1) // block_rows
    of_block = np.empty((n_blocks, n_nodes, 3))
    parts = parts_for(threads, len(rows))
    if parts == 1:
        _sum_part(np.int64(0), parts, rows, labels, gradients, hessians, of_block, block_rows)
    else:
        for part in prange(parts):
            _sum_part(np.int64(part), parts, rows, labels, gradients, hessians, of_block, block_rows)
    return _add_blocks(of_block)
