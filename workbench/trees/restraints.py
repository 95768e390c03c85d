"""What restrains a tree beyond λ, γ and the least hessian of a child; None where nothing does.

Leaf weights: α (L1), the largest step δ, monotone columns. Splits: the least rows of a leaf, columns that may
stand together on a path, columns drawn by level and by node, splits that are forced. numba compiles a grower
twice, for None and for this, so that trees without restraints pay nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import mix
from workbench.trees.colsample import draw_for_node
from workbench.trees.forced_splits import NOT_FORCED, ForcedPlaces, ForcedSplits
from workbench.trees.interaction_constraints import forbid_columns, sets_after
from workbench.trees.monotone_constraints import bound_root

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.hist.histogram_memory import Histograms


class FirstNode(NamedTuple):
    """How a tree's first node was come to: from nowhere, or in another tree of which a part grows.

    Attributes
    ----------
    low, high : float
        Its lowest and highest weight.
    sets : int
        As `Restraints.node_sets`.
    path : int
        As `Restraints.path`.
    depth : int
    """

    low: float
    high: float
    sets: int
    path: int
    depth: int


ROOT = FirstNode(-np.inf, np.inf, -1, 1, 0)


class Rules(NamedTuple):
    """What restrains one tree.

    Attributes
    ----------
    reg_alpha, max_delta_step : float
        α; largest |w*|, 0 for no limit.
    min_leaf_rows : int
    monotone : ndarray of int8, shape (d,)
        1 where the prediction may only rise with the column, −1 where it may only fall, 0 otherwise.
    column_sets : ndarray of int64, shape (d,)
        The sets of columns that a column is in, a bit each; 0 where it may stand with itself alone, −1 where
        it may stand with any.
    level_share, node_share : float
        Share of the tree's columns that is drawn for a level, and of these for a node.
    column_weights : ndarray of float64, shape (d,)
        How likely a column is drawn.
    seed : int
        Of this tree's draws.
    drawn_columns : ndarray of int64, shape (k,)
        Those drawn for the tree; others are asked about where a split is forced.
    forced : ForcedSplits
    first : FirstNode
    """

    reg_alpha: float
    max_delta_step: float
    min_leaf_rows: int
    monotone: NDArray[np.int8]
    column_sets: NDArray[np.int64]
    level_share: float
    node_share: float
    column_weights: NDArray[np.float64]
    seed: int
    drawn_columns: NDArray[np.int64]
    forced: ForcedSplits
    first: FirstNode = ROOT


class Restraints(NamedTuple):
    """What restrains a tree, and what a grower keeps of each node for it.

    Attributes
    ----------
    rules : Rules
    places : ForcedPlaces
        Of the forced splits.
    bounds : ndarray of float64, shape (capacity, 2)
        Lowest and highest weight of each node.
    middle : ndarray of float64, shape (capacity,)
        What lies midway between the weights of each split's sides.
    node_sets : ndarray of int64, shape (capacity,)
        The sets that all columns on the way to a node are in: as `Rules.column_sets`, but −2 − f where only
        column f may follow.
    path : ndarray of int64, shape (capacity,)
        A number for each node that follows from the answers on the way to it.
    split_of : ndarray of int64, shape (capacity,)
        The forced split of each node; −1 where it is free, or was left out.
    allowed : ndarray of uint8, shape (2 * n_slots, d)
        Which columns may be asked about, by place of the node in its wave.
    drawing : ndarray of float64, shape (d,)
        Room for drawing columns.
    one_records : ndarray of uint64
        The records of the matrix with a packed gradient of 1: their histograms count rows. Empty where
        `min_leaf_rows` is 1.
    row_histograms : Histograms
        Those; none there.
    """

    rules: Rules
    places: ForcedPlaces
    bounds: NDArray[np.float64]
    middle: NDArray[np.float64]
    node_sets: NDArray[np.int64]
    path: NDArray[np.int64]
    split_of: NDArray[np.int64]
    allowed: NDArray[np.uint8]
    drawing: NDArray[np.float64]
    one_records: NDArray[np.uint64]
    row_histograms: Histograms


def with_capacity(
    rules: Rules, places: ForcedPlaces, capacity: int, n_scanned: int, one_records: NDArray[np.uint64],
    row_histograms: Histograms,
) -> Restraints:
    """Return rules with room for so many nodes.

    Parameters
    ----------
    n_scanned : int
        Nodes that are searched at once, at most.
    one_records, row_histograms
        For counting rows; nothing where they are not counted so.
    """
    d = len(rules.monotone)
    return Restraints(
        rules,
        places,
        bounds=np.empty((capacity, 2)),
        middle=np.empty(capacity),
        node_sets=np.empty(capacity, np.int64),
        path=np.empty(capacity, np.int64),
        split_of=np.empty(capacity, np.int64),
        allowed=np.empty((n_scanned, d), np.uint8),
        drawing=np.empty(d),
        one_records=one_records,
        row_histograms=row_histograms,
    )


@kernel
def begin_root(restraints):
    """Let the root be what the rules say of the first node; the first forced split is made there."""
    bound_root(restraints)
    restraints.node_sets[0] = restraints.rules.first.sets
    restraints.path[0] = restraints.rules.first.path
    restraints.split_of[0] = 0 if len(restraints.rules.forced.columns) > 0 else NOT_FORCED


@kernel(apart=True)
def follow_children(restraints, node, child, column):
    """Tell a split node's children, `child` and `child + 1`, how they were come to."""
    sets = sets_after(restraints.node_sets[node], column, restraints.rules.column_sets[column])
    for side in range(2):
        restraints.node_sets[child + side] = sets
        restraints.path[child + side] = np.int64(mix(np.uint64(2 * restraints.path[node] + side)))
        split = restraints.split_of[node]
        follows = restraints.rules.forced.children[split, side] if split != NOT_FORCED else NOT_FORCED
        restraints.split_of[child + side] = follows


@kernel(apart=True)
def allow_columns(restraints, node, depth, allowed):
    """Fill which columns a node may be split on, shape (d,), where no split is forced."""
    rules = restraints.rules
    draw_for_node(rules, rules.first.depth + depth, restraints.path[node], restraints.drawing, allowed)
    forbid_columns(restraints.node_sets[node], rules.column_sets, allowed)


@kernel
def forced_at(restraints, node, column):
    """Return the split that is forced on a node where it asks about this column; −1 otherwise."""
    split = restraints.split_of[node]
    is_here = split != NOT_FORCED and restraints.rules.forced.columns[split] == column
    return split if is_here else np.int64(NOT_FORCED)


@kernel
def is_sought(restraints, split):
    """Whether a split is forced that names a column alone, whose best cut is sought."""
    return split != NOT_FORCED and restraints.places.is_sought[split]
