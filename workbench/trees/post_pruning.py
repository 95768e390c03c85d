"""From the nodes as they were grown to the tree as it is kept: true sums, true gains, final numbers.

The search reads sums of rounded gradients. Once the leaves are summed in full precision, a split whose
true gain does not pay is undone with all below it: what pre-stopping would have done had it known. Where a
child has too little hessian after all, the tree is grown once more with a higher bound, so that the node
finds its next best split.
"""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import INTEGER, kernel
from workbench.trees.forced_splits import NOT_FORCED
from workbench.trees.grown_nodes import (
    COLUMN,
    DEPTH,
    LEFT,
    MISSING_LEFT,
    PARENT,
)
from workbench.trees.leaf_sums import COUNT, GRADIENT, HESSIAN, N_LEAF_SUMS
from workbench.trees.monotone_constraints import bound_children, bound_root, middle_weight
from workbench.trees.packed_units import in_packed_units
from workbench.trees.packing import LEAST_PACKED
from workbench.trees.restrained_weight import restrained_gain, restrained_weight, score_of_weight
from workbench.trees.structure_score import is_worth_splitting, leaf_weight, split_gain


@kernel
def add_up(nodes, n_grown, sums):
    """Give every inner node the sums of its children; children have higher numbers than parents."""
    for node in range(n_grown - 1, -1, -1):
        left = nodes[node, LEFT]
        if left >= 0:
            for field in range(N_LEAF_SUMS):
                sums[node, field] = sums[left, field] + sums[left + 1, field]


@kernel(takes_none=True)
def is_forced(node, restraints):
    """Whether a split was asked for."""
    if restraints is None:
        return False
    return restraints.split_of[node] != NOT_FORCED


@kernel(takes_none=True)
def true_gain(nodes, node, sums, params, restraints):
    """Return the gain of a split from the full-precision sums of its children."""
    left = nodes[node, LEFT]
    left_g, left_h = sums[left, GRADIENT], sums[left, HESSIAN]
    right_g, right_h = sums[left + 1, GRADIENT], sums[left + 1, HESSIAN]
    if restraints is None:
        return split_gain(left_g, left_h, right_g, right_h, params.reg_lambda, params.gamma)
    direction = np.int64(restraints.rules.monotone[nodes[node, COLUMN]])
    gain = restrained_gain(
        left_g, left_h, right_g, right_h, params.reg_lambda, restraints, direction, node,
        is_forced(node, restraints),
    )
    middle = middle_weight(left_g, left_h, right_g, right_h, params.reg_lambda, restraints, node)
    bound_children(restraints.bounds, node, left, direction, middle)
    return gain - params.gamma


@kernel(takes_none=True)
def raises_least(nodes, n_grown, sums, params, restraints, scales):
    """Raise the least packed hessian of a child above that of the first child whose true H is too little.

    Returns whether there is one. Rounding adds less than a unit a row.
    """
    for node in range(n_grown):
        left = nodes[node, LEFT]
        if left < 0 or is_forced(node, restraints):
            continue
        for child in range(left, left + 2):
            if sums[child, HESSIAN] < params.min_child_weight:
                packed = np.floor(in_packed_units(sums[child, HESSIAN], scales)) + sums[child, COUNT]
                scales[LEAST_PACKED] = max(packed, scales[LEAST_PACKED]) + 1.0
                return True
    return False


@kernel(takes_none=True, apart=True)
def judge_splits(nodes, n_grown, sums, params, restraints, gains, stays):
    """Fill the true gain of every split, and whether it stays; parents have lower numbers than children.

    With post-pruning a split that does not gain γ stays where one below it does. Forced splits stay.
    """
    if restraints is not None:
        bound_root(restraints)
    for node in range(n_grown):
        stays[node] = 0
        if nodes[node, LEFT] >= 0:
            gains[node] = true_gain(nodes, node, sums, params, restraints)
            stays[node] = is_worth_splitting(gains[node], params) or is_forced(node, restraints)
    if params.post_pruning:
        for node in range(n_grown - 1, -1, -1):
            left = nodes[node, LEFT]
            if stays[node] and gains[node] < 0.0 and not is_forced(node, restraints):
                stays[node] = stays[left] or stays[left + 1]


