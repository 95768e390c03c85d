"""What each node of a tree shows: one place for its words, bars and colours, whoever paints them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_text import gain_text, share_text
from workbench.views.look.theme import theme
from workbench.views.tree.colouring import NONE, gain_colors, qcolor

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from workbench.explain.node_figures import Test
    from workbench.trees.tree import Tree
    from workbench.views.tree.node_facts import NodeFacts

SPLIT_SIZE, LARGEST_SPLIT, LEAF_SIZE = 6.0, 10.0, 6.0  # pixels of marks seen from afar
LIGHT_GROUND = 0.45  # of the weight ramp's half: paler leaves get an outline


@dataclass(frozen=True)
class Bar:
    """A bar in a split: its share of the track, and its colour; `dashed` has an outline only."""

    share: float
    token: str
    dashed: bool = False


@dataclass(frozen=True)
class NodeLook:
    """What one node shows; a split has a `test`, a leaf has none.

    Attributes
    ----------
    test : Test or None
    figure : str
        The gain of a split.
    widest_figure : str
        The longest of the tree, so that all bars begin below each other.
    bars : tuple of Bar
    weight : float
        Of a leaf, a ghost's too.
    unit : str
        What the weight is counted in; "" for plain numbers.
    share : str
        Of the rows, in a leaf.
    notes : tuple of str
        A leaf's second line, the longest first; the first that fits is shown.
    ground : QColor or None
        Of the box; raised where None.
    outline : QColor or None
        Of the box; a hairline where None.
    band : QColor or None
        At the left edge.
    ring : str
        Token of a ring round the box, "" for none.
    warns : bool
        Whether the ⚠ is at the corner.
    is_ghost : bool
        Dashed and without ground, bars and figures.
    hidden : str
        What is folded below: "+12 leaves".
    """

    test: Test | None = None
    figure: str = ""
    widest_figure: str = ""
    bars: tuple[Bar, ...] = ()
    weight: float = math.nan
    unit: str = ""
    share: str = ""
    notes: tuple[str, ...] = ()
    ground: QColor | None = None
    outline: QColor | None = None
    band: QColor | None = None
    ring: str = ""
    warns: bool = False
    is_ghost: bool = False
    hidden: str = ""


@dataclass(frozen=True, eq=False)
class FarLook:
    """All nodes as marks: colours 0xffRRGGBB, pixels across, and whether each is a disc; by node."""

    colors: NDArray[np.uint32]
    sizes: NDArray[np.float64]
    is_round: NDArray[np.bool_]


class Looks:
    """The tree as it is stored. Others show it changed: they give the scene a subclass of this."""

    def leaf_boxes(self, tree: Tree) -> NDArray[np.bool_]:
        """Which nodes have the box of a leaf."""
        return tree.is_leaf

    def look(self, facts: NodeFacts, node: int) -> NodeLook:
        """What a node shows."""
        return self.leaf(facts, node) if facts.tree.is_leaf[node] else self.split(facts, node)

    def split(self, facts: NodeFacts, node: int) -> NodeLook:
        """A question, its gain and the bars of it."""
        gain = float(facts.tree.nodes["gain"][node])
        bars = [Bar(facts.gain_share(gain), "train")]
        holdout = facts.holdout_gain(node)
        if holdout is not None:
            bars.append(Bar(facts.gain_share(holdout), "validation"))
        widest = max(gain_text(gain), gain_text(facts.largest_gain), key=len)
        return NodeLook(
            facts.test(node), gain_text(gain), widest, tuple(bars),
            band=self._color(facts, node), warns=facts.is_doubtful(node),
            hidden=facts.hidden_words(node), notes=facts.coloured_words(node))

    def leaf(self, facts: NodeFacts, node: int) -> NodeLook:
        """A weight on its colour, and the rows it is for."""
        weight = float(facts.tree.nodes["weight"][node])
        ground = self._color(facts, node)
        share = facts.palette.weights.share(weight)
        pale = facts.palette.colouring.name != "weight" or abs(share) < LIGHT_GROUND
        said = facts.coloured_words(node)
        return NodeLook(
            weight=weight, unit=facts.unit, share=share_text(facts.share(node)),
            notes=(*said, *self._counts(facts, node)), ground=ground, outline=None if pale else ground)

    def _counts(self, facts: NodeFacts, node: int) -> tuple[str, ...]:
        """What is said of a leaf's rows, the longest first."""
        rows = facts.rows(node)
        return (*facts.target_words(node), rows, rows.partition(" ")[0])

    def far(self, facts: NodeFacts) -> FarLook:
        """All nodes as marks."""
        tree = facts.tree
        colors = facts.colors.copy()
        missing = colors == NONE
        colors[missing & tree.is_leaf] = theme().color("line2").rgb()
        missing &= ~tree.is_leaf
        if missing.any():
            colors[missing] = gain_colors(tree)[missing]
        shares = np.clip(np.nan_to_num(tree.nodes["gain"]) / max(facts.largest_gain, 1e-300), 0.0, 1.0)
        sizes = np.where(tree.is_leaf, LEAF_SIZE, SPLIT_SIZE + (LARGEST_SPLIT - SPLIT_SIZE) * shares)
        return FarLook(colors, sizes, ~tree.is_leaf)

    def is_ghost_edge(self, node: int) -> bool:
        """Whether the edge to a node is dashed."""
        return False

    def entries(self) -> list[tuple[str, str]] | None:
        """What the legend says of changed nodes, as marks and words; None for the usual ones."""
        return None

    def _color(self, facts: NodeFacts, node: int) -> QColor | None:
        color = int(facts.colors[node])
        return None if color == NONE else qcolor(color)
