"""Sums of packed gradients by column and bin, for the nodes of a wave.

A histogram is one row of the pool, HISTOGRAM_STRIDE entries a column (not 256: columns two KiB apart
would compete for the same cache lines):

    | column 0: bins 0 … 255, 8 unused | column 1: … | … | column d−1: … | fine columns |

Only the smaller child of a split is counted; its sibling is the parent minus it (see node_search.py). Rows
are counted a block of rows and two words (16 columns) at a time, so that the histograms being written
stay in the innermost cache; and all blocks for 256 columns before the next, so that what the blocks go
through again and again stays in the cache behind it.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.fine_histogram import count_fine_rows
from workbench.trees.instructions import prefetch
from workbench.trees.kernel_arrays import LINE_WORDS
from workbench.trees.parallel import part_begin

HISTOGRAM_STRIDE = 264
PREFETCH_ROWS = 128
BLOCK_ROWS = 512
BINS_A_WORD = 8
TILE_WORDS = 32


@kernel
def add_word(histogram, base, word, value):
    """Add a row's packed gradients to the bins of the eight columns of a word; histograms from `base`."""
    one_byte = np.uint64(255)
    stride = np.uint64(HISTOGRAM_STRIDE)
    histogram[base + (word & one_byte)] += value
    histogram[base + stride + ((word >> np.uint64(8)) & one_byte)] += value
    histogram[base + np.uint64(2) * stride + ((word >> np.uint64(16)) & one_byte)] += value
    histogram[base + np.uint64(3) * stride + ((word >> np.uint64(24)) & one_byte)] += value
    histogram[base + np.uint64(4) * stride + ((word >> np.uint64(32)) & one_byte)] += value
    histogram[base + np.uint64(5) * stride + ((word >> np.uint64(40)) & one_byte)] += value
    histogram[base + np.uint64(6) * stride + ((word >> np.uint64(48)) & one_byte)] += value
    histogram[base + np.uint64(7) * stride + (word >> np.uint64(56))] += value


@kernel
def ask_for_record(records, row, word, n_words):
    """Ask memory for the gradients of a record that is read soon, and for every line of these words."""
    begin = row * np.uint64(records.shape[1])
    prefetch(records, begin)
    for ahead in range(np.uint64(LINE_WORDS), n_words, np.uint64(LINE_WORDS)):
        prefetch(records, begin + word + ahead)
    prefetch(records, begin + word + n_words)


@kernel
def count_rows(records, rows, begin, end, n_features, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in every column.

    Parameters
    ----------
    records : ndarray of uint64, shape (n, 1 + ceil(d / 8))
        See `BinnedMatrix`; gradients are packed in word 0.
    rows : ndarray of uint32
    histogram : ndarray of int64, shape (d * HISTOGRAM_STRIDE,)
    """
    tile = TILE_WORDS * BINS_A_WORD
    for first in range(0, n_features, tile):
        n = n_features - first if n_features - first < tile else tile
        of_tile = histogram[first * HISTOGRAM_STRIDE : (first + n) * HISTOGRAM_STRIDE]
        count_tile(records, rows, begin, end, first // BINS_A_WORD, n, of_tile)


@kernel
def count_tile(records, rows, begin, end, first_word, n_features, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in the columns from a word on."""
    stride = np.uint64(HISTOGRAM_STRIDE)
    word_stride = np.uint64(BINS_A_WORD) * stride
    one = np.uint64(1)
    two = np.uint64(2)
    ahead = np.uint64(PREFETCH_ROWS)
    before = np.uint64(first_word)
    whole_words = np.uint64(n_features // BINS_A_WORD)
    rest = np.uint64(n_features % BINS_A_WORD)
    n_words = whole_words + np.uint64(rest > 0)
    last = np.uint64(end - 1)
    for first in range(np.uint64(begin), np.uint64(end), np.uint64(BLOCK_ROWS)):
        stop = first + np.uint64(BLOCK_ROWS)
        stop = stop if stop < np.uint64(end) else np.uint64(end)
        w = np.uint64(0)
        while w + one < whole_words:
            base = w * word_stride
            for i in range(first, stop):
                row = np.uint64(rows[i])
                if w == np.uint64(0):
                    soon = np.uint64(rows[i + ahead if i + ahead < last else last])
                    ask_for_record(records, soon, before, n_words)
                value = np.int64(records[row, 0])
                add_word(histogram, base, records[row, before + w + one], value)
                add_word(histogram, base + word_stride, records[row, before + w + two], value)
            w += two
        if w < whole_words:
            for i in range(first, stop):
                row = np.uint64(rows[i])
                if w == np.uint64(0):
                    soon = np.uint64(rows[i + ahead if i + ahead < last else last])
                    ask_for_record(records, soon, before, n_words)
                word = records[row, before + w + one]
                add_word(histogram, w * word_stride, word, np.int64(records[row, 0]))
            w += one
        if rest:
            for i in range(first, stop):
                row = np.uint64(rows[i])
                if w == np.uint64(0):
                    soon = np.uint64(rows[i + ahead if i + ahead < last else last])
                    ask_for_record(records, soon, before, n_words)
                value = np.int64(records[row, 0])
                word = records[row, before + w + one]
                base = w * word_stride
                for _ in range(rest):
                    histogram[base + (word & np.uint64(255))] += value
                    word >>= np.uint64(8)
                    base += stride


@kernel(takes_none=True)
def count_part(
    part, parts, records, rows, counted, begins, row_offsets, n_nodes, slots, n_features, fine, pool, heads,
    head_of_part,
):
    """Count one part of the rows of all nodes: a node that began in an earlier part goes to `heads`.

    nodes   |---- a ----|-- b --|- c -|--------- d ---------|
    parts   |   0   |   1   |   2   |   3   |   4   |   5   |

    Part 3 counts the rest of c into heads[3], and the beginning of d into d's own histogram.

    Parameters
    ----------
    counted, begins : ndarray of int64, shape (>= n_nodes,)
        The nodes, and where each one's rows begin in `rows`.
    row_offsets : ndarray of int64, shape (> n_nodes,)
        Rows of the nodes before each; the last is the number of all. Every node has a row.
    slots : ndarray of int64
        Each node's row of the pool, by node.
    n_features : int
        Columns whose bins are bytes.
    fine : FineColumns or None
    heads : ndarray of int64, shape (parts, histogram)
        Private histogram of each part; belongs to node `head_of_part[part]` unless that is -1.
    """
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
            head_of_part[part] = counted[k]
            histogram = heads[part]
        else:
            histogram = pool[slots[counted[k]]]
        for entry in range(len(histogram)):
            histogram[entry] = 0
        shift = begins[k] - row_offsets[k]
        count_rows(records, rows, begin + shift, end + shift, n_features, histogram)
        if fine is not None:
            count_fine_rows(records, rows, begin + shift, end + shift, fine, fine.room[part], histogram)