@kernel(apart=True, returns=INTEGER)
def choose_kept(nodes, n_grown, sums, gains, params, restraints, source, final, table):
    """Decide which grown nodes stay, and number them breadth-first, siblings adjacent.

    Parameters
    ----------
    nodes : ndarray of int64, shape (>= n_grown, N_FIELDS)
    sums : ndarray of float64, shape (>= n_grown, N_LEAF_SUMS)
        G, H and count of the nodes.
    gains : ndarray of float64, shape (>= n_grown,)
        Filled with the true gains of the splits.
    params : GrowingParams
    restraints : Restraints or None
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
    stays = source[n_grown:]
    judge_splits(nodes, n_grown, sums, params, restraints, gains, stays)
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
        if stays[grown]:
            record.gain = gains[grown]
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


@kernel(takes_none=True)
def fill_record(record, nodes, grown, sums, threshold, category, params, restraints):
    """Fill the fields of a kept node that `choose_kept` has left; `category` is −1 at a test on numbers."""
    is_split = record.left >= 0
    g, h = sums[grown, GRADIENT], sums[grown, HESSIAN]
    if restraints is None:
        weight = leaf_weight(g, h, params.reg_lambda)
        score = 0.5 * g * weight
    else:
        low, high = restraints.bounds[grown, 0], restraints.bounds[grown, 1]
        weight = restrained_weight(g, h, params.reg_lambda, restraints, low, high)
        score = score_of_weight(g, h, weight, params.reg_lambda, restraints.rules.reg_alpha)
    record.feature = nodes[grown, COLUMN] if is_split else np.int64(-1)
    record.threshold = threshold if is_split and category < 0 else np.nan
    record.category = category if is_split else np.int64(-1)
    record.default_left = is_split and nodes[grown, MISSING_LEFT] == 1
    record.forced = is_split and is_forced(grown, restraints)
    record.depth = nodes[grown, DEPTH]
    record.count = np.int64(sums[grown, COUNT])
    record.sum_gradient = g
    record.sum_hessian = h
    record.weight = weight
    record.structure_score = score
    record.leaf_value = 0.0 if is_split else params.learning_rate * weight


@kernel
def keep_nodes(memory, n_grown, params, restraints, table):
    """Choose those of the grown nodes in a grower's memory that stay; return how many stay.

    0: the tree is to be grown once more, with the bound that stands in the scales now.
    """
    add_up(memory.nodes, n_grown, memory.sums)
    if raises_least(memory.nodes, n_grown, memory.sums, params, restraints, memory.scales):
        return 0
    return choose_kept(
        memory.nodes, n_grown, memory.sums, memory.gains, params, restraints, memory.source, memory.final,
        table,
    )


@kernel(takes_none=True)
def sum_up(memory, n_grown, n_kept, params, restraints, finished):
    """Fill the values of leaves and labels, and the figures, of a tree whose table is filled."""
    fill_values(
        finished.table, n_kept, memory.final, n_grown, finished.value_of_leaf, finished.value_of_label
    )
    reg_alpha = 0.0 if restraints is None else restraints.rules.reg_alpha
    add_figures(finished.table, n_kept, params.reg_lambda, reg_alpha, finished.figures)


@kernel
def fill_values(table, n_kept, final, n_grown, value_of_leaf, value_of_label):
    """Fill what is added to a row: by kept node, and by label (grown node)."""
    for node in range(n_kept):
        value_of_leaf[node] = table[node].leaf_value
    for grown in range(n_grown):
        value_of_label[grown] = value_of_leaf[final[grown]]


@kernel
def add_figures(table, n_kept, reg_lambda, reg_alpha, figures):
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
        figures[4] += 0.5 * reg_lambda * added * added + reg_alpha * abs(added)
        figures[5] += record.sum_gradient * added + 0.5 * record.sum_hessian * added * added
