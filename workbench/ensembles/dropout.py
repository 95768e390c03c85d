"""What DART did to the rounds before: the record of one round, and how much each tree counts by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Dropout:
    """One round that was grown without some of the earlier ones.

    What the new round itself counts is in its trees' `learning_rate`: of it they are born with weight 1.

    Attributes
    ----------
    round : int
        The round that was grown, from 1.
    dropped : ndarray of int32, shape (k,)
        The rounds that were left out, ascending, k ≥ 1. They count less from this round on.
    factor : float32
        By which the weights of their trees were multiplied.
    """

    round: int
    dropped: NDArray[np.int32]
    factor: np.float32


def round_weights(dropouts: Iterable[Dropout], rounds: int) -> NDArray[np.float32]:
    """Return what each of so many rounds counts after these dropouts, multiplied in float32 and in order."""
    weights = np.ones(rounds, np.float32)
    for dropout in dropouts:
        weights[dropout.dropped - 1] *= dropout.factor
    return weights


def omega_of_weights(trees: Iterable[Tree], weights: NDArray[np.float32]) -> float:
    """Return ½λ Σ v² + α Σ |v| over all leaves, with v as they count; `weights` has one for each tree."""
    total = 0.0
    for tree, weight in zip(trees, weights.tolist(), strict=True):
        total += tree.figures.omega_weights if weight == 1.0 else _weighed(tree, weight)
    return total


def _weighed(tree: Tree, weight: float) -> float:
    size = tree.reg_alpha * float(np.abs(tree.nodes["leaf_value"]).sum()) if tree.reg_alpha else 0.0
    return weight**2 * (tree.figures.omega_weights - size) + weight * size
