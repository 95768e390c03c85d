"""A finished tree: arrays by node, with everything that made each node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Nodes: TypeAlias = Any  # a structured ndarray of one of the types below: numpy's types know no fields
STEPS_AT_ONCE = 8  # of walks, after which it is looked whether all have come to leaves
NODE_DTYPE = np.dtype(
    [
        ("feature", np.int32),  # column of the matrix, -1 in a leaf
        ("threshold", np.float32),  # x < threshold goes left; NaN in a leaf or at a category test
        ("category", np.int32),  # x == category goes left; -1 where the test is on numbers; see Tree
        ("default_left", np.bool_),  # where a missing value goes
        ("forced", np.bool_),  # whether the split, or its column, was asked for
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
# Nodes of a program that adds leaves up in double precision.
DOUBLE_NODE_DTYPE = np.dtype(
    [(name, np.float64 if name == "leaf_value" else NODE_DTYPE[name]) for name in NODE_DTYPE.names or ()]
)


class TreeFigures(NamedTuple):
    """What a tree adds up to.

    Attributes
    ----------
    leaves : int
        T of Ω.
    depth : int
        Of the deepest leaf; 0 for a single leaf.
    gain : float
        Sum of the gains of all splits.
    leaf_scores : float
        −½ Σ G²/(H+λ) over the leaves, without γ.
    omega_weights : float
        ½λ Σ v² + α Σ |v| with the leaf weights as they are added to the model, v = η·w*.
    promised : float
        Σ(G·v + ½H·v²) over the leaves: the second-order change of the loss.
    """

    leaves: int
    depth: int
    gain: float
    leaf_scores: float
    omega_weights: float
    promised: float


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """One regression tree.

    Nodes stand breadth-first with siblings adjacent: node 0 is the root, `right == left + 1`.
    A test is true ("yes") to the left: `x < threshold` on numbers, `x in categories` on codes.
    Missing values (NaN) go where `default_left` says; codes never seen in training answer "no".

    Attributes
    ----------
    nodes : structured ndarray of NODE_DTYPE or DOUBLE_NODE_DTYPE, shape (n_nodes,)
        Read-only. For a category test on one category `category` is its code; on a set it is the
        smallest code of the set.
    class_index : int
        The class whose raw prediction this tree adds to; 0 where there is only one.
    category_begin, category_codes : ndarray of int32, shapes (n_nodes + 1,) and (total,)
        The codes that answer "yes" at node i are `category_codes[category_begin[i]:category_begin[i+1]]`,
        ascending; none for numeric tests and leaves.
    learning_rate, reg_lambda, gamma : float
        η, λ and γ that were in force.
    grown_figures : TreeFigures, optional
        The figures where they are known from growing; otherwise they are added up when asked for.
    reg_alpha, max_delta_step : float
        α and δ that were in force.
    """

    nodes: Nodes
    category_begin: NDArray[np.int32]
    category_codes: NDArray[np.int32]
    class_index: int = 0
    learning_rate: float = 1.0
    reg_lambda: float = 1.0
    gamma: float = 0.0
    grown_figures: TreeFigures | None = None
    reg_alpha: float = 0.0
    max_delta_step: float = 0.0

    def __repr__(self) -> str:
        return f"Tree({self.n_leaves} leaves, depth {self.depth}, gain {self.total_gain:.6g})"

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        leaf: NDArray[np.bool_] = self.nodes["feature"] < 0
        return leaf

    @property
    def knows_sums(self) -> bool:
        """Whether G, and with it η, λ and w*, is known; files of other programs keep none of them."""
        return bool(np.isfinite(self.nodes["sum_gradient"][0]))

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @cached_property
    def figures(self) -> TreeFigures:
        """What the tree adds up to."""
        if self.grown_figures is not None:
            return self.grown_figures
        leaves = self.nodes[self.is_leaf]
        added = leaves["leaf_value"].astype(np.float64)
        penalty = 0.5 * self.reg_lambda * added**2 + self.reg_alpha * np.abs(added)
        return TreeFigures(
            leaves=len(leaves),
            depth=int(self.nodes["depth"].max()),
            gain=float(self.nodes["gain"][~self.is_leaf].sum()),
            leaf_scores=float(leaves["structure_score"].sum()),
            omega_weights=float(penalty.sum()) if self.knows_sums else float("nan"),
            promised=float((leaves["sum_gradient"] * added + 0.5 * leaves["sum_hessian"] * added**2).sum()),
        )

    @property
    def n_leaves(self) -> int:
        """T of Ω."""
        return self.figures.leaves

    @property
    def depth(self) -> int:
        """Depth of the deepest leaf; 0 for a single leaf."""
        return self.figures.depth

    @property
    def total_gain(self) -> float:
        """Sum of the gains of all splits."""
        return self.figures.gain

    @property
    def structure_score(self) -> float:
        """−½ Σ G²/(H+λ) + γT over the leaves (smaller is better)."""
        return self.figures.leaf_scores + self.gamma * self.figures.leaves

    @property
    def omega(self) -> float:
        """Ω = γT + ½λ Σ w² + α Σ |w| with the weights as they are added, η·w*; NaN where λ is unknown."""
        return self.gamma * self.figures.leaves + self.figures.omega_weights

    def categories(self, node: int) -> NDArray[np.int32]:
        """Codes that answer "yes" at `node`."""
        return self.category_codes[self.category_begin[node] : self.category_begin[node + 1]]
