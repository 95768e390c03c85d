"""The classes of AdaBoost by SAMME and SAMME.R: row weights as gradients of K trees of one structure.

Zhu, Zou, Rosset and Hastie (2009). By SAMME leaves vote: α = ln((1 − err)/err) + ln(K − 1),
ω ← ω·e^(α·1[h ≠ y]). With F_k = Σα·1[h = k] the shares are softmax(F), and ω is e^(−F_y) but for a factor
that all rows have. By SAMME.R they add h_k/(K − 1) = ln p_k − (1/K)·Σ ln p; with F_k their sum,
ω ← ω·e^(−((K − 1)/K)·yᵀ ln p), where y is 1 for the row's class and −1/(K − 1) for others, is e^(−F_y) too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.adaboost_weights import LEAST_SHARE, beta
from workbench.objectives.softmax import Softmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.threads.team import Team
    from workbench.trees.tree import Tree


class SammeWeights(Softmax):
    """g = −ω·1[y = k] and h = ω in the tree of class k, Σω the weight of all rows; F begins at 0."""

    searches_leaves = True
    weighs_whole_trees = True
    by_blocks = False

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return 0 for every class."""
        return np.zeros(n_classes, np.float32)

    def evaluate(
        self,
        target: NDArray[np.float64],
        raw: NDArray[np.float32],
        weight: NDArray[np.float64],
        gradients: NDArray[np.float64],
        hessians: NDArray[np.float64],
        losses: NDArray[np.float64],
        team: Team,
    ) -> tuple[float, dict[str, float]]:
        """Fill −ω·1[y = k] and ω; return the summed loss of softmax, and the error rate."""
        told = super().evaluate(target, raw, weight, gradients, hessians, losses, team)
        classes, rows = target.astype(np.int64), np.arange(len(target))
        exponent = -raw[classes, rows].astype(np.float64)
        of_rows = np.exp(exponent - exponent.max(initial=0.0)) * weight
        total = float(of_rows.sum())
        hessians[:] = of_rows * (float(weight.sum()) / total if total > 0.0 else 0.0)
        gradients[:] = 0.0
        gradients[classes, rows] = -hessians[0]
        return told


def class_sums(trees: Sequence[Tree]) -> NDArray[np.float64]:
    """Return the row weights of each class in each node of trees of one structure, shape (K, n_nodes)."""
    return np.stack([-tree.nodes["sum_gradient"] for tree in trees])


def wrong_share(trees: Sequence[Tree]) -> float:
    """Return err: the share of the row weights that are not of the likeliest class of their leaf."""
    sums = class_sums(trees)[:, trees[0].is_leaf]
    whole = float(sums.sum())
    return max(1.0 - float(sums.max(axis=0).sum()) / whole, 0.0) if whole > 0.0 else 1.0


def votes(trees: Sequence[Tree]) -> NDArray[np.float64]:
    """Return the leaf weights α·(1[h = k] − 1/K) of each class's tree, h the likeliest class of the leaf."""
    sums = class_sums(trees)
    k = len(sums)
    hits = sums.argmax(axis=0) == np.arange(k)[:, None]
    return 2.0 * beta(wrong_share(trees), k) * (hits - 1.0 / k)


def log_shares(trees: Sequence[Tree]) -> NDArray[np.float64]:
    """Return the leaf weights ln p_k − (1/K)·Σ ln p of each class's tree; 0 where there are no rows."""
    sums = class_sums(trees)
    both = sums.sum(axis=0)
    share = np.divide(sums, both, out=np.full(sums.shape, 1.0 / len(sums)), where=both > 0.0)
    logarithm = np.log(np.clip(share, LEAST_SHARE, 1.0 - LEAST_SHARE))
    return np.asarray(logarithm - logarithm.mean(axis=0))
