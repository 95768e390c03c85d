"""The best split of every column at a node, ranked; and in words why others were not made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.forced_split import forced_split, forced_words
from workbench.explain.node_figures import Test, question
from workbench.explain.reasons import WHY_REFUSED, CutRefusal, Why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from workbench.explain.compared_node import ComparedNode
    from workbench.explain.split_scan import ColumnScan

TIE = 0.05  # a margin within it is a near-tie


@dataclass(frozen=True)
class Candidate:
    """The best split of a column at a node.

    Attributes
    ----------
    feature : int
    test : Test
    threshold : float32
        NaN for categories.
    codes : tuple of int
        Category codes that answer "yes".
    default_left : bool
    gain : float
        ½[…] − γ; of trees that are grown on classes themselves the decrease of their impurity.
    compared : float
        What the search compared: the gain, of many categories with `cat_l2` more of λ, less what they gain
        by chance.
    margin : float
        (compared − the winner's) / |the winner's|; 0 for the winner.
    holdout_gain : float
        The same gain from the hold-out rows; NaN where there are none.
    is_chosen : bool
    """

    feature: int
    test: Test
    threshold: np.float32
    codes: tuple[int, ...]
    default_left: bool
    gain: float
    compared: float
    margin: float
    holdout_gain: float
    is_chosen: bool

    @property
    def is_near_tie(self) -> bool:
        """Whether it gains nearly as much as the split that was made."""
        return not self.is_chosen and abs(self.margin) < TIE


@dataclass(frozen=True)
class Ranking:
    """All columns at a node.

    Attributes
    ----------
    ranked : tuple of Candidate
        The split that was made first, then by what the search compared.
    others : tuple of tuple of int and Why
        Columns that have nothing to offer.
    by_chance : dict of int to float
        What the best cut gains of each column that is refused for `Why.BY_CHANCE`.
    leaf_reason : str
        Why the node is a leaf, or was split without comparing columns, in one sentence; "" otherwise.
    """

    ranked: tuple[Candidate, ...]
    others: tuple[tuple[int, Why], ...]
    leaf_reason: str
    by_chance: Mapping[int, float]


@dataclass(frozen=True)
class _Offer:
    feature: int
    scan: ColumnScan
    side: int
    place: int
    compared: float

    @property
    def gain(self) -> float:
        return float(self.scan.gain[self.side, self.place])


def rank_columns(
    node: ComparedNode,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Return the best split of every column at a node; all columns are scanned.

    Raises
    ------
    Cancelled
    """
    tree, n_columns = node.tree, len(node.schema.features)
    chosen = int(tree.nodes["feature"][node.node])
    offers: list[_Offer] = []
    others: list[tuple[int, Why]] = []
    by_chance: dict[int, float] = {}
    for column in range(n_columns):
        leave_if(cancelled)
        is_forced = column == chosen and bool(tree.nodes["forced"][node.node])
        why = None if is_forced else node.why_not_asked(column)
        found = why or _offer(node, column, is_chosen=column == chosen)
        if not isinstance(found, Why):
            offers.append(found)
        else:
            others.append((column, found))
            if found is Why.BY_CHANCE:
                by_chance[column] = node.scan(column).largest_gain
        if progress is not None:
            progress(column + 1, n_columns)
    offers.sort(key=lambda offer: (offer.feature != chosen, -offer.compared, offer.feature))
    best = offers[0].compared if offers else 0.0
    ranked = tuple(_candidate(node, offer, best, chosen) for offer in offers)
    reason = ""
    if chosen < 0:
        own = node.own_leaf_words(has_cut=bool(ranked))
        reason = own or leaf_reason(node, ranked, {why for _, why in others})
    split = forced_split(tree, node.node, node.schema, node.params.forced_splits)
    if split is not None:
        reason = f"This split is {forced_words(split)} (forced splits); no other column was compared."
    return Ranking(ranked, tuple(others), reason, by_chance)


class RunnerUp(NamedTuple):
    """A column that was not asked about: what the search compared of its best cut, and what that gains."""

    feature: int
    compared: float
    gain: float


def runner_up(
    node: ComparedNode, columns: Iterable[int], cancelled: Callable[[], bool] | None = None
) -> RunnerUp | None:
    """Return which of some columns has the best cut that the node did not make, of equals the first.

    None where none has a cut that gains anything.

    Raises
    ------
    Cancelled
    """
    chosen, best = int(node.tree.nodes["feature"][node.node]), None
    for column in columns:
        leave_if(cancelled)
        if column == chosen or node.why_not_asked(column) is not None:
            continue
        found = _offer(node, column, is_chosen=False)
        if not isinstance(found, Why) and (best is None or found.compared > best.compared):
            best = found
    return None if best is None else RunnerUp(best.feature, best.compared, best.gain)


def leaf_reason(node: ComparedNode, ranked: tuple[Candidate, ...], refused: set[Why]) -> str:
    """Say why a node was not split, from the limits in force and the best that was to be had."""
    tree, params = node.tree, node.params
    depth = int(tree.nodes["depth"][node.node])
    if params.max_depth and depth >= params.max_depth:
        return f"A leaf: {depth} questions are the most on a path (max depth)."
    if not ranked:
        return _nothing_sentence(refused)
    best = ranked[0]
    if best.compared < 0.0:
        before = best.compared + tree.gamma
        chance = " beyond what its many categories gain by chance" if best.compared < best.gain else ""
        return (
            f"A leaf: the best cut gains {before:.3g}{chance}, less than γ = {tree.gamma:g}, "
            "the cost of a leaf."
        )
    if params.max_leaves and tree.n_leaves >= params.max_leaves:
        return f"A leaf: the tree has its {params.max_leaves} leaves (max leaves)."
    return "A leaf: with sums rounded as the search reads them no cut pays."


def _nothing_sentence(refused: set[Why]) -> str:
    """Say why no column has anything to offer to a leaf."""
    if Why.BY_CHANCE in refused:
        return "A leaf: no cut gains more than many categories gain by chance."
    if Why.NO_GAIN in refused:
        return "A leaf: no cut that may be made here gains anything."
    return "A leaf: no column has a cut that may be made here."


def _offer(node: ComparedNode, column: int, *, is_chosen: bool) -> _Offer | Why:
    """Return what a column offers: its best cut, or the one that was made."""
    scan = node.scan(column)
    best = scan.best
    if is_chosen:
        best = _made(scan, node) or best
    if best is None:
        refused = scan.refused[scan.is_possible]
        if not len(refused):
            return node.why_uncut(column)
        return WHY_REFUSED[CutRefusal(int(np.bincount(refused).argmax()))]
    offer = _Offer(column, scan, *best, compared=float(scan.compared[best]))
    least = node.least_gain
    if not is_chosen and offer.compared + node.tree.gamma <= least:
        return Why.BY_CHANCE if scan.largest_gain > least else Why.NO_GAIN
    return offer


def _made(scan: ColumnScan, node: ComparedNode) -> tuple[int, int] | None:
    """Return side and place of the split that the node makes."""
    tree = node.tree
    place = scan.cut_of(tree, node.node)
    if place is None:
        return None
    side = int(scan.missing.rows > 0 and tree.nodes["default_left"][node.node])
    return side, place


def _candidate(node: ComparedNode, offer: _Offer, best: float, chosen: int) -> Candidate:
    scan, place, is_chosen = offer.scan, offer.place, offer.feature == chosen
    feature, made = node.schema.features[offer.feature], node.tree.nodes[node.node]
    threshold = scan.thresholds[place] if scan.is_numeric else np.float32(np.nan)
    if is_chosen:
        threshold = made["threshold"]  # a forced one stands anywhere between the same rows
    codes = np.empty(0, np.int64) if scan.is_numeric else scan.codes(place)
    default_left = bool(made["default_left"]) if is_chosen else scan.default_left(offer.side, place)
    least = node.least_gain
    margin = 0.0 if offer.compared == best else (offer.compared - best) / max(abs(best), least)
    return Candidate(
        offer.feature, question(feature, threshold, codes), threshold, tuple(codes.tolist()), default_left,
        offer.gain, offer.compared, margin,
        node.holdout_gain(offer.feature, threshold, codes, default_left=default_left), is_chosen,
    )
