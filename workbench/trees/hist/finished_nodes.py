"""The nodes that stay of a tree on bins: their questions, and the tree packed for walking."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.thresholds import LOWEST_THRESHOLD
from workbench.trees.grown_nodes import BELOW_ALL, BIN, COLUMN, first_member
from workbench.trees.hist.routing import pack_leaf, pack_split
from workbench.trees.post_pruning import fill_record


@kernel(takes_none=True)
def cut_of(matrix, fine, column, split_bin):
    """Return the threshold of a split after this bin of a column of numbers."""
    if fine is not None and fine.is_fine[column]:
        return fine.cuts[matrix.places[column], split_bin]
    return matrix.cuts[column, split_bin]


@kernel
def fill_table(memory, n_kept, matrix, fine, params, restraints, table, packed):
    """Fill the other fields of the kept nodes, and the tree packed for walking (see `routing`).

    Parameters
    ----------
    memory : GrowingMemory
    matrix : MatrixArrays
    fine : FineColumns or None
    """
    nodes, sums, source = memory.nodes, memory.sums, memory.source
    for node in range(n_kept):
        grown = source[node]
        record = table[node]
        is_split = record.left >= 0
        column = nodes[grown, COLUMN] if is_split else np.int64(-1)
        asks_category = is_split and matrix.is_category[column]
        threshold = np.float32(np.nan)
        if is_split:
            cut = nodes[grown, BIN]
            threshold = LOWEST_THRESHOLD if cut == BELOW_ALL else cut_of(matrix, fine, column, cut)
        category = np.int64(-1)
        if asks_category:
            category = np.int64(matrix.codes[column, first_member(nodes, grown)])
        fill_record(record, nodes, grown, sums, threshold, category, params, restraints)
        if is_split:
            pack_split(packed, node, nodes, grown, matrix, record.left)
        else:
            pack_leaf(packed, node)
