"""The best splits of a wave of nodes in columns that share bytes: see `shared_bytes`.

The histograms of their bytes are finished first, all of them, as several columns read each. Then a column's
own is unfolded from them, or from the rows of a node that has none.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.bins.bin_search import MISSING_BIN, N_BIN_VALUES
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.grown_nodes import BEGIN, END
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE
from workbench.trees.hist.sibling_histograms import Siblings, add_heads, take_entries
from workbench.trees.hist.splitting import add_up, write_best
from workbench.trees.node_lists import IS_DERIVED, LARGER, N_WAVE, SMALLER


@kernel
def unfold(histogram, bins, own):
    """Fill a column's own histogram from that of its byte.

    Parameters
    ----------
    histogram, own : ndarray of int64, shape (>= 256,)
    bins : ndarray of uint8, shape (256,)
        The column's bin in every byte.
    """
    for b in range(N_BIN_VALUES):
        own[b] = 0
    for byte in range(N_BIN_VALUES):
        own[np.uint64(bins[byte])] += histogram[byte]


@kernel
def count_bytes(matrix, place, rows, begin, end, histogram):
    """Fill the histogram of a byte from `rows[begin:end]`, of which there are few."""
    for byte in range(N_BIN_VALUES):
        histogram[byte] = 0
    record_bytes = np.uint64(BINS_A_WORD * matrix.records.shape[1])
    at = np.uint64(BINS_A_WORD + place)
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        histogram[np.uint64(matrix.bins[record_bytes * row + at])] += np.int64(matrix.records[row, 0])


@kernel
def finish_bytes(siblings, place, parts, rows, nodes, matrix, histograms, scratch):
    """Finish the histograms of one byte of two siblings, as far as they have any."""
    smaller, larger = siblings.smaller, siblings.larger
    pool, slots = histograms.pool, histograms.slots
    begin = place * HISTOGRAM_STRIDE
    end = begin + HISTOGRAM_STRIDE
    if slots[smaller] >= 0:
        add_heads(pool[slots[smaller], begin:end], smaller, begin, end, parts, histograms)
    if larger < 0 or slots[larger] < 0:
        return
    histogram = pool[slots[larger], begin:end]
    if not siblings.is_derived:
        add_heads(histogram, larger, begin, end, parts, histograms)
    elif slots[smaller] >= 0:
        take_entries(histogram, pool[slots[smaller], begin:end])
    else:
        count_bytes(matrix, place, rows, nodes[smaller, BEGIN], nodes[smaller, END], scratch)
        take_entries(histogram[:N_BIN_VALUES], scratch[:N_BIN_VALUES])


@kernel(apart=True)
def finish_bytes_part(part, parts, matrix, memory, rows, histograms):
    """Finish one part of the histograms of shared bytes of the wave's pairs of siblings.

    Parameters
    ----------
    matrix : MatrixArrays
    memory : GrowingMemory
    rows : ndarray of uint32
    histograms : Histograms
        Of gradients or of rows.
    """
    lists, scratch = memory.lists, memory.scratch.unfolded[part, 0]
    n_shared = len(matrix.by_column) - matrix.n_alone
    n_items = memory.progress[N_WAVE] * n_shared
    for item in range(part_begin(part, parts, n_items), part_begin(part + 1, parts, n_items)):
        pair, place = item // n_shared, matrix.n_alone + item % n_shared
        siblings = Siblings(pair, lists[SMALLER, pair], lists[LARGER, pair], lists[IS_DERIVED, pair])
        finish_bytes(siblings, place, parts, rows, memory.nodes, matrix, histograms, scratch)


@kernel
def search_shared_pair(siblings, column, item, rows, matrix, memory, limits, scratch):
    """Search one column of a pair of siblings from the histograms of its byte.

    Parameters
    ----------
    scratch : SearchScratch
        Of this thread.
    """
    slots, nodes = memory.histograms.slots, memory.nodes
    own, of_byte = scratch.unfolded[0], scratch.unfolded[1]
    place, n_bins = matrix.places[column], np.int64(matrix.n_bins[column])
    begin = place * HISTOGRAM_STRIDE
    bins = matrix.bins_of_byte[matrix.lines[column]]
    for side in range(2 if siblings.larger >= 0 else 1):
        node, k = siblings.larger if side else siblings.smaller, 2 * siblings.pair + side
        if slots[node] >= 0:
            unfold(memory.histograms.pool[slots[node], begin : begin + HISTOGRAM_STRIDE], bins, own)
        else:
            count_bytes(matrix, place, rows, nodes[node, BEGIN], nodes[node, END], of_byte)
            unfold(of_byte, bins, own)
        add_up(own, n_bins)
        missing = own[MISSING_BIN]
        total = missing + (own[n_bins - 1] if n_bins > 0 else np.int64(0))
        memory.found.sums[k, item] = total
        write_best(own, n_bins, missing, missing, total, limits, memory.found.splits[k, item])
