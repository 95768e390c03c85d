"""Sums of packed gradients by column and bin, for the nodes of a wave.

A histogram is one row of the pool, HISTOGRAM_STRIDE entries a column (not 256: columns two KiB apart
would compete for the same cache lines):

    | column 0: bins 0 … 255, 8 unused | column 1: … | … | column d−1: … | fine columns |

Only the smaller child of a split is counted; its sibling is the parent minus it (see node_search.py). Rows
are counted a block at a time: their records, which lie far apart where a node has few of all rows, are
fetched side by side; then a word (8 columns) of the block is counted after the other, or two words at
once where the innermost cache has room for their histograms, which are to stay in it. Meanwhile the next
block's records are asked for, a line of each in a pass. All blocks are counted for 256 columns before the
next, so that what they go through again and again stays in the cache behind it.

    records   | g | w0 w1 w2 |  …  | g | w0 w1 w2 |  …            memory
    fetched   | g | w0 w1 w2 | g | w0 w1 w2 | …                   a block, in the innermost cache
    passes        ↓             ↓                                 w0 of all rows, then w1, then w2

An addition is one store, and a processor commits one a cycle: so records are copied four words in a store,
and what differs from word to word is decided outside of the loops over rows.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.instructions import as_it_stands, copy_four, prefetch
from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import LINE_WORDS
from workbench.kernels.processor import innermost_cache_bytes
from workbench.threads.parallel import part_begin
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.hist.fine_histogram import count_fine_rows

HISTOGRAM_STRIDE = 264
WORD_STRIDE = BINS_A_WORD * HISTOGRAM_STRIDE
COUNTS_TWO_WORDS = innermost_cache_bytes() > 2 * 8 * WORD_STRIDE
FETCHED_ROWS = 512
TILE_WORDS = 32


def fetched_shape(n_features: int) -> tuple[int, int]:
    """Return the shape of the room in which a block of rows is counted."""
    return FETCHED_ROWS, 1 + min(-(-n_features // BINS_A_WORD), TILE_WORDS)


@kernel
def add_two(histogram, base, word, value):
    """Add a row's packed gradients to the bins of a word's two lowest columns, histograms from `base`."""
    one_byte = np.uint64(255)
    histogram[base + (word & one_byte)] += value
    histogram[base + np.uint64(HISTOGRAM_STRIDE) + ((word >> np.uint64(8)) & one_byte)] += value


@kernel
def add_four(histogram, base, word, value):
    """Add to the bins in the four lowest columns of a word."""
    add_two(histogram, base, word, value)
    add_two(histogram, base + np.uint64(2 * HISTOGRAM_STRIDE), as_it_stands(word >> np.uint64(16)), value)


@kernel
def add_eight(histogram, base, word, value):
    """Add to the bins in all columns of a word."""
    add_four(histogram, base, word, value)
    add_four(histogram, base + np.uint64(4 * HISTOGRAM_STRIDE), as_it_stands(word >> np.uint64(32)), value)


@kernel
def ask_for_lines(records, rows, place):
    """Ask memory for the line of each row's record that its word `place` is in."""
    width = np.uint64(records.shape[1])
    for i in range(np.uint64(len(rows))):
        prefetch(records, np.uint64(rows[i]) * width + place)


@kernel
def lines_of(n_words, width):
    """Return how many lines of a record its gradients and `n_words` words may be in."""
    if np.uint64(LINE_WORDS) % width == np.uint64(0):
        return np.uint64(1)
    return np.uint64(1) + (n_words + np.uint64(LINE_WORDS - 1)) // np.uint64(LINE_WORDS)


@kernel
def place_to_ask(line, before, n_words):
    """Return a word of each line to count from: line 0 has the gradients, others words after `before`."""
    if line == np.uint64(0):
        return np.uint64(0)
    ahead = line * np.uint64(LINE_WORDS)
    return before + (ahead if ahead < n_words else n_words)


