"""The quantities by which nodes are coloured, declared once, and the colours of all nodes of a tree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtGui import QColor

from workbench.explain.node_text import MEAN, SHARE
from workbench.views.look.theme import theme
from workbench.views.look.weight_limits import WeightScale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.trees.tree import Tree

STEPS = 255  # of a ramp
LIMIT_PERCENTILE = 98
OTHER = 10  # place of the features without a colour of their own
LEAF_LABELS = {SHARE: "Share of the class", MEAN: "Mean"}
NONE = 0  # in arrays of colours: the quantity is none of this node's


@dataclass(frozen=True)
class Colouring:
    """One quantity.

    Attributes
    ----------
    of : "leaves", "splits" or "all"
        The nodes that have it.
    ramp : "weight", "gain", "holdout" or "category"
        Diverging about 0; from 0 up; from 0 up and one colour for all that is not above 0; by feature.
    symbol : str
        Before the number in a leaf; "" where the leaf says it anyway.
    """

    name: str
    label: str
    of: Literal["leaves", "splits", "all"]
    ramp: Literal["weight", "gain", "holdout", "category"]
    column: str = ""
    symbol: str = ""

    def has(self, is_leaf: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which nodes have the quantity."""
        return {"leaves": is_leaf, "splits": ~is_leaf, "all": np.ones_like(is_leaf)}[self.of]


COLOURINGS = {
    colouring.name: colouring
    for colouring in (
        Colouring("weight", "Weight w*", "leaves", "weight", "weight"),
        Colouring("gain", "Gain", "splits", "gain", "gain"),
        Colouring("holdout", "Gain on hold-out rows", "splits", "holdout"),
        Colouring("cover", "Cover H", "all", "gain", "sum_hessian", "H"),
        Colouring("gradient", "Gradient sum G", "all", "weight", "sum_gradient", "G"),
        Colouring("feature", "Feature", "splits", "category"),
    )
}


def colouring_of(name: str, unit: str) -> Colouring:
    """Return a quantity as it is called where leaves hold weights, shares or means."""
    colouring = COLOURINGS[name]
    if name != "weight" or unit not in LEAF_LABELS:
        return colouring
    return replace(colouring, label=LEAF_LABELS[unit])


@dataclass(frozen=True, eq=False)
class Palette:
    """What the colours of one tree are made of.

    Attributes
    ----------
    colouring : Colouring
    weights : WeightScale
        The ends of the weight ramp, the same for all trees of a run.
    features : ndarray of int64, shape (d,)
        Place of each feature among the categories' colours; `OTHER` is grey.
    holdout : HoldOutGains, optional
        What the splits of the shown tree are worth on the hold-out rows.
    """

    colouring: Colouring = COLOURINGS["weight"]
    weights: WeightScale = field(default_factory=WeightScale)
    features: NDArray[np.int64] = field(default_factory=lambda: np.arange(10))
    holdout: HoldOutGains | None = None

    def holdout_of(self, tree: Tree) -> HoldOutGains | None:
        """Return the hold-out figures where they are this tree's."""
        return self.holdout if self.holdout is not None and self.holdout.tree is tree else None

    def values(self, tree: Tree) -> NDArray[np.float64]:
        """Return the quantity by node, weights about the middle of their ramp.

        NaN where it is none of the node's or not known.
        """
        if self.colouring.name == "feature":
            known = np.where(tree.is_leaf, np.nan, tree.nodes["feature"])
        elif self.colouring.name == "holdout":
            gains = self.holdout_of(tree)
            known = np.full(tree.n_nodes, np.nan) if gains is None else gains.gain * gains.scale
        else:
            known = tree.nodes[self.colouring.column].astype(np.float64)
            if self.colouring.name == "weight":
                known = known - self.weights.middle
        return np.where(self.colouring.has(tree.is_leaf), known, np.nan)

    def limit(self, tree: Tree) -> float:
        """Return the value at the end of the ramp."""
        if self.colouring.name == "weight":
            return self.weights.limit
        values = np.abs(tree.nodes["gain"] if self.colouring.name == "holdout" else self.values(tree))
        if self.colouring.name == "cover":
            values = values[tree.is_leaf]
        values = values[np.isfinite(values)]
        limit = float(np.percentile(values, LIMIT_PERCENTILE)) if len(values) else 0.0
        return limit if limit > 0 else 1.0

    def scale(self, tree: Tree) -> WeightScale:
        """Return middle and ends of the ramp."""
        middle = self.weights.middle if self.colouring.name == "weight" else 0.0
        return WeightScale(middle, self.limit(tree))

    def colors(self, tree: Tree) -> NDArray[np.uint32]:
        """Return 0xffRRGGBB by node, 0 where the quantity is none of the node's."""
        values = self.values(tree)
        known = np.isfinite(values)
        made = np.zeros(len(values), np.uint32)
        if self.colouring.ramp == "category":
            places = self.features[values[known].astype(np.int64)]
            made[known] = _category_colors(theme().name)[np.minimum(places, OTHER)]
            return made
        shares = values[known] / self.limit(tree)
        made[known] = ramp_colors(shares, diverging=self.colouring.ramp == "weight")
        gains = self.holdout_of(tree)
        if self.colouring.ramp == "holdout" and gains is not None:
            made[known & gains.doubtful] = theme().color("validation").rgb()
        return made


PLAIN = Palette()


def ramp_colors(shares: NDArray[np.float64], *, diverging: bool) -> NDArray[np.uint32]:
    """Return the colours of shares of a ramp's limit: of the weight ramp, or of the gain ramp for marks."""
    low = -1.0 if diverging else 0.0
    steps = np.rint((np.clip(shares, low, 1.0) - low) / (1.0 - low) * STEPS)
    return _ramp(theme().name, diverging)[steps.astype(np.int64)]


def gain_colors(tree: Tree) -> NDArray[np.uint32]:
    """Return the colour of each node's gain beside the largest of its tree."""
    gains = np.nan_to_num(tree.nodes["gain"])
    return ramp_colors(gains / max(float(gains.max()), 1e-300), diverging=False)


def qcolor(rgb: int) -> QColor:
    """Return 0xffRRGGBB as Qt's."""
    return QColor.fromRgb(int(rgb))


@lru_cache(maxsize=8)
def _ramp(name: str, diverging: bool) -> NDArray[np.uint32]:
    """The colours of a ramp; `name` is the theme's, for the cache."""
    shares = np.arange(STEPS + 1) / STEPS
    return theme().weights(2 * shares - 1) if diverging else theme().gain_marks(shares)


@lru_cache(maxsize=2)
def _category_colors(name: str) -> NDArray[np.uint32]:
    return np.array([theme().category(i).rgb() for i in range(OTHER + 1)], np.uint32)
