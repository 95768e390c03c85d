"""A finished tree: arrays by node, with everything that made each node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NODE_DTYPE = np.dtype(
    [
        ("feature", np.int32),  # column of the matrix, -1 in a leaf
        ("threshold", np.float32),  # x < threshold goes left; NaN in a leaf or at a category test
        ("category", np.int32),  # x == category goes left; -1 where the test is on numbers; see Tree
        ("default_left", np.bool_),  # where a missing value goes
        ("left", np.int32),  # index of the "yes" child; the "no" child is left + 1; -1 in a leaf
        ("right", np.int32),
        ("parent", np.int32),  # -1 at the root
        ("depth", np.int32),
        ("count", np.int64),  # training rows of this round's sample
        ("sum_gradient", np.float64),  # G
        ("sum_hessian", np.float64),  # H
        ("weight", np.float64),  # w* = -G/(H+λ), before shrinkage
        ("structure_score", np.float64),  # -½G²/(H+λ) of this node alone, without γ
        ("gain", np.float64),  # ½[...] - γ of the split; 0 in a leaf
        ("leaf_value", np.float32),  # float32(η·w*) in a leaf, what is added to the prediction; 0 in a split
    ]
)


@dataclass(frozen=True, eq=False)
class Tree:
    """One regression tree.

    Nodes stand breadth-first with siblings adjacent: node 0 is the root, `right == left + 1`.
    A test is true ("yes") to the left: `x < threshold` on numbers, `x in categories` on codes.
    Missing values (NaN) go where `default_left` says; codes never seen in training answer "no".

    Attributes
    ----------
    nodes : structured ndarray of NODE_DTYPE, shape (n_nodes,)
        Read-only. For a category test on one category `category` is its code; on a set it is the
        smallest code of the set.
    class_index : int
        The class whose raw prediction this tree adds to; 0 where there is only one.
    category_begin, category_codes : ndarray of int32, shapes (n_nodes + 1,) and (total,)
        The codes that answer "yes" at node i are `category_codes[category_begin[i]:category_begin[i+1]]`,
        ascending; none for numeric tests and leaves.
    learning_rate, reg_lambda, gamma : float
        η, λ and γ that were in force.
    """

    nodes: NDArray[np.void]
    category_begin: NDArray[np.int32]
    category_codes: NDArray[np.int32]
    class_index: int = 0
    learning_rate: float = 1.0
    reg_lambda: float = 1.0
    gamma: float = 0.0

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        leaf: NDArray[np.bool_] = self.nodes["feature"] < 0
        return leaf

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @cached_property
    def n_leaves(self) -> int:
        """T of Ω."""
        return int(self.is_leaf.sum())

    @cached_property
    def depth(self) -> int:
        """Depth of the deepest leaf; 0 for a single leaf."""
        return int(self.nodes["depth"].max())

    @cached_property
    def total_gain(self) -> float:
        """Sum of the gains of all splits."""
        return float(self.nodes["gain"][~self.is_leaf].sum())

    @cached_property
    def structure_score(self) -> float:
        """−½ Σ G²/(H+λ) + γT over the leaves (smaller is better)."""
        return float(self.nodes["structure_score"][self.is_leaf].sum()) + self.gamma * self.n_leaves

    @cached_property
    def omega(self) -> float:
        """Ω = γT + ½λ Σ w² with the leaf weights as they are added to the model, η·w*."""
        added = self.nodes["leaf_value"][self.is_leaf].astype(np.float64)
        return self.gamma * self.n_leaves + 0.5 * self.reg_lambda * float((added**2).sum())

    def categories(self, node: int) -> NDArray[np.int32]:
        """Codes that answer "yes" at `node`."""
        return self.category_codes[self.category_begin[node] : self.category_begin[node + 1]]
