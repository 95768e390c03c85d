"""Sums of packed gradients by column and bin, for the nodes of a wave.

A histogram is one row of the pool, HISTOGRAM_STRIDE entries a column (not 256: columns two KiB apart
would compete for the same cache lines):

    | column 0: bins 0 … 255, 8 unused | column 1: … | … | columns padded to a multiple of 8

Only the smaller child of a split is counted; its sibling is the parent minus it (see splitting.py).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from workbench.trees.instructions import prefetch
from workbench.trees.parallel import part_begin

HISTOGRAM_STRIDE = 264
PREFETCH_ROWS = 24


@njit(cache=True, nogil=True, error_model="numpy")
def count_rows(words, packed, rows, begin, end, n_features, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in every column.

    Parameters
    ----------
    words : ndarray of uint64, shape (n, ceil(d / 8))
    packed : ndarray of int64, shape (n,)
    rows : ndarray of uint32
    histogram : ndarray of int64, shape (ceil(d / 8) * 8 * HISTOGRAM_STRIDE,)
    """
    one_byte = np.uint64(255)
    stride = np.uint64(HISTOGRAM_STRIDE)
    n_words = np.uint64(words.shape[1])
    whole_words = np.uint64(n_features // 8)
    rest = np.uint64(n_features % 8)
    last = np.uint64(end - 1)
    ahead = np.uint64(PREFETCH_ROWS)
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        later = np.uint64(rows[i + ahead if i + ahead < last else last])
        prefetch(packed, later)
        prefetch(words, later * n_words)
        value = packed[row]
        base = np.uint64(0)
        for w in range(whole_words):
            word = words[row, w]
            histogram[base + (word & one_byte)] += value
            histogram[base + stride + ((word >> np.uint64(8)) & one_byte)] += value
            histogram[base + np.uint64(2) * stride + ((word >> np.uint64(16)) & one_byte)] += value
            histogram[base + np.uint64(3) * stride + ((word >> np.uint64(24)) & one_byte)] += value
            histogram[base + np.uint64(4) * stride + ((word >> np.uint64(32)) & one_byte)] += value
            histogram[base + np.uint64(5) * stride + ((word >> np.uint64(40)) & one_byte)] += value
            histogram[base + np.uint64(6) * stride + ((word >> np.uint64(48)) & one_byte)] += value
            histogram[base + np.uint64(7) * stride + (word >> np.uint64(56))] += value
            base += np.uint64(8) * stride
        if rest:
            word = words[row, whole_words]
            for _ in range(rest):
                histogram[base + (word & one_byte)] += value
                word >>= np.uint64(8)
                base += stride


@njit(cache=True, nogil=True, error_model="numpy")
def _count_part(
    part, parts, words, packed, rows, begins, row_offsets, slots, n_features, pool, heads, head_of_part
):
    """Count one part of the rows of all nodes: a node that began in an earlier part goes to `heads`."""
    # nodes   |---- a ----|-- b --|- c -|--------- d ---------|
    # parts   |   0   |   1   |   2   |   3   |   4   |   5   |
    # Part 3 counts the rest of c into heads[3], and the beginning of d into d's own histogram.
    n_nodes = len(begins)
    n_rows = row_offsets[n_nodes]
    first = part_begin(part, parts, n_rows)
    last = part_begin(part + 1, parts, n_rows)
    head_of_part[part] = -1
    for k in range(n_nodes):
        begin = first if first > row_offsets[k] else row_offsets[k]
        end = last if last < row_offsets[k + 1] else row_offsets[k + 1]
        if begin >= end:
            continue
        if begin > row_offsets[k]:
            head_of_part[part] = k
            histogram = heads[part]
        else:
            histogram = pool[slots[k]]
        for entry in range(len(histogram)):
            histogram[entry] = 0
        shift = begins[k] - row_offsets[k]
        count_rows(words, packed, rows, begin + shift, end + shift, n_features, histogram)


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def count_nodes(
    parts, words, packed, rows, begins, row_offsets, slots, n_features, pool, heads, head_of_part
):
    """Count the histograms of several nodes, cut into parts of equally many rows.

    Parameters
    ----------
    begins : ndarray of int64, shape (m,)
        Where each node's rows begin in `rows`.
    row_offsets : ndarray of int64, shape (m + 1,)
        Rows of the nodes before each; the last is the number of all. Every node has a row.
    slots : ndarray of int64, shape (m,)
        Each node's row of the pool.
    heads : ndarray of int64, shape (parts, histogram)
        Private histogram of each part; belongs to node `head_of_part[part]` unless that is -1.
    """
    if parts == 1:
        _count_part(
            np.int64(0), parts, words, packed, rows, begins, row_offsets, slots, n_features, pool, heads,
            head_of_part,
        )
    else:
        for part in prange(parts):
            _count_part(
                np.int64(part), parts, words, packed, rows, begins, row_offsets, slots, n_features, pool,
                heads, head_of_part,
            )