@kernel
def fetch_records(records, rows, before, n_words, fetched):
    """Copy the gradients and the words after word `before` of some rows, side by side.

    Four words at a time, the last four after all others: some words are copied twice.
    """
    if n_words < np.uint64(3):
        for i in range(np.uint64(len(rows))):
            row = np.uint64(rows[i])
            fetched[i, 0] = records[row, 0]
            fetched[i, 1] = records[row, before + np.uint64(1)]
            fetched[i, n_words] = records[row, before + n_words]
        return
    width, scratch = np.uint64(records.shape[1]), np.uint64(fetched.shape[1])
    last, four = n_words - np.uint64(3), np.uint64(4)
    for i in range(np.uint64(len(rows))):
        source, target = np.uint64(rows[i]) * width + before, i * scratch
        copy_four(records, source, fetched, target)
        for w in range(four, last, four):
            copy_four(records, source + w, fetched, target + w)
        copy_four(records, source + last, fetched, target + last)
    if before > np.uint64(0):
        for i in range(np.uint64(len(rows))):
            fetched[i, 0] = records[np.uint64(rows[i]), 0]


@kernel
def count_word(block, w, histogram, records, next_rows, place):
    """Count word `w` of a block, and ask for a line of the records that are counted next."""
    width, n_next = np.uint64(records.shape[1]), np.uint64(len(next_rows))
    for i in range(n_next):
        prefetch(records, np.uint64(next_rows[i]) * width + place)
        add_eight(histogram, np.uint64(0), block[i, w], np.int64(block[i, 0]))
    for i in range(n_next, np.uint64(len(block))):
        add_eight(histogram, np.uint64(0), block[i, w], np.int64(block[i, 0]))


@kernel
def count_two_words(block, w, histogram, records, next_rows, place):
    """Count word `w` of a block and the next, as `count_word` does."""
    width, n_next = np.uint64(records.shape[1]), np.uint64(len(next_rows))
    first, second = np.uint64(0), np.uint64(WORD_STRIDE)
    for i in range(n_next):
        prefetch(records, np.uint64(next_rows[i]) * width + place)
        value = np.int64(block[i, 0])
        add_eight(histogram, first, block[i, w], value)
        add_eight(histogram, second, block[i, w + np.uint64(1)], value)
    for i in range(n_next, np.uint64(len(block))):
        value = np.int64(block[i, 0])
        add_eight(histogram, first, block[i, w], value)
        add_eight(histogram, second, block[i, w + np.uint64(1)], value)


@kernel
def count_last_word(block, w, n_columns, histogram):
    """Count word `w` of a block, which has fewer than eight columns: four of them, two, then one."""
    n, stride = np.uint64(n_columns), np.uint64(HISTOGRAM_STRIDE)
    if n_columns & 4:
        for i in range(np.uint64(len(block))):
            add_four(histogram, np.uint64(0), block[i, w], np.int64(block[i, 0]))
    if n_columns & 2:
        column = n & np.uint64(4)
        for i in range(np.uint64(len(block))):
            word = block[i, w] >> (np.uint64(8) * column)
            add_two(histogram, column * stride, word, np.int64(block[i, 0]))
    if n_columns & 1:
        column = n & np.uint64(6)
        for i in range(np.uint64(len(block))):
            word = block[i, w] >> (np.uint64(8) * column)
            histogram[column * stride + (word & np.uint64(255))] += np.int64(block[i, 0])


