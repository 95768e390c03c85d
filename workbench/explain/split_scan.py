"""What every cut of a column would gain at a node, missing values on either side, and why some are refused.

Gains follow from full-precision sums; the search itself reads rounded ones (`packing`), so that of splits
which differ by less than that rounding either may have been taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.explain.column_groups import MISSING, OTHER
from workbench.explain.node_limits import FREE
from workbench.explain.reasons import LEFT, RIGHT, CutRefusal
from workbench.trees.category_order import CAUGHT, FREE_CATEGORIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.tree_plan import TreePlan
    from workbench.explain.column_groups import ColumnGroups
    from workbench.explain.node_limits import Bounds
    from workbench.trees.growing_params import GrowingParams
    from workbench.trees.tree import Tree

ALL_GROUPS = -2  # place of the cut that parts all categories from the missing values


class Sums(NamedTuple):
    """G, H and rows: numbers of one set of rows, or arrays of many."""

    g: Any
    h: Any
    rows: Any


@dataclass(frozen=True)
class Terms:
    """What gains are taken with at one node.

    Attributes
    ----------
    growing : GrowingParams
    reg_alpha, max_delta_step : float
    min_leaf_rows : int
    direction : int
        Of the column: 1 or −1 where it is monotone.
    bounds : Bounds
        Of the node's weight.
    noise, mean_hessian : float
        Σg²/Σh and Σh a row, of all training rows: what categories gain by chance.
    """

    growing: GrowingParams
    reg_alpha: float = 0.0
    max_delta_step: float = 0.0
    min_leaf_rows: int = 1
    direction: int = 0
    bounds: Bounds = FREE
    noise: float = 0.0
    mean_hessian: float = 0.0
    is_restrained: bool = False


@dataclass(frozen=True, eq=False)
class ColumnScan:
    """Every cut of a column at a node; missing values go right in line 0 and left in line 1.

    Attributes
    ----------
    groups : ColumnGroups
        Of the node's rows.
    order : ndarray of int64, shape (n_groups,)
        Groups as they are parted: by value, or categories by gradient.
    places : ndarray of int64, shape (n,)
        Each cut's place: the group behind which it lies; of a category against the rest, its group.
        −1 parts the missing values from all others, and answers "no" to these; ALL_GROUPS "yes".
    left : Sums, each of shape (2, n)
        What goes left.
    gain : ndarray of float64, shape (2, n)
        ½[…] − γ with the λ, α, δ and bounds in force; NaN where a side has no rows.
    compared : ndarray of float64, shape (2, n)
        What the search compared: the gain, of many categories with `cat_l2` more of λ, less what they gain
        by chance.
    refused : ndarray of uint8, shape (2, n)
        `CutRefusal`.
    total, missing : Sums of single numbers
    """

    groups: ColumnGroups
    order: NDArray[np.int64]
    places: NDArray[np.int64]
    left: Sums
    gain: NDArray[np.float64]
    compared: NDArray[np.float64]
    refused: NDArray[np.uint8]
    total: Sums
    missing: Sums

    @property
    def best(self) -> tuple[int, int] | None:
        """Side of the missing values and place of the best cut that is not refused, of equals the first."""
        usable = np.where(self.is_possible & (self.refused == CutRefusal.NONE), self.compared, -np.inf)
        if not usable.size or usable.max() == -np.inf:
            return None
        side, place = np.unravel_index(int(usable.argmax()), usable.shape)
        return int(side), int(place)

    @property
    def largest_gain(self) -> float:
        """The largest gain of the cuts that are not refused; −∞ where there is none."""
        usable = self.gain[self.is_possible & (self.refused == CutRefusal.NONE)]
        return float(usable.max()) if usable.size else -np.inf

    @property
    def refused_whole(self) -> ColumnScan:
        """The same where the column was not looked at."""
        return replace(self, refused=np.full_like(self.refused, CutRefusal.NOT_DRAWN))

    @property
    def is_possible(self) -> NDArray[np.bool_]:
        """Which cuts have rows on both sides, shape (2, n)."""
        return ~np.isnan(self.gain)

    @property
    def is_numeric(self) -> bool:
        """Whether the cuts are thresholds."""
        return not self.groups.is_category

    @cached_property
    def thresholds(self) -> NDArray[np.float32]:
        """The threshold of each cut between numbers, shape (n,)."""
        return np.append(self.groups.thresholds, self.groups.below_all)[self.places]

    def yes_groups(self, place: int) -> NDArray[np.int64]:
        """Return the groups that answer "yes" at a cut."""
        group = int(self.places[place])
        if group == ALL_GROUPS:
            return np.sort(self.order)
        if group < 0:
            return np.empty(0, np.int64)
        if self.groups.is_category and not self.groups.is_parted:
            return np.array([group])
        return self.order[: int(np.flatnonzero(self.order == group)[0]) + 1]

    def codes(self, place: int) -> NDArray[np.int64]:
        """Return the category codes that answer "yes" at a cut; an absent one stands for none."""
        if self.places[place] == -1:
            return np.array([self.groups.absent])
        return self.groups.codes(self.yes_groups(place))

    def cut_of(self, tree: Tree, node: int) -> int | None:
        """Return the place of the cut that a split of a tree makes; None where it is none of these."""
        if self.is_numeric:
            found = np.flatnonzero(self.thresholds == tree.nodes["threshold"][node])
            if not len(found):  # a forced threshold lies anywhere between the same rows
                side = LEFT if self.missing.rows and tree.nodes["default_left"][node] else RIGHT
                rows = tree.nodes["count"][tree.nodes["left"][node]]
                found = np.flatnonzero(self.left.rows[side] == rows)
            return int(found[0]) if len(found) else None
        own = {int(group) for group in self.places if group >= 0}
        asked = own & set(self.groups.code_group[tree.categories(node)].tolist())
        cuts = range(len(self.places))
        return next((k for k in cuts if set(self.yes_groups(k).tolist()) == asked), None)

    def default_left(self, side: int, place: int) -> bool:
        """Whether missing values go left: as tried, or to the side with more hessian where there are none."""
        if self.missing.rows == 0:
            return bool(2.0 * self.left.h[RIGHT, place] >= self.total.h)
        return side == LEFT


def scan_column(
    groups: ColumnGroups, gradients: NDArray[np.float64], hessians: NDArray[np.float64], terms: Terms
) -> ColumnScan:
    """Return every cut of a column at a node.

    Parameters
    ----------
    groups : ColumnGroups
        Of the node's rows, whose gradients and hessians these are.
    terms : Terms
    """
    return scan_sums(groups, *_sums(groups, gradients, hessians), terms)


def scan_sums(groups: ColumnGroups, by_group: Sums, missing: Sums, total: Sums, terms: Terms) -> ColumnScan:
    """Return every cut of a column at a node from what its rows add up to, by group and in all.

    The places of single rows in `groups` are not looked at.
    """
    has_weight = (by_group.h > 0) | (by_group.g != 0)
    # A group without weight moves nothing: its cut is the one before, unless rows are counted.
    counts = by_group.rows > 0 if terms.min_leaf_rows > 1 and not groups.is_parted else has_weight
    order, places = np.arange(groups.n_groups), np.flatnonzero(counts)
    if groups.is_parted:
        order = places = _by_gradient(by_group, places, terms.growing.cat_smooth)
        left = Sums(*(np.cumsum(field[places]) for field in by_group))
    elif groups.is_category:
        if missing.rows and not has_weight.all():
            places = np.union1d(places, np.flatnonzero(~has_weight)[:1])  # stands for none
        left = Sums(*(field[places] for field in by_group))
    else:
        left = Sums(*(np.cumsum(field)[places] for field in by_group))
    stands_alone = bool(missing.rows) and _missing_may_stand_alone(groups, terms)
    if stands_alone:
        places = np.append(places, -1)
        left = Sums(*(np.append(field, 0) for field in left))
    both = Sums(*(np.stack([field, field + more]) for field, more in zip(left, missing, strict=True)))
    if stands_alone:
        both.rows[LEFT, -1] += groups.rows_below
    gain, compared, refused = _judge(both, total, missing, groups, terms)
    return ColumnScan(groups, order, places, both, gain, compared, refused, total, missing)


def judged_again(scan: ColumnScan, terms: Terms) -> ColumnScan:
    """Return the same cuts under other terms; parted categories stay in their order."""
    gain, compared, refused = _judge(scan.left, scan.total, scan.missing, scan.groups, terms)
    return replace(scan, gain=gain, compared=compared, refused=refused)


def _sums(
    groups: ColumnGroups, gradients: NDArray[np.float64], hessians: NDArray[np.float64]
) -> tuple[Sums, Sums, Sums]:
    """Return the sums of each group, of the missing values, and of all rows."""
    before = -OTHER  # places of rare categories and missing values, before those of the groups
    n, place = before + groups.n_groups, groups.of_row + before
    g, h = (np.bincount(place, values, n) for values in (gradients, hessians))
    every = Sums(g, h, np.bincount(place, minlength=n))
    return (
        Sums(*(field[before:] for field in every)),
        Sums(*(field[before + MISSING] for field in every)),
        Sums(*(field.sum() for field in every)),
    )


def _by_gradient(by_group: Sums, groups: NDArray[np.int64], smooth: float) -> NDArray[np.int64]:
    """Return groups in the order of G / (H + smooth)."""
    size = by_group.h[groups] + smooth
    ratio = np.divide(by_group.g[groups], size, out=np.zeros(len(groups)), where=size > 0)
    return groups[np.lexsort((groups, ratio))]


def _missing_may_stand_alone(groups: ColumnGroups, terms: Terms) -> bool:
    """Whether missing values may be parted to the left from all others."""
    return groups.absent >= 0 if groups.is_category else terms.direction != 0


def _judge(
    left: Sums,
    total: Sums,
    missing: Sums,
    groups: ColumnGroups,
    terms: Terms,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    """Return gain, what is compared, and what is refused, of every cut and side."""
    more_lambda = terms.growing.cat_l2 if groups.is_parted and groups.n_groups > FREE_CATEGORIES else 0.0
    gain, refused = judged_gains(left, total, missing, terms, more_lambda)
    compared = gain
    if groups.is_parted:
        right = _others(left, total)
        compared = _gains(left, right, terms, more_lambda)[0] - 0.5 * chance_gain(
            left.g.shape[1], groups.levels_a_group, float(total.h), terms
        )
    return gain, compared, refused


def judged_gains(
    left: Sums, total: Sums, missing: Sums, terms: Terms, more_lambda: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return what cuts gain, and what of them is refused, for missing values that go right, then left.

    Parameters
    ----------
    left : Sums of arrays, shape (2, ..., n)
    total, missing : Sums of single numbers, or of arrays that broadcast to (..., n)
    more_lambda : float
        That a side must not lack.
    """
    right = _others(left, total)
    lightest = max(terms.growing.min_child_weight, 0.0)
    refused = np.zeros(left.g.shape, np.uint8)
    refused[np.minimum(left.rows, right.rows) < terms.min_leaf_rows] = CutRefusal.FEW_ROWS
    light = np.minimum(left.h, right.h)
    floor = terms.growing.reg_lambda + more_lambda
    refused[(light < lightest) | (light + floor <= 0.0)] = CutRefusal.LIGHT
    gain, is_against = _gains(left, right, terms, 0.0)
    refused[is_against] = CutRefusal.MONOTONE
    gain[(left.rows == 0) | (right.rows == 0)] = np.nan
    gain[LEFT][np.broadcast_to(missing.rows == 0, gain.shape[1:])] = np.nan  # the same cuts once more
    return gain, refused


