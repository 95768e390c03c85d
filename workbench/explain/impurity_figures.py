"""Impurity of the nodes of trees that hold class shares, from the sums that the trees keep.

A round has a tree for each class, all with the same questions: −G of the k-th is the weight of the rows of
class k, H that of all. Of two classes there is one tree, of the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


class NodeImpurity(NamedTuple):
    """One node.

    Attributes
    ----------
    weight : float
        Of its rows.
    shares : ndarray of float64, shape (K,)
        Of the classes.
    impurity : float
    """

    weight: float
    shares: NDArray[np.float64]
    impurity: float


def impurity_of(shares: NDArray[np.float64], criterion: str) -> float:
    """Return Σp(1 − p), −Σp·ln p or 1 − max p."""
    if criterion == "gini":
        return float(1.0 - (shares**2).sum())
    if criterion == "entropy":
        present = shares[shares > 0.0]
        return float(-(present * np.log(present)).sum()) + 0.0
    return float(1.0 - shares.max())


def node_impurities(trees: Sequence[Tree], nodes: Sequence[int], criterion: str) -> tuple[NodeImpurity, ...]:
    """Return the figures of nodes of the trees of one round."""
    found = []
    for node in nodes:
        weight = float(trees[0].nodes["sum_hessian"][node])
        counts = np.array([-tree.nodes["sum_gradient"][node] for tree in trees])
        if len(trees) == 1:
            counts = np.array([weight - counts[0], counts[0]])
        shares = np.clip(counts / weight if weight > 0 else counts, 0.0, 1.0)
        found.append(NodeImpurity(weight, shares, impurity_of(shares, criterion)))
    return tuple(found)


def decrease(family: Sequence[NodeImpurity]) -> float:
    """Return n·i − n_L·i_L − n_R·i_R of a node and its two children."""
    node, yes, no = (one.weight * one.impurity for one in family)
    return node - yes - no
