"""Where the nodes of a tree stand when it is drawn: leaves evenly spaced, parents over their children."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions by node, in units of one leaf's place (x) and one level (y).

    Attributes
    ----------
    x : ndarray of float64, shape (n_nodes,)
        0 at the root, so that the root of the next tree stands where this one's does. Nodes of
        one depth are at least 1 apart, a split at least 1.5 from a leaf and 2 from a split.
    y : ndarray of float64, shape (n_nodes,)
        Depth.
    leaves : ndarray of int64, shape (n_nodes,)
        Leaves below each node (1 in a leaf): how much room it has.
    parent : ndarray of int64, shape (n_nodes,)
        The root is its own parent.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    leaves: NDArray[np.int64]
    parent: NDArray[np.int64]

    @property
    def left(self) -> float:
        """Place of the leftmost leaf, 0 or less."""
        return float(self.x.min())

    @property
    def right(self) -> float:
        """Place of the rightmost leaf, 0 or more."""
        return float(self.x.max())

    @property
    def depth(self) -> int:
        """Depth of the deepest leaf."""
        return int(self.y[-1])


def lay_out(tree: Tree) -> Layout:
    """Place the nodes of a tree; O(n_nodes), one pass up and one down over its levels."""
    nodes = tree.nodes
    levels = _split_levels(tree)
    leaves = np.ones(len(nodes), np.int64)
    for splits in reversed(levels):
        leaves[splits] = leaves[nodes["left"][splits]] + leaves[nodes["right"][splits]]
    x = np.zeros(len(nodes))  # of each subtree's leftmost leaf, going down
    for splits in levels:
        left, right = nodes["left"][splits], nodes["right"][splits]
        x[left] = x[splits]
        x[right] = x[splits] + leaves[left]
    for splits in reversed(levels):
        x[splits] = (x[nodes["left"][splits]] + x[nodes["right"][splits]]) / 2
    parent = np.maximum(nodes["parent"], 0).astype(np.int64)
    return Layout(x - x[0], nodes["depth"].astype(np.float64), leaves, parent)


def _split_levels(tree: Tree) -> list[NDArray[np.int64]]:
    """Return the split nodes of each depth, from the root down."""
    splits = np.flatnonzero(~tree.is_leaf)
    depth = tree.nodes["depth"][splits]  # ascending: nodes stand breadth-first
    return np.split(splits, np.flatnonzero(np.diff(depth)) + 1) if len(splits) else []
