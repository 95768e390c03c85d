"""Stored trees scored again under another λ, γ and α, from the G and H that every node keeps.

The structure of each tree and the trees before it are held fixed: G and H stay what they were. What
retraining would give is another matter.

A split is pruned where it gains less than γ and no split below it stays (MATH: post-pruning), so it
stays as long as γ is at most its critical γ, the largest gain before γ of it and all below it; a forced
split stays always.

Monotone columns bound weights as in training, from the root down: midway between the sides of each split
that asks about one. Where other values would turn the sides round, both weigh what lies midway.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.explain.what_if.tree_sums import NO_DIRECTIONS, TreeSums, pack_sums

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

NO_SUMS = ("This model keeps no G and H in its nodes, so its trees cannot be scored again. "
           "A model saved by this program keeps them.")
SEARCHED = ("This objective finds its leaf weights by a search over the rows, not from G and H. "
            "Retrain to see other values.")
OTHERWISE = ("The leaf weights of this model do not follow from G, H, λ and α, so its trees cannot be scored "
             "again. Retrain to see other values.")


@dataclass(frozen=True)
class Values:
    """λ, γ and α to score with; None is what each tree has stored."""

    reg_lambda: float | None = None
    gamma: float | None = None
    reg_alpha: float | None = None

    @property
    def is_stored(self) -> bool:
        """Whether nothing is changed."""
        return self == STORED


STORED = Values()


class TreeTotals(NamedTuple):
    """Figures of each tree, shape (n_trees,), of what stays.

    Attributes
    ----------
    splits : ndarray of int64
    leaf_scores : ndarray of float64
        Σ(Gw + ½(H+λ)w² + α|w|) over the leaves, without γ.
    structure_score : ndarray of float64
        The same + γT.
    gain : ndarray of float64
        Σ gain of the splits that stay.
    """

    splits: NDArray[np.int64]
    leaf_scores: NDArray[np.float64]
    structure_score: NDArray[np.float64]
    gain: NDArray[np.float64]


class RescoredTree(NamedTuple):
    """One tree scored again, by its stored nodes.

    Attributes
    ----------
    weight, score : ndarray of float64, shape (n_nodes,)
        w* and Gw* + ½(H+λ)w*² + α|w*|: what the node weighs and scores as a leaf.
    gain, critical : ndarray of float64, shape (n_nodes,)
        Of a split: gain with γ taken off, and critical γ; NaN of a leaf.
    is_split, is_leaf : ndarray of bool, shape (n_nodes,)
        What a node is after pruning: neither where it is gone with a split above it.
    """

    weight: NDArray[np.float64]
    score: NDArray[np.float64]
    gain: NDArray[np.float64]
    critical: NDArray[np.float64]
    is_split: NDArray[np.bool_]
    is_leaf: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rescored:
    """All trees scored again; arrays are over all nodes (n) or all splits (s) of `sums`.

    Attributes
    ----------
    sums : TreeSums
    values : Values
    gamma, reg_alpha : ndarray of float64, shape (n_trees,)
    weight, score : ndarray of float64, shape (n,)
        See `RescoredTree`.
    loss_change : ndarray of float64, shape (s,)
        What each split takes off, before γ.
    critical : ndarray of float64, shape (s,)
        Critical γ.
    stays : ndarray of bool, shape (s,)
    """

    sums: TreeSums
    values: Values
    gamma: NDArray[np.float64]
    reg_alpha: NDArray[np.float64]
    weight: NDArray[np.float64]
    score: NDArray[np.float64]
    loss_change: NDArray[np.float64]
    critical: NDArray[np.float64]
    stays: NDArray[np.bool_]

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves after pruning, shape (n,)."""
        above = np.append(self.stays, True)[self.sums.parent_split]
        splits = np.zeros(self.sums.n_nodes, bool)
        splits[self.sums.split] = self.stays
        return above & ~splits

    @cached_property
    def totals(self) -> TreeTotals:
        """Figures of each tree."""
        sums, n = self.sums, self.sums.n_trees
        splits = _sums_by(sums.tree_of_split, self.stays, n)
        scores = _sums_by(sums.tree_of_node, self.score * self.is_leaf, n)
        changes = _sums_by(sums.tree_of_split, self.loss_change * self.stays, n)
        gain = changes - self.gamma * splits
        return TreeTotals(splits.astype(np.int64), scores, scores + self.gamma * (splits + 1), gain)

    @property
    def n_splits(self) -> int:
        """Splits that stay, of all trees."""
        return int(self.stays.sum())

    @property
    def n_leaves(self) -> int:
        """Leaves of all trees."""
        return self.n_splits + self.sums.n_trees

    @property
    def structure_score(self) -> float:
        """Summed over the trees."""
        return float(self.totals.structure_score.sum())

    def tree(self, index: int) -> RescoredTree:
        """Return one tree by its own nodes."""
        sums = self.sums
        here = slice(sums.begins[index], sums.begins[index + 1])
        own = np.flatnonzero(sums.tree_of_split == index)
        nodes = sums.split[own] - sums.begins[index]
        gain, critical = np.full((2, here.stop - here.start), np.nan)
        gain[nodes], critical[nodes] = self.loss_change[own] - self.gamma[index], self.critical[own]
        is_split = np.zeros(len(gain), bool)
        is_split[nodes] = self.stays[own]
        return RescoredTree(
            self.weight[here], self.score[here], gain, critical, is_split, self.is_leaf[here]
        )


