"""Where the nodes of one tree stand in a window: their boxes, and which node is under a point."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from workbench.explain.node_figures import path_to
from workbench.views.tree.camera import FAR_SIZE, Detail, far_box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.drawing.layout import Layout
    from workbench.trees.tree import Tree
    from workbench.views.tree.arrangement import Arrangement
    from workbench.views.tree.camera import Camera

TARGET = 12.0  # pixels round a node that belong to it, at least


@dataclass(frozen=True, eq=False)
class NodePlaces:
    """The places of a layout as a camera sees them.

    Attributes
    ----------
    leaf_boxes : ndarray of bool
        Which nodes have the box of a leaf.
    """

    tree: Tree
    layout: Layout
    arrangement: Arrangement
    leaf_boxes: NDArray[np.bool_]
    _paths: dict[int | None, frozenset[int]] = field(default_factory=dict, init=False)
    _ways: dict[frozenset[int], NDArray[np.int64]] = field(default_factory=dict, init=False)

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
        x, y = self.points(nodes, camera)
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
            question, weight, tall = far_box()
            has_words = self.has_words(nodes, camera)
            widths = np.where(has_words, np.maximum(widths, question), FAR_SIZE)
            width, height = np.where(has_words, weight, width), np.where(has_words, tall, height)
        return np.where(is_leaf, width, widths), height

    def has_words(self, nodes: NDArray[np.int64], camera: Camera) -> NDArray[np.bool_]:
        """Which nodes have a box with words although the tree is seen from afar: those with room for it."""
        has_words: NDArray[np.bool_] = self.layout.room[nodes] >= camera.least_room
        return has_words & math.isfinite(camera.least_room)

    def points(
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
            width, _, height = far_box()
        return max(width, float(camera.widths(np.array([math.inf]))[0])), height

    def _nearest(self, nodes: NDArray[np.int64], point: QPointF, camera: Camera) -> int | None:
        width, height = self.sizes(nodes, camera)
        x, y = self.points(nodes, camera)
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