def _others(part: Sums, total: Sums) -> Sums:
    return Sums(*(all_ - own for all_, own in zip(total, part, strict=True)))


def chance_gain(n: int, levels_a_group: float, sum_hessian: float, terms: Terms) -> float:
    """Return the Σ G²/(H+λ) that parting categories gains by chance; see `category_order`."""
    levels = float(n)
    if levels_a_group > 1.0:
        rows = sum_hessian / terms.mean_hessian if terms.mean_hessian > 0 else 0.0
        levels = min(n * levels_a_group, rows)
    return CAUGHT * (levels - FREE_CATEGORIES) * terms.noise if levels > FREE_CATEGORIES else 0.0


def _gains(
    left: Sums, right: Sums, terms: Terms, more_lambda: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return ½[…] − γ of cuts with λ larger by so much on both sides; which go against a monotone column."""
    reg_lambda = terms.growing.reg_lambda + more_lambda
    left_weight, left_score = weigh(left.g, left.h, reg_lambda, terms)
    right_weight, right_score = weigh(right.g, right.h, reg_lambda, terms)
    _, whole = weigh(left.g + right.g, left.h + right.h, terms.growing.reg_lambda, terms)
    is_against = terms.direction * (right_weight - left_weight) < 0.0
    return whole - left_score - right_score - terms.growing.gamma, is_against


def weigh(
    g: NDArray[np.float64], h: NDArray[np.float64], reg_lambda: float, terms: Terms
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weights and scores of sums: −soft(G, α)/(H+λ) within δ and the bounds; Gw + ½(H+λ)w² + α|w|."""
    g, h = np.asarray(g), np.asarray(h)
    below = h + reg_lambda
    soft = np.sign(g) * np.maximum(np.abs(g) - terms.reg_alpha, 0.0)
    weight = np.divide(-soft, below, out=np.zeros(g.shape), where=below > 0)
    if not terms.is_restrained:
        return weight, 0.5 * g * weight
    limit = terms.max_delta_step or np.inf
    weight = np.clip(np.clip(weight, -limit, limit), terms.bounds.low, terms.bounds.high)
    return weight, g * weight + 0.5 * below * weight * weight + terms.reg_alpha * np.abs(weight)


def terms_of(
    growing: GrowingParams,
    plan: TreePlan,
    bounds: Bounds,
    column: int,
    noise: float,
    mean_hessian: float,
) -> Terms:
    """Return what gains are taken with at a node, for one column."""
    rules = plan.rules
    if rules is None:
        return Terms(growing, noise=noise, mean_hessian=mean_hessian)
    return Terms(
        growing, rules.reg_alpha, rules.max_delta_step, rules.min_leaf_rows, int(rules.monotone[column]),
        bounds, noise, mean_hessian, is_restrained=True,
    )
