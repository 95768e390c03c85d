"""Which splits of a tree γ kills: by stopping before them, and by pruning after the tree is grown.

Both read the tree that stands. Pre-stopping goes down from the root and stops at the first split that gains
less than γ; pruning comes up from the leaves and takes a split only where none below it stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.what_if.pruned_tree import NewFigures, pruned_tree
from workbench.explain.what_if.rescoring import Rescorer
from workbench.explain.what_if.tree_sums import NO_DIRECTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.derivation.assumed import Assumed
    from workbench.trees.tree import Tree


class SplitFate(NamedTuple):
    """One split.

    Attributes
    ----------
    node, depth : int
    loss_change, gain : float
        What it takes off before γ, and after.
    best_below : float
        The largest loss change of it and of all splits below it: the γ up to which pruning keeps it.
    is_forced : bool
    pre, post : bool
        Whether it stands with pre-stopping, and after post-pruning.
    """

    node: int
    depth: int
    loss_change: float
    gain: float
    best_below: float
    is_forced: bool
    pre: bool
    post: bool


class Outcome(NamedTuple):
    """What is left of a tree: the tree, Σ score of its leaves, and Obj* = Σ score + γT."""

    tree: Tree
    scores: float
    structure_score: float


class SplitFates(NamedTuple):
    """All splits of a tree by node, and what each way leaves of it."""

    splits: tuple[SplitFate, ...]
    pre: Outcome
    post: Outcome


def split_fates(
    tree: Tree, assumed: Assumed, directions: NDArray[np.int8] = NO_DIRECTIONS
) -> SplitFates:
    """Return what becomes of each split of a tree that keeps G and H."""
    again = Rescorer((tree,), directions).score(assumed.values).tree(0)
    nodes, gamma = tree.nodes, assumed.gamma
    forced = nodes["forced"].astype(bool)
    stands = np.zeros(tree.n_nodes, bool)
    for node in np.flatnonzero(~tree.is_leaf).tolist():  # parents come before their children
        parent = int(nodes["parent"][node])
        stands[node] = (parent < 0 or stands[parent]) and (forced[node] or again.gain[node] >= 0.0)
    splits = tuple(
        SplitFate(
            node, int(nodes["depth"][node]), float(again.gain[node]) + gamma, float(again.gain[node]),
            float(again.critical[node]), bool(forced[node]), bool(stands[node]), bool(again.is_split[node]),
        )
        for node in np.flatnonzero(~tree.is_leaf).tolist()
    )
    figures = NewFigures(
        again.weight, again.score, again.gain, assumed.reg_lambda, gamma, assumed.reg_alpha
    )
    return SplitFates(splits, *(_outcome(tree, mask, figures) for mask in (stands, again.is_split)))


def _outcome(tree: Tree, stands: NDArray[np.bool_], figures: NewFigures) -> Outcome:
    left = pruned_tree(tree, stands, figures)
    scores = float(left.nodes["structure_score"][left.is_leaf].sum())
    return Outcome(left, scores, scores + figures.gamma * left.n_leaves)
