"""From the arrays that a kernel filled to the tree that is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.tree import Tree, TreeFigures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.grower import GrowingParams

MOST_DEPTH = 40  # beyond, a full tree has more nodes than there can be rows


def node_capacity(n_rows: int, params: GrowingParams) -> int:
    """Return how many nodes a tree on so many rows can have at most."""
    capacity = 2 * n_rows + 1
    if params.max_depth:
        capacity = min(capacity, 2 ** min(params.max_depth + 1, MOST_DEPTH))
    if params.max_leaves:
        capacity = min(capacity, 2 * params.max_leaves)
    return capacity


def kept_tree(
    table: NDArray[np.void],
    figures: NDArray[np.float64],
    params: GrowingParams,
    class_index: int,
    has_categories: bool,
) -> Tree:
    """Return a tree with copies of these arrays; tests on categories set one against the rest.

    Parameters
    ----------
    table : structured ndarray of NODE_DTYPE, shape (n_nodes,)
    figures : ndarray of float64, shape (6,)
        `TreeFigures`.
    has_categories : bool
        Whether any column holds categories.
    """
    nodes = table.copy()
    nodes.flags.writeable = False
    begins, codes = np.zeros(len(nodes) + 1, np.int32), np.empty(0, np.int32)
    if has_categories:
        asks_category = nodes["category"] >= 0
        np.cumsum(asks_category, out=begins[1:])
        codes = nodes["category"][asks_category]
    leaves, depth, *sums = figures.tolist()
    return Tree(
        nodes, begins, codes, class_index, params.learning_rate, params.reg_lambda, params.gamma,
        TreeFigures(int(leaves), int(depth), *sums),
    )
