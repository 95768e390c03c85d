"""Ω and the structure score of one tree, leaf by leaf, under other penalties than it was grown with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.what_if.rescoring import Rescorer, scored, soft_threshold
from workbench.explain.what_if.tree_sums import NO_DIRECTIONS, pack_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.derivation.assumed import Assumed
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class TreeTerms:
    """The leaves that stay, T of them.

    Attributes
    ----------
    assumed : Assumed
    leaves : ndarray of int64, shape (T,)
        Their nodes.
    count : ndarray of int64, shape (T,)
        Rows.
    sum_gradient, soft, sum_hessian : ndarray of float64, shape (T,)
        G, soft(G, α) and H.
    weight, score : ndarray of float64, shape (T,)
        w and what the leaf adds to Obj*, without γ.
    """

    assumed: Assumed
    leaves: NDArray[np.int64]
    count: NDArray[np.int64]
    sum_gradient: NDArray[np.float64]
    soft: NDArray[np.float64]
    sum_hessian: NDArray[np.float64]
    weight: NDArray[np.float64]
    score: NDArray[np.float64]

    @property
    def n_leaves(self) -> int:
        """T."""
        return len(self.leaves)

    @property
    def leaf_cost(self) -> float:
        """γT."""
        return self.assumed.gamma * self.n_leaves

    @property
    def squares(self) -> float:
        """½λΣw²."""
        return 0.5 * self.assumed.reg_lambda * float(np.square(self.weight).sum())

    @property
    def sizes(self) -> float:
        """αΣ|w|."""
        return self.assumed.reg_alpha * float(np.abs(self.weight).sum())

    @property
    def omega(self) -> float:
        """Ω = γT + ½λΣw² + αΣ|w|."""
        return self.leaf_cost + self.squares + self.sizes

    @property
    def structure_score(self) -> float:
        """Obj* = Σ score + γT."""
        return float(self.score.sum()) + self.leaf_cost


def tree_terms(
    tree: Tree, assumed: Assumed, directions: NDArray[np.int8] = NO_DIRECTIONS, *, follows: bool = True
) -> TreeTerms:
    """Return the terms of a tree that keeps G and H; splits that γ does not pay for are pruned.

    Where the stored weights do not follow from G and H (`follows`), they and the splits stay.
    """
    nodes = tree.nodes
    if follows:
        again = Rescorer((tree,), directions).score(assumed.values).tree(0)
        leaves, weight, score = np.flatnonzero(again.is_leaf), again.weight, again.score
    else:
        leaves = np.flatnonzero(tree.is_leaf)
        weight, score = nodes["weight"], nodes["structure_score"]
    g = nodes["sum_gradient"][leaves].astype(np.float64)
    return TreeTerms(
        assumed, leaves, nodes["count"][leaves].astype(np.int64), g,
        soft_threshold(g, np.full(len(g), assumed.reg_alpha)),
        nodes["sum_hessian"][leaves].astype(np.float64),
        weight[leaves].astype(np.float64), score[leaves].astype(np.float64),
    )


def weights_follow(tree: Tree, directions: NDArray[np.int8] = NO_DIRECTIONS) -> bool:
    """Whether the stored weights are those that G, H and the stored penalties make."""
    if not (tree.knows_sums and np.isfinite(tree.nodes["sum_gradient"]).all()):
        return False
    sums = pack_sums((tree,), directions)
    weight, _ = scored(sums, sums.reg_lambda, sums.reg_alpha)
    return bool(np.allclose(weight, tree.nodes["weight"], rtol=1e-9, atol=1e-12))
