"""A tree ready to be painted: its places, and what words and colours of its nodes come from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from workbench.drawing.layout import ALL_LEVELS, lay_out
from workbench.explain.node_figures import (
    answer,
    fair_share,
    knows_rows,
    path_to,
    row_share,
    row_shares,
    test_of,
)
from workbench.explain.node_text import class_words, gain_text, share_text, weight_text
from workbench.number_text import count, counted, figure
from workbench.views.look.theme import theme
from workbench.views.tree.arrangement import TOP_DOWN, Arrangement
from workbench.views.tree.camera import FAR_BOX, FAR_SIZE, Detail
from workbench.views.tree.colouring import PLAIN, Palette
from workbench.views.tree.looks import Looks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.drawing.layout import Layout
    from workbench.explain.node_figures import Test
    from workbench.explain.node_targets import NodeTargets
    from workbench.trees.tree import Tree
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.looks import FarLook, NodeLook

TARGET = 12.0  # pixels round a node that belong to it, at least


@dataclass(frozen=True, eq=False)
class TreeScene:
    """One tree, its layout, and what the words and colours of its nodes come from.

    Attributes
    ----------
    palette : Palette
    missing : ndarray of bool, or None
        Which features have missing values; None while nobody knows.
    arrangement : Arrangement
        The layout's.
    folded : frozenset of int
        Splits below which a person wants nothing drawn.
    looks : Looks
        How nodes look: as stored, or changed.
    targets : NodeTargets or None
        What the target is in the nodes; None while nobody knows.
    """

    tree: Tree
    layout: Layout
    schema: DataSchema
    palette: Palette = PLAIN
    missing: NDArray[np.bool_] | None = None
    arrangement: Arrangement = TOP_DOWN
    folded: frozenset[int] = frozenset()
    looks: Looks = field(default_factory=Looks)
    targets: NodeTargets | None = None
    _tests: dict[int, Test] = field(default_factory=dict)
    _made: dict[tuple[str, str], Any] = field(default_factory=dict, init=False)
    _answers: dict[int, str] = field(default_factory=dict, init=False)
    _paths: dict[int | None, frozenset[int]] = field(default_factory=dict, init=False)
    _ways: dict[frozenset[int], NDArray[np.int64]] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls, tree: Tree, schema: DataSchema, palette: Palette, missing: NDArray[np.bool_] | None = None,
        arrangement: Arrangement = TOP_DOWN, depth: int | None = None, folded: Set[int] = frozenset(),
    ) -> TreeScene:
        """Lay out a tree and colour it; large ones in a job."""
        layout = lay_out(tree, folded=folded, depth=ALL_LEVELS if depth is None else depth,
                         gaps=arrangement.gaps, cells=arrangement.is_cells)
        return cls(tree, layout, schema, palette, missing, arrangement, frozenset(folded))

    def with_colours(self, palette: Palette, missing: NDArray[np.bool_] | None) -> TreeScene:
        """The same tree in other colours."""
        if palette is self.palette and missing is self.missing:
            return self
        return replace(self, palette=palette, missing=missing)

    def with_targets(self, targets: NodeTargets | None) -> TreeScene:
        """The same tree, which also tells what the target is in its nodes."""
        return self if targets is self.targets else replace(self, targets=targets)

    # --- words ------------------------------------------------------------------------------

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
        targets, rows = self.targets, int(self.tree.nodes["count"][node])
        if targets is None or targets.tree is not self.tree or not rows:
            return ()
        if targets.label is None:
            mean = f"mean {figure(targets.mean(node), 3)}"
            return f"{counted(rows, 'row')}, {mean}", mean
        part = f"{count(int(targets.total[node]))} of {count(rows)}"
        label = class_words(targets.label)
        return (f"{part} {label}" if label == targets.label else f"{part} in {label}"), part

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
            said = f"leaf, weight {weight_text(nodes['weight'][node])}"
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

    def look(self, node: int) -> NodeLook:
        """What a node shows in the present theme; kept, for each frame asks for it again."""
        return self.looks_of([node])[0]

    def looks_of(self, nodes: Sequence[int]) -> list[NodeLook]:
        """The same of many nodes."""
        kept: dict[int, NodeLook] = self._themed("looks", dict)
        for node in nodes:
            if node not in kept:
                kept[node] = self.looks.look(self, node)
        return [kept[node] for node in nodes]

    @cached_property
    def asked(self) -> NDArray[np.int32]:
        """The features that splits ask about."""
        return np.unique(self.tree.nodes["feature"][~self.tree.is_leaf])

    # --- colours ----------------------------------------------------------------------------

    @property
    def colors(self) -> NDArray[np.uint32]:
        """The colour of every node in the present theme, 0 for none."""
        return self._themed("colors", lambda: self.palette.colors(self.tree))

    @property
    def far_look(self) -> FarLook:
        """All nodes as marks in the present theme."""
        return self._themed("far", lambda: self.looks.far(self))

    def _themed(self, what: str, make: Callable[[], Any]) -> Any:
        key = (what, theme().name)
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    # --- places -----------------------------------------------------------------------------

    @cached_property
    def leaf_boxes(self) -> NDArray[np.bool_]:
        """Which nodes have the box of a leaf."""
        return self.looks.leaf_boxes(self)

    def is_shown(self, node: int) -> bool:
        """Whether a node is drawn, and not folded away."""
        shown = self.layout.shown
        place = int(np.searchsorted(shown, node))
        return place < len(shown) and int(shown[place]) == node

    def standing(self, node: int) -> int:
        """The node itself, or the folded split that it is hidden in."""
        while not self.is_shown(node):
            node = int(self.layout.parent[node])
        return node

    def rect(self, node: int, camera: Camera) -> QRectF:
        """The box of a node in pixels."""
        return self.rects(np.array([node]), camera)[0]

    def rects(self, nodes: NDArray[np.int64], camera: Camera) -> list[QRectF]:
        """The boxes of many nodes."""
        x, y = self.places(nodes, camera)
        if self.arrangement.is_cells:
            width = self.layout.room[nodes] * camera.slot
            height = np.full(len(nodes), max(camera.pitch - 1, 0.5))
            x = x - width / 2
        else:
            width, height = self.sizes(nodes, camera)
            dx, dy = self._to_middle(width, height, camera)
            x, y = x + dx - width / 2, y + dy - height / 2
        boxes = zip(x.tolist(), y.tolist(), width.tolist(), height.tolist(), strict=True)
        return [QRectF(*box) for box in boxes]

    def sizes(
        self, nodes: NDArray[np.int64], camera: Camera
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Widths and heights of boxes and marks."""
        is_leaf, room = self.leaf_boxes[nodes], self.layout.room[nodes]
        width, height = np.array(camera.boxes)[is_leaf.astype(int)].T
        widths = camera.widths(room)
        if camera.detail is Detail.FAR:
            question, weight, tall = FAR_BOX
            has_words = self.has_words(nodes, camera)
            widths = np.where(has_words, np.maximum(widths, question), FAR_SIZE)
            width, height = np.where(has_words, weight, width), np.where(has_words, tall, height)
        return np.where(is_leaf, width, widths), height

    def has_words(self, nodes: NDArray[np.int64], camera: Camera) -> NDArray[np.bool_]:
        """Which nodes have a box with words although the tree is seen from afar: those with room for it."""
        has_words: NDArray[np.bool_] = self.layout.room[nodes] >= camera.least_room
        return has_words & math.isfinite(camera.least_room)

    def places(
        self, nodes: NDArray[np.int64] | slice, camera: Camera
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where nodes meet the edges towards their parents, in pixels."""
        x, y, ux, uy, vx, vy = camera.frame
        across, level = self.layout.x[nodes], self.layout.y[nodes]
        return x + across * ux + level * vx, y + across * uy + level * vy

    def size(self, leaf: bool, camera: Camera) -> tuple[float, float]:
        """Width and height of a box; narrower than nominal where the neighbours are near."""
        return camera.boxes[leaf]

    def bounds(self, camera: Camera) -> QRectF:
        """The room of the whole tree in pixels."""
        corners = [QPointF(*camera.at(across, level)) for across, level in (
            (self.layout.left, 0), (self.layout.right, self.layout.depth))]
        frame = QRectF(*corners)
        if self.arrangement.is_cells:
            return frame.adjusted(0, 0, 0, camera.pitch)
        width, height = self.size(True, camera)
        if self.arrangement.is_sideways:
            return frame.adjusted(0, -height / 2, width, height / 2)
        return frame.adjusted(-width / 2, 0, width / 2, height)

    def _to_middle(
        self, width: NDArray[np.float64], height: NDArray[np.float64], camera: Camera
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """From the places of nodes to the middles of their boxes; seen from afar, to those of their marks."""
        if self.arrangement.is_sideways:
            return width / 2, np.zeros(len(width))
        down = height / 2 if camera.detail is not Detail.FAR else np.full(len(height), FAR_SIZE / 2)
        return np.zeros(len(width)), down

    def node_at(self, point: QPointF, camera: Camera) -> int | None:
        """The node under a point: the nearest of those whose box, or a target of 24 px, holds it."""
        across, level = camera.place(point.x(), point.y())
        if self.arrangement.is_cells:
            found = self.layout.nodes_within(across, across, math.floor(level), math.floor(level))
            return int(found[0]) if len(found) else None
        large = self._largest(camera)
        along, beside = (large if self.arrangement.is_sideways else large[::-1])
        reach, before = max(beside / 2, TARGET) / camera.slot, max(along, 2 * TARGET) / camera.pitch
        near = self.layout.nodes_within(across - reach, across + reach,
                                        math.floor(level - before), math.ceil(level + before))
        return self._nearest(near, point, camera)

    def _largest(self, camera: Camera) -> tuple[float, float]:
        """Width and height that no box exceeds."""
        width, height = camera.boxes[0]
        if camera.detail is Detail.FAR:
            if math.isinf(camera.least_room):
                return width, height
            width, height = FAR_BOX[0], FAR_BOX[2]
        return max(width, float(camera.widths(np.array([math.inf]))[0])), height

    def _nearest(self, nodes: NDArray[np.int64], point: QPointF, camera: Camera) -> int | None:
        width, height = self.sizes(nodes, camera)
        x, y = self.places(nodes, camera)
        dx, dy = self._to_middle(width, height, camera)
        across, down = np.abs(x + dx - point.x()), np.abs(y + dy - point.y())
        inside = (across <= np.maximum(width / 2, TARGET)) & (down <= np.maximum(height / 2, TARGET))
        hits = np.flatnonzero(inside)
        return int(nodes[hits[(across[hits] + down[hits]).argmin()]]) if len(hits) else None

    def path(self, node: int | None) -> frozenset[int]:
        """The nodes below the root on the way to `node`: each names its edge."""
        if node not in self._paths:
            self._paths.clear()
            self._paths[node] = frozenset(path_to(self.tree, node)[1:]) if node is not None else frozenset()
        return self._paths[node]

    def way(self, nodes: frozenset[int]) -> NDArray[np.int64]:
        """The root and those of the nodes on one path that are shown, downwards."""
        if nodes not in self._ways:
            if len(self._ways) > 1:  # that of the selected node, and that of a row
                self._ways.clear()
            self._ways[nodes] = np.array([0, *sorted(filter(self.is_shown, nodes))], np.int64)
        return self._ways[nodes]
