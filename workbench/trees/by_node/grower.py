"""Trees of means and class shares, grown on rows that weigh: a tree for each class, all of one structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.random_numbers import stream_start
from workbench.trees.by_node.growing import NO_ROOM, STOPPED, find_leaves, grow_nodes
from workbench.trees.by_node.impurity import GINI, SQUARED
from workbench.trees.by_node.memory import node_memory
from workbench.trees.by_node.table import filled_trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.by_node.coded_columns import CodedColumns
    from workbench.trees.by_node.target import NodeTarget
    from workbench.trees.tree import Tree

NO_STOP = np.zeros(1, np.uint8)


class NodeGrowing(NamedTuple):
    """What shapes a tree.

    Attributes
    ----------
    criterion : int
        See `impurity`; of numbers the squared error whatever is said.
    min_leaf_rows : int
    max_depth : int
        0 is no limit.
    n_drawn : int
        Columns drawn at each node; of no more than there are.
    draws_cuts : bool
        Whether one cut a column is drawn at random.
    votes : bool
        Whether a leaf holds 1 for its likeliest class and 0 for the others.
    """

    criterion: int = GINI
    min_leaf_rows: int = 1
    max_depth: int = 0
    n_drawn: int = 1_000_000
    draws_cuts: bool = False
    votes: bool = False


class NodeParams(NamedTuple):
    """What the kernel is told of a tree."""

    criterion: np.int64
    n_classes: np.int64
    min_leaf_rows: np.int64
    max_depth: np.int64
    n_drawn: np.int64
    draws_cuts: bool
    stream: np.int64


class GrownTrees(NamedTuple):
    """A tree for each class, and the leaf of each training row."""

    trees: tuple[Tree, ...]
    leaves: NDArray[np.int32]


def grow(
    columns: CodedColumns,
    target: NodeTarget,
    weight: NDArray[np.float64],
    growing: NodeGrowing,
    allowed: NDArray[np.int64],
    seed: int = 0,
    number: int = 1,
    stop_flag: NDArray[np.uint8] = NO_STOP,
) -> GrownTrees | None:
    """Grow one tree; None when it was stopped. Any number of threads may do so at the same time.

    Parameters
    ----------
    weight : ndarray of float64, shape (n,)
        How much each row counts; rows of weight 0 take no part.
    allowed : ndarray of int64
        Columns that may be asked about.
    seed, number : int
        What is drawn follows from them, and from the node.
    """
    rows = np.flatnonzero(weight > 0.0).astype(np.uint32)
    weights = weight[rows]
    several = target.n_classes > 2
    labels = target.labels[rows] if several else target.labels
    products = target.numbers if several else target.numbers[rows] * weights
    params = NodeParams(
        np.int64(growing.criterion if target.n_classes else SQUARED),
        np.int64(target.n_classes if several else 0),
        np.int64(growing.min_leaf_rows), np.int64(growing.max_depth or -1),
        np.int64(min(growing.n_drawn, len(allowed))), growing.draws_cuts,
        np.int64(stream_start(seed, number, 0)),
    )
    capacity = _capacity(len(rows), growing)
    n_members = int(columns.n_codes[columns.is_category].max(initial=0)) * 64
    while True:
        memory = node_memory(
            columns, allowed, rows, labels, weights, products, target.n_classes if several else 2, capacity,
            n_members,
        )
        n_nodes = int(grow_nodes(columns, memory, params, stop_flag))
        if n_nodes == STOPPED:
            return None
        if n_nodes != NO_ROOM:
            break
        n_members *= 4
    trees = filled_trees(columns, memory, n_nodes, target, growing.criterion, growing.votes)
    leaves = np.empty(len(weight), np.int32)
    find_leaves(columns, memory, n_nodes, trees[0].nodes["default_left"], weight > 0.0, leaves)
    return GrownTrees(trees, leaves)


def _capacity(n_rows: int, growing: NodeGrowing) -> int:
    """Return how many nodes a tree on so many rows can have at most, and two more."""
    capacity = 2 * (n_rows // growing.min_leaf_rows) + 3
    return min(capacity, 2 ** (growing.max_depth + 1) + 3) if growing.max_depth else capacity
