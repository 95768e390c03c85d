"""What each split of a tree is worth on rows that did not grow it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.prediction import leaf_indices
from workbench.explain.tree_rows import NodeSums, node_sums
from workbench.trees.class_impurity import class_counts, impurity_decrease

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from workbench.explain.replay import Replay, RowGradients
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class HoldOutGains:
    """The nodes of one tree on the hold-out rows, with G and H taken before its round.

    Attributes
    ----------
    tree : Tree
    round, place : int
        Of the run, from 1; and in the round, from 0.
    sums : NodeSums
        G, H and number of the hold-out rows.
    gain : ndarray of float64, shape (n_nodes,)
        ½[…] − γ with the tree's λ, α, δ and γ, from these sums alone; NaN in leaves. Of trees of class shares
        the decrease of impurity.
    delivered : ndarray of float64, shape (n_nodes,)
        How much the split, with the weights that the training rows gave its sides times η, takes off the
        hold-out loss by the second-order model; NaN in leaves. Of trees of class shares the loss is Σ over
        the classes of (1[y = k] − share)², whatever was lowered.
    scale : float
        Training rows a hold-out row: `gain * scale` compares with the gain on training rows.
    """

    tree: Tree
    round: int
    place: int
    sums: NodeSums
    gain: NDArray[np.float64]
    delivered: NDArray[np.float64]
    scale: float

    @cached_property
    def doubtful(self) -> NDArray[np.bool_]:
        """Splits that only fit noise: nothing is gained on the hold-out rows, or what it does there harms.

        Without λ the gain of any split is 0 or more, so it alone would seldom tell.
        """
        return ~self.tree.is_leaf & ((self.gain <= 0.0) | (self.delivered <= 0.0))


class DoubtfulSplit(NamedTuple):
    """One split of a run: where it stands, and its gain on hold-out and on training rows."""

    round: int
    place: int
    node: int
    holdout_gain: float
    delivered: float
    gain: float
    rows: int


def weights_and_scores(
    sum_gradient: NDArray[np.float64], sum_hessian: NDArray[np.float64], tree: Tree
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return w* = −soft(G, α)/(H+λ), held to δ, and Gw + ½(H+λ)w² + α|w|, of sums of any rows."""
    soft = np.sign(sum_gradient) * np.maximum(np.abs(sum_gradient) - tree.reg_alpha, 0.0)
    below = sum_hessian + tree.reg_lambda
    weight = np.divide(-soft, below, out=np.zeros(len(soft)), where=below > 0)
    limit = tree.max_delta_step or np.inf
    weight = np.clip(weight, -limit, limit)
    score = sum_gradient * weight + 0.5 * below * weight * weight + tree.reg_alpha * np.abs(weight)
    return weight, score


def gains_of(tree: Tree, sums: NodeSums) -> NDArray[np.float64]:
    """Return ½[…] − γ of every split from G and H of any rows, shape (n_nodes,); NaN in leaves."""
    _, score = weights_and_scores(sums.sum_gradient, sums.sum_hessian, tree)
    return _over_splits(tree, score) - tree.gamma


def delivered_by(tree: Tree, sums: NodeSums, *, searched: bool = False) -> NDArray[np.float64]:
    """Return what each split takes off the loss of these rows with the tree's own weights times η.

    Parameters
    ----------
    searched : bool
        Whether the leaves were weighed by the objective's line search: then −G/(H+λ) of the training rows
        stands for all weights, so that a split is compared with a leaf of its own kind.
    """
    nodes = tree.nodes
    if searched:
        weight, _ = weights_and_scores(nodes["sum_gradient"], nodes["sum_hessian"], tree)
    else:
        weight = nodes["weight"]
    step = tree.learning_rate * weight
    return _over_splits(tree, sums.sum_gradient * step + 0.5 * sums.sum_hessian * step * step)


def holdout_gains(
    replay: Replay, round: int, place: int, cancelled: Callable[[], bool] | None = None
) -> HoldOutGains:
    """Return the hold-out figures of a tree of the run, in one pass over the hold-out rows.

    Parameters
    ----------
    round, place : int
        Of the run, from 1; and in the round, from 0.

    Raises
    ------
    Cancelled
    """
    tree, valid = replay.rounds[round - 1].trees[place], replay.hold_out(round, cancelled)
    k = tree.class_index
    if replay.criterion:
        return _of_classes(replay, round, place, valid)
    leaves = leaf_indices((tree,), replay.hold_out_features)[:, 0]
    sums = node_sums(tree, leaves, valid.gradients[k], valid.hessians[k])
    scale = len(replay.dataset.train_rows) / len(valid) if len(valid) else float("nan")
    delivered = delivered_by(tree, sums, searched=replay.objective.searches_leaves)
    return HoldOutGains(tree, round, place, sums, gains_of(tree, sums), delivered, scale)


def _of_classes(replay: Replay, round: int, place: int, valid: RowGradients) -> HoldOutGains:
    """Return the figures of a tree of class shares: those of all classes together."""
    trees = replay.rounds[round - 1].trees
    tree, leaves = trees[place], leaf_indices(trees[:1], replay.hold_out_features)[:, 0]
    by_class = [
        node_sums(tree, leaves, valid.gradients[one.class_index], valid.hessians[one.class_index])
        for one in trees
    ]
    counts = class_counts(np.array([sums.sum_gradient for sums in by_class]), by_class[0].sum_hessian)
    left = np.where(tree.is_leaf, 0, tree.nodes["left"])
    gain = impurity_decrease(counts[left], counts[left + ~tree.is_leaf], replay.criterion)
    searched = replay.objective.searches_leaves
    change = [delivered_by(one, sums, searched=searched) for one, sums in zip(trees, by_class, strict=True)]
    of_all = 4.0 if len(trees) == 1 else 2.0  # of two classes one tree stands for both; and ½(…)² is the loss
    scale = len(replay.dataset.train_rows) / len(valid) if len(valid) else float("nan")
    return HoldOutGains(
        tree, round, place, by_class[place], np.where(tree.is_leaf, np.nan, gain),
        of_all * np.sum(change, axis=0), scale,
    )


def worst(trees: Iterable[HoldOutGains], most: int = 100) -> list[DoubtfulSplit]:
    """Return the doubtful splits that promised most on the training rows, the largest gain first."""
    found = [
        DoubtfulSplit(
            gains.round, gains.place, int(node), float(gains.gain[node]), float(gains.delivered[node]),
            float(gains.tree.nodes["gain"][node]), int(gains.sums.rows[node]),
        )
        for gains in trees
        for node in np.flatnonzero(gains.doubtful)
    ]
    return sorted(found, key=lambda split: (-split.gain, split.round, split.place, split.node))[:most]


def _over_splits(tree: Tree, of_node: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a node has and its children have not, NaN in leaves."""
    left = tree.nodes["left"]
    change = of_node - of_node[left] - of_node[left + 1]
    return np.where(tree.is_leaf, np.nan, change)