class Rescorer:
    """The packed sums of trees, scored as often as wanted; from any thread.

    Parameters
    ----------
    directions : ndarray of int8, shape (d,)
        Of each column; none where no column is monotone.
    """

    def __init__(self, trees: Sequence[Tree], directions: NDArray[np.int8] = NO_DIRECTIONS) -> None:
        self.sums = pack_sums(trees, directions)

    def score(self, values: Values) -> Rescored:
        """Return the trees scored with these values: about 2 ms for 500 trees of 64 leaves."""
        sums = self.sums
        reg_lambda, gamma, reg_alpha = (
            stored if new is None else np.full(sums.n_trees, new)
            for new, stored in (
                (values.reg_lambda, sums.reg_lambda), (values.gamma, sums.gamma),
                (values.reg_alpha, sums.reg_alpha),
            )
        )
        weight, score = scored(sums, reg_lambda, reg_alpha)
        loss_change = score[sums.split] - score[sums.left] - score[sums.left + 1]
        critical = largest_below(sums, np.where(sums.forced, np.inf, loss_change))
        stays = critical >= gamma[sums.tree_of_split]
        return Rescored(sums, values, gamma, reg_alpha, weight, score, loss_change, critical, stays)


def scored(
    sums: TreeSums, reg_lambda: NDArray[np.float64], reg_alpha: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return w* and Gw* + ½(H+λ)w*² + α|w*| of every node, shape (n,), with λ and α of each tree."""
    alpha, denominator = reg_alpha[sums.tree_of_node], sums.h + reg_lambda[sums.tree_of_node]
    soft = soft_threshold(sums.g, alpha) if reg_alpha.any() else sums.g
    weight = np.divide(-soft, denominator, out=np.zeros_like(soft), where=denominator > 0)
    if not sums.is_held:
        return weight, 0.5 * soft * weight
    limit = np.where(sums.max_delta_step > 0, sums.max_delta_step, np.inf)[sums.tree_of_node]
    weight = _bounded(sums, np.clip(weight, -limit, limit))
    return weight, sums.g * weight + 0.5 * denominator * weight * weight + alpha * np.abs(weight)


def _bounded(sums: TreeSums, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights, shape (n,), held within the bounds that splits above set for monotone columns."""
    if not sums.direction.any():
        return weight
    low, high = np.full(len(weight), -np.inf), np.full(len(weight), np.inf)
    for level in reversed(sums.levels):
        split, yes, direction = sums.split[level], sums.left[level], sums.direction[level]
        no, ends = yes + 1, (low[split], high[split])
        middle = 0.5 * (np.clip(weight[yes], *ends) + np.clip(weight[no], *ends))
        for child, rises in ((yes, direction < 0), (no, direction > 0)):
            falls = (direction != 0) & ~rises
            low[child], high[child] = np.where(rises, middle, ends[0]), np.where(falls, middle, ends[1])
    bounded: NDArray[np.float64] = np.clip(weight, low, high)
    return bounded


def _sums_by(
    tree: NDArray[np.int64], values: NDArray[Any], n_trees: int
) -> NDArray[np.float64]:
    """Return the sum of the values of each tree."""
    return np.bincount(tree, values, minlength=n_trees).astype(np.float64)


def soft_threshold(g: NDArray[np.float64], alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return soft(G, α): G brought towards 0 by α, and 0 where it is nearer."""
    soft: NDArray[np.float64] = np.sign(g) * np.maximum(np.abs(g) - alpha, 0.0)
    return soft


def largest_below(sums: TreeSums, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest of the values, shape (s,), of each split and of all splits below it."""
    largest = np.append(values, -np.inf)
    for level in sums.levels:
        below = sums.below[level]
        children = np.maximum(largest[below[:, 0]], largest[below[:, 1]])
        largest[level] = np.maximum(largest[level], children)
    return largest[:-1]


def refusal(
    trees: Sequence[Tree], objectives: Collection[str], directions: NDArray[np.int8] = NO_DIRECTIONS
) -> str:
    """Say why trees that were grown by these objectives cannot be scored from their sums; "" where they can.

    Brings numba: for a job.
    """
    from workbench.objectives.base import OBJECTIVES

    if not all(np.isfinite(tree.nodes["sum_gradient"]).all() for tree in trees):
        return NO_SUMS
    if any(known.name in objectives and known.searches_leaves for known in OBJECTIVES):
        return SEARCHED
    return "" if _follows(trees, directions) else OTHERWISE


def _follows(trees: Sequence[Tree], directions: NDArray[np.int8]) -> bool:
    """Whether the stored weights are those that G, H, the directions and the stored λ, α and δ make."""
    sums = pack_sums(trees, directions)
    weight, _ = scored(sums, sums.reg_lambda, sums.reg_alpha)
    stored = np.concatenate([np.empty(0), *(tree.nodes["weight"] for tree in trees)])
    return bool(np.allclose(weight, stored, rtol=1e-9, atol=1e-12))
