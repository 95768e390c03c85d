"""The exponential loss as AdaBoost sees it: gradients are its row weights, and leaves vote.

Friedman, Hastie and Tibshirani (2000): the weight of a row, ω = w·e^(−sF(x)), is the gradient of the
exponential loss there, its sign apart. With g = −sω, h = ω and λ = 0 the Newton gain of a split is what it
takes off Σ ωp(1 − p), so that the best split is that of the Gini impurity under these weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.exponential import Exponential
from workbench.threads.row_blocks import copy_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.line_search import SearchedRows
    from workbench.threads.team import Team

LEAST_SHARE = 1e-6  # of a class in a leaf of real AdaBoost: ½ ln(p/(1 − p)) is 6.9 at most
NO_ERROR, ROUNDING = 1e-12, 1e-10  # err below which it is 0; what it may lack of chance
PERFECT_BETA = 0.5  # of a tree without error, whose β is infinite; scikit-learn's


class AdaBoostWeights(Exponential):
    """g = −sω and h = ω, with s = 2y − 1 and Σω the weight of all rows; F begins at 0.

    Parameters
    ----------
    is_real : bool
        Whether leaves are weighed by their log-odds, f = ½ ln(p/(1 − p)); else every leaf votes for its
        likelier class with the tree's β = ½ ln((1 − err)/err).
    """

    searches_leaves = True

    def __init__(self, *, is_real: bool = False) -> None:
        self.is_real, self.weighs_whole_trees = is_real, not is_real

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return 0."""
        return np.zeros(1, np.float32)

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
        """Fill −sω and ω; return the summed loss, Σ w·e^(−sF)."""
        exponent = (1.0 - 2.0 * target) * raw[0]
        largest = float(exponent.max(initial=0.0))
        of_rows = np.exp(exponent - largest)
        of_rows *= weight
        total = float(of_rows.sum())
        if len(losses):
            copy_to(of_rows * np.exp(largest), losses)
        scale = float(weight.sum()) / total if total > 0.0 else 0.0
        np.multiply(of_rows, scale, out=hessians[0])
        np.multiply(hessians[0], 1.0 - 2.0 * target, out=gradients[0])
        with np.errstate(over="ignore"):
            return float(total * np.exp(largest)), {}

    def leaf_weights(self, rows: SearchedRows) -> NDArray[np.float64]:
        """Return ±β, or ½ ln(p/(1 − p)) of each leaf; 0 where there are no rows."""
        pull = rows.gradients[rows.drawn]
        of_class_0 = np.bincount(rows.leaf, np.maximum(pull, 0.0), rows.n_nodes)
        of_class_1 = np.bincount(rows.leaf, np.maximum(-pull, 0.0), rows.n_nodes)
        both = of_class_0 + of_class_1
        if self.is_real:
            share = np.divide(of_class_1, both, out=np.full(rows.n_nodes, 0.5), where=both > 0.0)
            share = np.clip(share, LEAST_SHARE, 1.0 - LEAST_SHARE)
            return 0.5 * np.log(share / (1.0 - share))
        votes = np.where(of_class_1 > of_class_0, 1.0, -1.0) * (both > 0.0)
        wrong, whole = float(np.minimum(of_class_0, of_class_1).sum()), float(both.sum())
        return votes * beta(wrong / whole if whole > 0.0 else 0.5)


def chance(n_classes: int = 2) -> float:
    """Return the least err that is no better than chance, but for rounding: ½ for two classes."""
    return 1.0 - 1.0 / n_classes - ROUNDING


def beta(error: float, n_classes: int = 2) -> float:
    """Return ½ ln((1 − err)/err), and ½ ln(K − 1) more of K classes; 0 where err is no better than chance."""
    if error < NO_ERROR:
        return PERFECT_BETA
    if error > chance(n_classes):
        return 0.0
    return 0.5 * float(np.log((1.0 - error) / error) + np.log(n_classes - 1.0))
