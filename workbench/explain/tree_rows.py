"""Which rows pass each node of a tree, and what their gradients add up to there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.leaf_sums import LEAF_BLOCK_ROWS, ROWS_A_NODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


class NodeSums(NamedTuple):
    """G, H and rows by node.

    Attributes
    ----------
    sum_gradient, sum_hessian : ndarray of float64, shape (n_nodes,)
    rows : ndarray of int64, shape (n_nodes,)
    """

    sum_gradient: NDArray[np.float64]
    sum_hessian: NDArray[np.float64]
    rows: NDArray[np.int64]


def levels(tree: Tree) -> Iterator[NDArray[np.int64]]:
    """Yield the split nodes of each depth, the deepest first."""
    splits = np.flatnonzero(~tree.is_leaf)
    depth = tree.nodes["depth"][splits]
    for level in range(int(depth.max(initial=-1)), -1, -1):
        yield splits[depth == level]


def node_sums(
    tree: Tree,
    leaves: NDArray[np.int32],
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64],
) -> NodeSums:
    """Return G, H and rows of every node.

    Added block by block in the order of the rows, and leaves up to the root, as the grower adds: where no
    split of the tree was taken back while it grew, these are the bits that it stored.

    Parameters
    ----------
    leaves : ndarray of int32, shape (n,)
        The leaf of each row, in the order of the rows.
    gradients, hessians : ndarray of float64, shape (n,)
    """
    n = tree.n_nodes
    g, h, rows = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    size = max(LEAF_BLOCK_ROWS, ROWS_A_NODE * n)
    for begin in range(0, len(leaves), size):
        block = slice(begin, begin + size)
        g += np.bincount(leaves[block], gradients[block], n)
        h += np.bincount(leaves[block], hessians[block], n)
        rows += np.bincount(leaves[block], minlength=n)
    sums = NodeSums(g, h, rows)
    for splits in levels(tree):
        left = tree.nodes["left"][splits]
        for field in sums:
            field[splits] = field[left] + field[left + 1]
    return sums


def leaves_under(tree: Tree, node: int) -> NDArray[np.bool_]:
    """Return which nodes of the tree are `node` or below it, shape (n_nodes,)."""
    below = np.zeros(tree.n_nodes, np.bool_)
    below[node] = True
    reached = np.array([node])
    while len(reached):
        splits = reached[~tree.is_leaf[reached]]
        left = tree.nodes["left"][splits]
        reached = np.concatenate([left, left + 1])
        below[reached] = True
    return below
