"""Sums of packed gradients by column and bin, for the nodes of a wave.

A histogram is one row of the pool, HISTOGRAM_STRIDE entries a column (not 256: columns two KiB apart
would compete for the same cache lines):

    | column 0: bins 0 … 255, 8 unused | column 1: … | … | column d−1: … | fine columns |

Only the smaller child of a split is counted; its sibling is the parent minus it (see node_search.py). Rows
are counted a block at a time: their records, which lie far apart where a node has few of all rows, are
fetched side by side, and the next block's are asked for; then a word (8 columns) of the block is counted
after the other, so that the histograms being written stay in the innermost cache. All blocks are counted
for 256 columns before the next, so that what they go through again and again stays in the cache behind it.

    records   | g | w0 w1 w2 |  …  | g | w0 w1 w2 |  …            memory
    fetched   | g | w0 w1 w2 | g | w0 w1 w2 | …                   a block, in the innermost cache
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.fine_histogram import count_fine_rows
from workbench.trees.instructions import prefetch
from workbench.trees.kernel_arrays import LINE_WORDS
from workbench.trees.parallel import part_begin

HISTOGRAM_STRIDE = 264
BLOCK_ROWS = 256
BINS_A_WORD = 8
TILE_WORDS = 32


def fetched_shape(n_features: int) -> tuple[int, int]:
    """Return the shape of the room in which a block of rows is counted."""
    return BLOCK_ROWS, 1 + min(-(-n_features // BINS_A_WORD), TILE_WORDS)


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
    ahead = np.uint64(LINE_WORDS)
    while ahead < n_words:
        prefetch(records, begin + word + ahead)
        ahead += np.uint64(LINE_WORDS)
    prefetch(records, begin + word + n_words)


@kernel
def fetch_records(records, rows, first, n, before, n_words, fetched):
    """Copy the gradients and the words after word `before` of `rows[first:first + n]`, side by side."""
    for i in range(n):
        row = np.uint64(rows[first + i])
        fetched[i, 0] = records[row, 0]
        for w in range(np.uint64(1), n_words + np.uint64(1)):
            fetched[i, w] = records[row, before + w]


@kernel
def count_rows(records, rows, begin, end, n_features, fetched, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in every column.

    Parameters
    ----------
    records : ndarray of uint64, shape (n, 1 + ceil(d / 8))
        See `BinnedMatrix`; gradients are packed in word 0.
    rows : ndarray of uint32
    fetched : ndarray of uint64, shape `fetched_shape(d)`
        Room for a block of rows.
    histogram : ndarray of int64, shape (d * HISTOGRAM_STRIDE,)
    """
    tile = TILE_WORDS * BINS_A_WORD
    for first in range(0, n_features, tile):
        n = n_features - first if n_features - first < tile else tile
        of_tile = histogram[first * HISTOGRAM_STRIDE : (first + n) * HISTOGRAM_STRIDE]
        count_tile(records, rows, begin, end, first // BINS_A_WORD, n, fetched, of_tile)


@kernel
def count_tile(records, rows, begin, end, first_word, n_features, fetched, histogram):
    """Add the packed gradients of `rows[begin:end]` to their bins in the columns from a word on."""
    stride = np.uint64(HISTOGRAM_STRIDE)
    word_stride = np.uint64(BINS_A_WORD) * stride
    zero, one = np.uint64(0), np.uint64(1)
    before = np.uint64(first_word)
    whole_words = np.uint64(n_features // BINS_A_WORD)
    rest = np.uint64(n_features % BINS_A_WORD)
    n_words = whole_words + np.uint64(rest > 0)
    last = np.uint64(end - 1)
    for first in range(np.uint64(begin), np.uint64(end), np.uint64(BLOCK_ROWS)):
        n = min(np.uint64(BLOCK_ROWS), np.uint64(end) - first)
        fetch_records(records, rows, first, n, before, n_words, fetched)
        for w in range(whole_words):
            for i in range(n):
                if w == zero:
                    ask_for_record(records, np.uint64(rows[min(first + n + i, last)]), before, n_words)
                add_word(histogram, w * word_stride, fetched[i, w + one], np.int64(fetched[i, 0]))
        if rest:
            for i in range(n):
                if whole_words == zero:
                    ask_for_record(records, np.uint64(rows[min(first + n + i, last)]), before, n_words)
                value = np.int64(fetched[i, 0])
                word = fetched[i, n_words]
                base = whole_words * word_stride
                for _ in range(rest):
                    histogram[base + (word & np.uint64(255))] += value
                    word >>= np.uint64(8)
                    base += stride


@kernel(takes_none=True)
def count_part(
    part, parts, records, rows, counted, begins, row_offsets, n_nodes, slots, n_features, fine, fetched,
    pool, heads, head_of_part,
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
    fetched : ndarray of uint64, shape `fetched_shape(n_features)`
        Room for this part.
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
        count_rows(records, rows, begin + shift, end + shift, n_features, fetched, histogram)
        if fine is not None:
            count_fine_rows(records, rows, begin + shift, end + shift, fine, fine.room[part], histogram)
