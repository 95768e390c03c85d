"""Rows told apart by a question on a fine column, and walked down trees that ask such."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.bins.fine_columns import MISSING
from workbench.trees.grown_nodes import BIN, COLUMN, MISSING_LEFT, YES

NO_BIN = -2  # equal to no bin, nor to one that every number is above


@kernel
def missing_bin_left(nodes, node, n_bins):
    """Return the bin of missing values where these answer "yes", otherwise one that no row has."""
    return np.int64(n_bins) + MISSING if nodes[node, MISSING_LEFT] == 1 else np.int64(NO_BIN)


@kernel
def stage_fine_rows(bins, rows, begin, end, last, also, stage):
    """Stage rows as `partition.stage_rows` does; left go bins up to `last`, and `also`."""
    left = right = np.uint64(begin)
    for i in range(np.uint64(begin), np.uint64(end)):
        row = rows[i]
        b = np.int64(bins[np.uint64(row)])
        yes = np.uint64((b <= last) | (b == also))
        stage[right] = row
        rows[left] = row
        right += np.uint64(1) - yes
        left += yes
    return np.int64(left) - begin


@kernel
def label_fine_rows(bins, rows, begin, end, last, also, left, labels):
    """Write to `rows[begin:end]` whether each ended in the node `left` or the one after it."""
    for i in range(np.uint64(begin), np.uint64(end)):
        row = np.uint64(rows[i])
        b = np.int64(bins[row])
        labels[row] = left + 1 - np.int64((b <= last) | (b == also))


@kernel
def goes_left(row, nodes, grown, place, n_bins, is_fine, fine_bins, byte_bins, record_bytes):
    """Whether a row answers a grown node's question with "yes"."""
    if is_fine:
        b = np.int64(fine_bins[place, row])
        return b <= nodes[grown, BIN] or b == missing_bin_left(nodes, grown, n_bins)
    b = np.int64(byte_bins[row * record_bytes + BINS_A_WORD + place])
    return (np.uint64(nodes[grown, YES + b // 64]) >> np.uint64(b % 64)) & np.uint64(1) == 1


@kernel
def add_walked_finely(part, parts, rows, byte_bins, fine_bins, matrix, fine, memory, table, raw):
    """Add a tree to one part of the rows that are walked down it, as `routing.add_walked` does.

    Parameters
    ----------
    rows : ndarray of uint32
    byte_bins : ndarray of uint8, shape (n * record bytes,)
        Their records.
    fine_bins : ndarray of uint16, shape (k, n)
    matrix : MatrixArrays
    fine : FineColumns
    memory : GrowingMemory
        With the questions of the grown nodes.
    table : structured ndarray of NODE_DTYPE
        The tree.
    raw : ndarray of float32, shape (n,)
    """
    record_bytes = BINS_A_WORD * matrix.records.shape[1]
    for i in range(part_begin(part, parts, len(rows)), part_begin(part + 1, parts, len(rows))):
        row = np.int64(rows[i])
        node = np.int64(0)
        while table[node].left >= 0:
            grown = memory.source[node]
            column = memory.nodes[grown, COLUMN]
            yes = goes_left(
                row, memory.nodes, grown, matrix.places[column], matrix.n_bins[column], fine.is_fine[column],
                fine_bins, byte_bins, record_bytes,
            )
            node = np.int64(table[node].left) + (0 if yes else 1)
        raw[row] += table[node].leaf_value
