"""From the nodes as they were grown to the tree as it is kept: true sums, true gains, final numbers.

The search reads sums of rounded gradients. Once the leaves are summed in full precision, a split whose
true gain does not pay, or whose child has too little hessian after all, is undone with all below it:
what pre-stopping would have done had it known.
"""

from __future__ import annotations

import numpy as np

from workbench.trees.grown_nodes import BIN, COLUMN, DEPTH, LEFT, MISSING_LEFT, PARENT
from workbench.trees.kernel import kernel
from workbench.trees.leaf_sums import COUNT, GRADIENT, HESSIAN, N_SUMS
from workbench.trees.routing import pack_leaf, pack_split
from workbench.trees.structure_score import is_worth_splitting, leaf_weight, split_gain


@kernel
def add_up(nodes, n_grown, sums):
    """Give every inner node the sums of its children; children have higher numbers than parents."""
    for node in range(n_grown - 1, -1, -1):
        left = nodes[node, LEFT]
        if left >= 0:
            for field in range(N_SUMS):
                sums[node, field] = sums[left, field] + sums[left + 1, field]


@kernel
def true_gain(sums, left, reg_lambda, gamma):
    """Return the gain of a split from the full-precision sums of its children."""
    right = left + 1
    return split_gain(
        sums[left, GRADIENT], sums[left, HESSIAN], sums[right, GRADIENT], sums[right, HESSIAN], reg_lambda,
        gamma,
    )


@kernel
def settle(nodes, n_grown, sums, reg_lambda, gamma, min_child_weight, source, final, table):
    """Decide which grown nodes stay, and number them breadth-first, siblings adjacent.

    Parameters
    ----------
    nodes : ndarray of int64, shape (>= n_grown, N_FIELDS)
    sums : ndarray of float64, shape (>= n_grown, N_SUMS)
        G, H and count of the leaves; filled for the inner nodes.
    source : ndarray of int64
        Filled: number of the grown node that each kept node was.
    final : ndarray of int64
        Filled: number of the kept node that each grown node is, or has been undone into.
    table : structured ndarray of NODE_DTYPE
        `left`, `right`, `parent` and `gain` are filled.

    Returns
    -------
    int
        How many nodes stay.
    """
    add_up(nodes, n_grown, sums)
    final[:n_grown] = -1
    source[0] = 0
    table[0].parent = -1
    n_kept = 1
    node = 0
    while node < n_kept:
        grown = source[node]
        final[grown] = node
        child = nodes[grown, LEFT]
        record = table[node]
        record.left = record.right = -1
        record.gain = 0.0
        if child >= 0:
            gain = true_gain(sums, child, reg_lambda, gamma)
            heavy = sums[child, HESSIAN] >= min_child_weight and sums[child + 1, HESSIAN] >= min_child_weight
            if heavy and is_worth_splitting(gain, gamma):
                record.gain = gain
                record.left = n_kept
                record.right = n_kept + 1
                for side in range(2):
                    source[n_kept + side] = child + side
                    table[n_kept + side].parent = node
                n_kept += 2
        node += 1
    for grown in range(1, n_grown):
        if final[grown] < 0:
            final[grown] = final[nodes[grown, PARENT]]
    return n_kept


@kernel
def fill_record(record, nodes, grown, sums, threshold, category, reg_lambda, learning_rate):
    """Fill the fields of a kept node that `settle` has left; `category` is −1 at a test on numbers."""
    is_split = record.left >= 0
    weight = leaf_weight(sums[grown, GRADIENT], sums[grown, HESSIAN], reg_lambda)
    record.feature = nodes[grown, COLUMN] if is_split else np.int64(-1)
    record.threshold = threshold if is_split and category < 0 else np.nan
    record.category = category if is_split else np.int64(-1)
    record.default_left = is_split and nodes[grown, MISSING_LEFT] == 1
    record.depth = nodes[grown, DEPTH]
    record.count = np.int64(sums[grown, COUNT])
    record.sum_gradient = sums[grown, GRADIENT]
    record.sum_hessian = sums[grown, HESSIAN]
    record.weight = weight
    record.structure_score = 0.5 * sums[grown, GRADIENT] * weight
    record.leaf_value = 0.0 if is_split else learning_rate * weight


@kernel
def fill_table(nodes, sums, source, n_kept, matrix, reg_lambda, learning_rate, table, packed):
    """Fill the other fields of the kept nodes, and the tree packed for walking (see `routing`).

    Parameters
    ----------
    matrix : MatrixArrays
    """
    for node in range(n_kept):
        grown = source[node]
        record = table[node]
        is_split = record.left >= 0
        column = nodes[grown, COLUMN] if is_split else np.int64(-1)
        split_bin = nodes[grown, BIN]
        asks_category = is_split and matrix.is_category[column]
        threshold = matrix.cuts[column, split_bin] if is_split else np.float32(np.nan)
        category = np.int64(matrix.codes[column, split_bin]) if asks_category else np.int64(-1)
        fill_record(record, nodes, grown, sums, threshold, category, reg_lambda, learning_rate)
        if is_split:
            missing_left = nodes[grown, MISSING_LEFT] == 1
            pack_split(packed, node, column, split_bin, asks_category, missing_left, record.left)
        else:
            pack_leaf(packed, node)


@kernel
def keep_nodes(memory, n_grown, params, table):
    """Settle the grown nodes of a grower's memory; return how many stay."""
    return settle(
        memory.nodes, n_grown, memory.sums, params.reg_lambda, params.gamma, params.min_child_weight,
        memory.source, memory.final, table,
    )


@kernel
def sum_up(memory, n_grown, n_kept, params, finished):
    """Fill the values of leaves and labels, and the figures, of a tree whose table is filled."""
    fill_values(
        finished.table, n_kept, memory.final, n_grown, finished.value_of_leaf, finished.value_of_label
    )
    add_figures(finished.table, n_kept, params.reg_lambda, finished.figures)


@kernel
def fill_values(table, n_kept, final, n_grown, value_of_leaf, value_of_label):
    """Fill what is added to a row: by kept node, and by label (grown node)."""
    for node in range(n_kept):
        value_of_leaf[node] = table[node].leaf_value
    for grown in range(n_grown):
        value_of_label[grown] = value_of_leaf[final[grown]]


@kernel
def add_figures(table, n_kept, reg_lambda, figures):
    """Fill `TreeFigures` of a tree, in the order of its fields."""
    figures[:] = 0.0
    for node in range(n_kept):
        record = table[node]
        if record.left >= 0:
            figures[2] += record.gain
            continue
        added = np.float64(record.leaf_value)
        figures[0] += 1.0
        figures[1] = max(figures[1], np.float64(record.depth))
        figures[3] += record.structure_score
        figures[4] += 0.5 * reg_lambda * added * added
        figures[5] += record.sum_gradient * added + 0.5 * record.sum_hessian * added * added