@kernel
def count_rows(records, rows, n_features, fetched, histogram):
    """Add the packed gradients of some rows to their bins in every column.

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
        count_tile(records, rows, first // BINS_A_WORD, n, fetched, of_tile)


@kernel
def count_tile(records, rows, first_word, n_features, fetched, histogram):
    """Add the packed gradients of some rows to their bins in the columns from a word on."""
    for first in range(0, len(rows), FETCHED_ROWS):
        own = rows[first : first + FETCHED_ROWS]
        next_rows = rows[first + FETCHED_ROWS : first + 2 * FETCHED_ROWS]
        count_fetched(records, own, first_word, n_features, fetched, next_rows, histogram)


@kernel
def count_fetched(records, rows, first_word, n_features, fetched, next_rows, histogram):
    """Add the packed gradients of a block of rows, wherever they stand."""
    before = np.uint64(first_word)
    fetch_records(records, rows, before, np.uint64((n_features + BINS_A_WORD - 1) // BINS_A_WORD), fetched)
    count_block(fetched[: len(rows)], np.uint64(1), n_features, histogram, records, before, next_rows)


@kernel
def count_neighbours(records, begin, end, first_word, n_features, next_rows, histogram):
    """Add the packed gradients of rows begin … end−1, a block at most, counted where they stand."""
    before = np.uint64(first_word)
    block, first = records[begin:end], np.uint64(1) + before
    count_block(block, first, n_features, histogram, records, before, next_rows)


@kernel
def count_block(block, first, n_features, histogram, records, before, next_rows):
    """Count so many columns of a block of rows, from its word `first` on, and ask for the next rows' records.

    Of these, not more than the block has, word 0 and the words after word `before` are asked for.
    """
    rest = n_features % BINS_A_WORD
    whole_words = np.uint64(n_features // BINS_A_WORD)
    n_words = whole_words + np.uint64(rest > 0)
    n_lines = lines_of(n_words, np.uint64(records.shape[1]))
    n_pairs = np.uint64(0)
    if COUNTS_TWO_WORDS and whole_words > n_lines:
        n_pairs = min(whole_words // np.uint64(2), whole_words - n_lines)
    n_passes = whole_words - n_pairs
    for line in range(n_passes, n_lines):
        ask_for_lines(records, next_rows, place_to_ask(line, before, n_words))
    for turn in range(n_passes):
        asked = next_rows if turn < n_lines else next_rows[:0]
        place = place_to_ask(turn, before, n_words)
        if turn < n_pairs:
            w = np.uint64(2) * turn
            count_two_words(block, first + w, histogram[w * np.uint64(WORD_STRIDE) :], records, asked, place)
        else:
            w = n_pairs + turn
            count_word(block, first + w, histogram[w * np.uint64(WORD_STRIDE) :], records, asked, place)
    if rest:
        of_word = histogram[whole_words * np.uint64(WORD_STRIDE) :]
        count_last_word(block, first + whole_words, rest, of_word)


@kernel(takes_none=True)
def count_part(part, parts, records, n_features, fine, rows, counted, fetched, histograms):
    """Count one part of the rows of all nodes: a node that began in an earlier part goes to `heads`.

    nodes   |---- a ----|-- b --|- c -|--------- d ---------|
    parts   |   0   |   1   |   2   |   3   |   4   |   5   |

    Part 3 counts the rest of c into heads[3], and the beginning of d into d's own histogram.

    Parameters
    ----------
    n_features : int
        Columns whose bins are bytes.
    fine : FineColumns or None
    counted : ListedNodes
        The nodes; each has a row.
    fetched : ndarray of uint64, shape `fetched_shape(n_features)`
        Room for this part.
    histograms : Histograms
        Filled.
    """
    begins, offsets = counted.begins, counted.offsets
    n_rows = offsets[counted.n_nodes]
    first = part_begin(part, parts, n_rows)
    last = part_begin(part + 1, parts, n_rows)
    histograms.head_of_part[part] = -1
    for k in range(counted.n_nodes):
        begin = first if first > offsets[k] else offsets[k]
        end = last if last < offsets[k + 1] else offsets[k + 1]
        if begin >= end:
            continue
        node = counted.nodes[k]
        if begin > offsets[k]:
            histograms.head_of_part[part] = node
            histogram = histograms.heads[part]
        else:
            histogram = histograms.pool[histograms.slots[node]]
        for entry in range(len(histogram)):
            histogram[entry] = 0
        shift = begins[k] - offsets[k]
        count_rows(records, rows[begin + shift : end + shift], n_features, fetched, histogram)
        if fine is not None:
            count_fine_rows(records, rows, begin + shift, end + shift, fine, fine.scratch[part], histogram)
