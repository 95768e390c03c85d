"""Impurity of the nodes of trees that hold class shares, from the sums that the trees keep.

A round has a tree for each class, all with the same questions: −G of the k-th is the weight of the rows of
class k, H that of all. Of two classes there is one tree, of the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.class_impurity import class_counts, class_impurity

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


def node_impurities(trees: Sequence[Tree], nodes: Sequence[int], criterion: str) -> tuple[NodeImpurity, ...]:
    """Return the figures of nodes of the trees of one round."""
    of = list(nodes)
    weight = trees[0].nodes["sum_hessian"][of]
    counts = class_counts(np.array([tree.nodes["sum_gradient"][of] for tree in trees]), weight)
    counts = np.clip(counts, 0.0, weight[:, None])
    share = np.divide(counts, weight[:, None], out=np.zeros(counts.shape), where=weight[:, None] > 0.0)
    mixed = class_impurity(share, criterion)
    return tuple(map(NodeImpurity, weight.tolist(), share, mixed.tolist()))


def decrease(family: Sequence[NodeImpurity]) -> float:
    """Return n·i − n_L·i_L − n_R·i_R of a node and its two children."""
    node, yes, no = (one.weight * one.impurity for one in family)
    return node - yes - no
