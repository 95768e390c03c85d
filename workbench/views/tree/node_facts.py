"""What is known of the nodes of one tree: their words, figures and colours."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.values.labels import iso_day
from workbench.explain.node_figures import (
    answer,
    fair_share,
    knows_rows,
    row_share,
    row_shares,
    test_of,
)
from workbench.explain.node_text import class_words, gain_text, leaf_words, share_text, weight_text
from workbench.isolation import isolated
from workbench.number_text import count, counted, figure
from workbench.views.look.theme import theme
from workbench.views.tree.colouring import PLAIN, Palette

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.drawing.layout import Layout
    from workbench.explain.node_figures import Test
    from workbench.explain.node_targets import NodeTargets
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class NodeFacts:
    """What each node of a tree says, whoever paints or reads it.

    Attributes
    ----------
    layout : Layout
        Says what is folded.
    palette : Palette
    missing : ndarray of bool, or None
        Which features have missing values; None while nobody knows.
    targets : NodeTargets or None
        What the target is in the nodes; None while nobody knows.
    unit : str
        What leaf weights are counted in; "" for plain numbers.
    """

    tree: Tree
    layout: Layout
    schema: DataSchema
    palette: Palette = PLAIN
    missing: NDArray[np.bool_] | None = None
    targets: NodeTargets | None = None
    unit: str = ""
    _tests: dict[int, Test] = field(default_factory=dict)
    _answers: dict[int, str] = field(default_factory=dict, init=False)
    _colors: dict[str, NDArray[np.uint32]] = field(default_factory=dict, init=False)

    def test(self, node: int) -> Test:
        """The question of a split."""
        if node not in self._tests:
            self._tests[node] = test_of(self.tree, node, self.schema)
        return self._tests[node]

    def share(self, node: int) -> float:
        """Share of the tree's rows that reach a node; NaN where it is unknown."""
        return row_share(self.tree, node)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The same of every node."""
        return row_shares(self.tree)

    def rows(self, node: int) -> str:
        """How many rows reach a node, "" where a file does not say."""
        return counted(int(self.tree.nodes["count"][node]), "row") if knows_rows(self.tree) else ""

    def target_words(self, node: int) -> tuple[str, ...]:
        """What the target is in a node, the longest first.

        "15 of 33 yes", "0 of 62 in class 7", "33 rows, mean 4.21".
        """
        targets = self.targets
        if targets is None or targets.tree is not self.tree or not targets.rows[node]:
            return ()
        rows = int(targets.rows[node])
        if targets.label is None:
            value = targets.mean(node)
            mean = f"mean {iso_day(value) if self.schema.target_is_date else figure(value, 3)}"
            return f"{counted(rows, 'row')}, {mean}", mean
        part = f"{count(int(targets.total[node]))} of {count(rows)}"
        label = class_words(targets.label)
        return (f"{part} {label}" if label == isolated(targets.label) else f"{part} in {label}"), part

    def gain_share(self, gain: float) -> float:
        """A gain as a share of the largest of the tree, 0 to 1."""
        return min(max(fair_share(gain, self.largest_gain), 0.0), 1.0)

    @cached_property
    def largest_gain(self) -> float:
        """The largest gain of the tree's splits; 0 for a leaf alone."""
        gains = self.tree.nodes["gain"]
        return float(np.nanmax(gains)) if np.isfinite(gains).any() else 0.0

    def holdout_gain(self, node: int) -> float | None:
        """A split's gain on the hold-out rows, scaled to the training rows; None where nobody knows it."""
        gains = self.palette.holdout_of(self.tree)
        if gains is None or math.isnan(gains.gain[node]):
            return None
        return float(gains.gain[node] * gains.scale)

    def is_doubtful(self, node: int) -> bool:
        """Whether a split only fits noise, as far as the hold-out rows tell."""
        gains = self.palette.holdout_of(self.tree)
        return gains is not None and bool(gains.doubtful[node])

    def coloured_words(self, node: int) -> tuple[str, ...]:
        """The number that colours a node, where nothing else in it says it."""
        colouring = self.palette.colouring
        if not colouring.symbol:
            return ()
        value = float(self.tree.nodes[colouring.column][node])
        return (f"{colouring.symbol} {gain_text(value)}",)

    def hidden_words(self, node: int) -> str:
        """What is folded below a split: "+12 leaves"."""
        if not self.layout.folded[node]:
            return ""
        return f"+{counted(self._leaves_below[node], 'leaf', 'leaves')}"

    @cached_property
    def _leaves_below(self) -> list[int]:
        """Leaves below each node."""
        leaves, parent = self.tree.is_leaf.astype(int).tolist(), self.layout.parent.tolist()
        for node in range(len(leaves) - 1, 0, -1):
            leaves[parent[node]] += leaves[node]
        return leaves

    def missing_goes(self, node: int) -> bool:
        """Whether missing values take the edge to this node, and the column has some."""
        parent = int(self.tree.nodes["parent"][node])
        if parent < 0 or self.missing is None or not self.missing[self.tree.nodes["feature"][parent]]:
            return False
        return bool(self.tree.nodes["default_left"][parent]) == (answer(self.tree, node) == "yes")

    def edge_words(self, node: int) -> str:
        """What stands beside the edge to a node: "yes", "no", with "?" where missing values go; kept."""
        if node not in self._answers:
            self._answers[node] = answer(self.tree, node) + (" ?" if self.missing_goes(node) else "")
        return self._answers[node]

    def sentence(self, node: int) -> str:
        """The node in words, for those who hear the tree."""
        nodes = self.tree.nodes
        if self.tree.is_leaf[node]:
            said = f"leaf, {leaf_words(self.unit)} {weight_text(nodes['weight'][node], unit=self.unit)}"
        else:
            said = f"{self.test(node).text}, gain {gain_text(nodes['gain'][node])}"
            holdout = self.holdout_gain(node)
            said += f", {gain_text(holdout)} on hold-out rows" if holdout is not None else ""
            said += ", fits noise" if self.is_doubtful(node) else ""
        hidden = self.hidden_words(node).replace("+", "folded, ")
        rows = self.target_words(node)[:1] or (self.rows(node),)
        words = (said, *self.coloured_words(node), *rows, share_text(self.share(node)), hidden)
        said = ", ".join(part for part in words if part)
        if not node:
            return f"root, {said}"
        return f"{answer(self.tree, node)} of {self.test(int(nodes['parent'][node])).text}: {said}"

    @cached_property
    def asked(self) -> NDArray[np.int32]:
        """The features that splits ask about."""
        return np.unique(self.tree.nodes["feature"][~self.tree.is_leaf])

    @property
    def colors(self) -> NDArray[np.uint32]:
        """The colour of every node in the present theme, 0 for none."""
        name = theme().name
        if name not in self._colors:
            self._colors[name] = self.palette.colors(self.tree)
        return self._colors[name]
