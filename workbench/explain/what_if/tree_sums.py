"""The G and H of every node of many trees, one tree after another, and which nodes they parted into.

tree     | 0            | 1        | …
node     | 0 1 2 3 4    | 5 6 7    | …     each tree's breadth-first, as it keeps them
split    | 2 5 | 0 1 |               the deepest level of all trees first, the roots last
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.trees.tree import NODE_DTYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

NO_DIRECTIONS = np.empty(0, np.int8)


class TreeSums(NamedTuple):
    """Everything that re-scoring reads, packed; n nodes and s splits in all.

    Attributes
    ----------
    begins : ndarray of int64, shape (n_trees + 1,)
        First node of each tree; the last is n.
    tree_of_node, tree_of_split : ndarray of int64, shapes (n,) and (s,)
    g, h : ndarray of float64, shape (n,)
        G and H.
    split : ndarray of int64, shape (s,)
        Node of each split.
    left : ndarray of int64, shape (s,)
        Node of its "yes" child; the "no" child is the next one.
    below : ndarray of int64, shape (s, 2)
        Splits that the children are; s where a child is a leaf.
    levels : tuple of slice
        Of the splits, from the deepest level to the roots.
    parent_split : ndarray of int64, shape (n,)
        Split above each node; s above a root.
    forced : ndarray of bool, shape (s,)
        Splits that were asked for, which stay under any γ.
    direction : ndarray of int8, shape (s,)
        1 or −1 where a split asks about a column in which the prediction may only rise or fall; 0 elsewhere.
    learning_rate, reg_lambda, gamma, reg_alpha, max_delta_step : ndarray of float64, shape (n_trees,)
        η, λ, γ, α and δ that were in force.
    """

    begins: NDArray[np.int64]
    tree_of_node: NDArray[np.int64]
    tree_of_split: NDArray[np.int64]
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    split: NDArray[np.int64]
    left: NDArray[np.int64]
    below: NDArray[np.int64]
    levels: tuple[slice, ...]
    parent_split: NDArray[np.int64]
    forced: NDArray[np.bool_]
    direction: NDArray[np.int8]
    learning_rate: NDArray[np.float64]
    reg_lambda: NDArray[np.float64]
    gamma: NDArray[np.float64]
    reg_alpha: NDArray[np.float64]
    max_delta_step: NDArray[np.float64]

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.begins) - 1

    @property
    def n_nodes(self) -> int:
        """How many nodes they have together."""
        return len(self.g)

    @property
    def n_splits(self) -> int:
        """How many of the nodes are splits."""
        return len(self.split)

    @property
    def is_held(self) -> bool:
        """Whether more than G, H, λ and α make weights: δ, or a monotone column."""
        return bool(self.max_delta_step.any() or self.direction.any())


def directions(params: TrainingParams, names: Sequence[str]) -> NDArray[np.int8]:
    """Return 1 or −1 of each column that is monotone, 0 of the others."""
    signs = dict(params.monotone_constraints)
    if not signs:
        return np.zeros(len(names), np.int8)
    return np.array([signs.get(name, 0) for name in names], np.int8)


def pack_sums(trees: Sequence[Tree], directions: NDArray[np.int8] = NO_DIRECTIONS) -> TreeSums:
    """Pack the sums of trees; some 10 µs a tree, so that thousands of trees are for a job.

    Parameters
    ----------
    directions : ndarray of int8, shape (d,)
        Of each column; none where no column is monotone.
    """
    sizes = np.array([tree.n_nodes for tree in trees], np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    tree_of_node = np.repeat(np.arange(len(trees)), sizes)
    left = _joined(trees, "left").astype(np.int64)
    left[left >= 0] += begins[tree_of_node[left >= 0]]
    split, levels = _by_level(left, _joined(trees, "depth"))
    place = np.full(begins[-1], len(split), np.int64)
    place[split] = np.arange(len(split))
    left = left[split]
    parent_split = np.full(begins[-1], len(split), np.int64)
    parent_split[left] = parent_split[left + 1] = np.arange(len(split))
    asked = _joined(trees, "feature")[split]
    rates = ("learning_rate", "reg_lambda", "gamma", "reg_alpha", "max_delta_step")
    return TreeSums(
        begins, tree_of_node, tree_of_node[split],
        _joined(trees, "sum_gradient").astype(np.float64), _joined(trees, "sum_hessian").astype(np.float64),
        split, left, np.column_stack([place[left], place[left + 1]]), levels, parent_split,
        _joined(trees, "forced")[split],
        directions[asked] if len(directions) else np.zeros(len(split), np.int8),
        *(np.array([getattr(tree, name) for tree in trees], np.float64) for name in rates),
    )


def _joined(trees: Sequence[Tree], name: str) -> NDArray[Any]:
    return np.concatenate([np.empty(0, NODE_DTYPE[name]), *(tree.nodes[name] for tree in trees)])


def _by_level(
    left: NDArray[np.int64], depth: NDArray[Any]
) -> tuple[NDArray[np.int64], tuple[slice, ...]]:
    """Return the splits, the deepest first, and where each level of them begins and ends."""
    split = np.flatnonzero(left >= 0)
    split = split[np.argsort(-depth[split], kind="stable")]
    ends = np.flatnonzero(np.diff(depth[split], append=-1)) + 1 if len(split) else np.empty(0, np.int64)
    begins = np.concatenate([[0], ends[:-1]]) if len(split) else ends
    return split, tuple(slice(int(a), int(b)) for a, b in zip(begins, ends, strict=True))
