"""The kept nodes of a tree grown by exact search, as a table; and the tree walked by raw values."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.exact.nodes import SET_BEGIN, SET_END
from workbench.trees.exact.sets import is_in_set
from workbench.trees.grown_nodes import COLUMN
from workbench.trees.post_pruning import fill_record


@kernel
def fill_table(memory, n_kept, is_category, params, restraints, table, sets):
    """Fill the fields of the kept nodes that `post_pruning.choose_kept` has left.

    Parameters
    ----------
    memory : ExactMemory
    sets : ndarray of int64, shape (>= n_kept, 2)
        Filled with where each node's set of categories begins and ends in the list of codes.
    """
    nodes, sums, source = memory.nodes, memory.sums, memory.source
    for node in range(n_kept):
        grown = source[node]
        asks_category = table[node].left >= 0 and is_category[nodes[grown, COLUMN]]
        sets[node, 0] = nodes[grown, SET_BEGIN]
        sets[node, 1] = nodes[grown, SET_END]
        category = np.int64(memory.codes[sets[node, 0]]) if asks_category else np.int64(-1)
        fill_record(
            table[node], nodes, grown, sums, memory.thresholds[grown], category, params, restraints
        )


@kernel
def leaf_of_values(by_column, line, table, sets, codes):
    """Return the leaf that a row of raw values falls into.

    Parameters
    ----------
    by_column : ndarray of float32, shape (d, N)
    table : structured ndarray of NODE_DTYPE
    """
    node = np.int64(0)
    while table[node].left >= 0:
        x = by_column[table[node].feature, line]
        if np.isnan(x):
            yes = table[node].default_left
        elif table[node].category >= 0:
            yes = is_in_set(codes, sets[node, 0], sets[node, 1], x)
        else:
            yes = x < table[node].threshold
        node = np.int64(table[node].left) + (0 if yes else 1)
    return node


@kernel(apart=True)
def add_walked(part, parts, by_column, lines, rows, finished, codes, raw):
    """Add a tree to one part of the rows that are walked down it: drawn not to grow it, or held out.

    Parameters
    ----------
    by_column : ndarray of float32, shape (d, N)
    lines : ndarray of int64
        Where each row stands in `by_column`.
    rows : ndarray of uint32
    finished : FinishedTree
    codes : ndarray of int32
        The list of the sets of categories.
    raw : ndarray of float32
        By row.
    """
    n, table = len(rows), finished.table
    for i in range(part_begin(part, parts, n), part_begin(part + 1, parts, n)):
        row = np.uint64(rows[i])
        raw[row] += table[leaf_of_values(by_column, lines[row], table, finished.sets, codes)].leaf_value
