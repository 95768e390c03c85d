"""The whole picture of a tree on a painter: on the screen or on paper."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.theme import theme
from workbench.views.tree.camera import Detail
from workbench.views.tree.cells import mark_cell, paint_words
from workbench.views.tree.edges import paint_answers, paint_edges
from workbench.views.tree.far import (
    MANY,
    FarImage,
    paint_cells,
    paint_lines,
    paint_marks,
    paint_rings,
    paint_way,
)
from workbench.views.tree.nodes import NodePainter

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.marks import Marks
    from workbench.views.tree.scene import TreeScene

REACH = 90.0  # pixels beyond the window in which a box may still show
LEAST_CELL = 4.0  # pixels across and down of a cell that is outlined


class TreePicture:
    """Paints trees; keeps the last picture of a large one, which is painted anew only when it moves."""

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact  # lines and shapes only, for paper
        self._key: tuple[object, ...] = ()
        self._image: QImage | None = None
        self._far = FarImage()

    def fills(self, scene: TreeScene, camera: Camera) -> bool:
        """Whether what is painted covers the whole window, its ground too."""
        from_afar = scene.arrangement.is_cells or camera.detail is Detail.FAR
        return from_afar and self._by_kernels(scene)

    def paint(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Marks
    ) -> None:
        """Paint what of a tree is visible in `window`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scene.arrangement.is_cells:
            self._paint_cells(painter, scene, camera, window, marks)
        elif camera.detail is Detail.FAR:
            self._paint_far(painter, scene, camera, window, marks)
        else:
            _paint_boxes(painter, scene, camera, window, marks)

    def _paint_cells(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Marks
    ) -> None:
        nodes = visible_nodes(scene, camera, window)
        if self._by_kernels(scene):
            self._paint_image(painter, scene, camera, window, lambda: (nodes, nodes[:0]))
        else:
            paint_cells(painter, scene, camera, nodes)
        paint_words(painter, scene, camera, nodes, window)
        wide = frozenset[int]()
        if camera.pitch >= LEAST_CELL:
            wide = frozenset(nodes[scene.layout.room[nodes] * camera.slot >= LEAST_CELL].tolist())
        for some, token, width in ((marks.matches, "accent", 1.5), (scene.path(marks.selected), "accent", 1),
                                   (marks.row, "text1", 1)):
            for node in some & wide:
                mark_cell(painter, scene, camera, node, token, width)
        for one, width in ((marks.pointed, 1.5), (marks.selected, 3)):
            if one is not None:
                mark_cell(painter, scene, camera, scene.standing(one), "accent", width)

    def _paint_far(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Marks
    ) -> None:
        path, row = scene.path(marks.selected), marks.row
        if self._by_kernels(scene):
            shown = partial(visible, scene, camera, window)
            self._paint_image(painter, scene, camera, window, shown, path, row)
        else:
            nodes, edges = visible(scene, camera, window)
            paint_lines(painter, scene, camera, edges)
            _paint_ways(painter, scene, camera, window, path, row)
            paint_marks(painter, scene, camera, nodes)
        if marks.matches:
            nodes = visible_nodes(scene, camera, window)
            found = nodes[np.isin(nodes, np.fromiter(marks.matches, np.int64))]
            paint_rings(painter, scene, camera, found, QPen(theme().color("accent"), 2))
        _paint_hands(painter, scene, camera, marks)

    def _by_kernels(self, scene: TreeScene) -> bool:
        return not self._exact and scene.tree.n_nodes > MANY

    def _paint_image(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF,
        shown: Callable[[], tuple[NDArray[np.int64], NDArray[np.int64]]],
        path: frozenset[int] = frozenset(), row: frozenset[int] = frozenset(),
    ) -> None:
        density = painter.device().devicePixelRatioF()
        key = (scene, camera, window.size(), density, theme().name, path, row)
        if key != self._key or self._image is None:
            size = round(window.width()), round(window.height())
            self._image = self._far.paint(
                scene, camera, *size, density, *shown(),
                between=lambda within: _paint_ways(within, scene, camera, window, path, row))
            self._key = key
        painter.drawImage(window.topLeft(), self._image)


def _paint_ways(
    painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, path: frozenset[int],
    row: frozenset[int],
) -> None:
    """Paint the way to what is selected, and that of a row, over the edges that they take."""
    solid, flat = Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
    for way, pen in ((path, QPen(theme().on_data("accent", 0.55), 3, solid, flat)),
                     (row, QPen(theme().color("accent"), 2, solid, flat))):
        if way:
            paint_way(painter, scene, camera, scene.way(way), window, pen)


def visible(scene: TreeScene, camera: Camera, window: QRectF) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes that show in `window`, and those whose edge does."""
    left, right, first, last = _span(scene, camera, window)
    return visible_nodes(scene, camera, window), scene.layout.edges_within(left, right, first, last + 1)


def visible_nodes(scene: TreeScene, camera: Camera, window: QRectF) -> NDArray[np.int64]:
    """Return the nodes that show in `window`."""
    return scene.layout.nodes_within(*_span(scene, camera, window))


def _span(scene: TreeScene, camera: Camera, window: QRectF) -> tuple[float, float, int, int]:
    """Places across, and levels, that `window` shows, and a little more."""
    reach = REACH * camera.scale
    wide = window.adjusted(-reach, -reach, reach, reach)
    if scene.arrangement.is_sideways:
        wide = window.adjusted(-2 * reach, -reach, reach, reach)
    corners = [camera.place(x, y) for x, y in ((wide.left(), wide.top()), (wide.right(), wide.bottom()))]
    (left, top), (right, bottom) = corners
    levels = math.floor(top), math.ceil(bottom)
    if scene.arrangement.is_cells:
        levels = max(math.floor(camera.place(0, window.top())[1]), 0), math.floor(bottom)
    return left, right, *levels


def _paint_boxes(painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Marks) -> None:
    nodes, edges = visible(scene, camera, window)
    path = scene.path(marks.selected)
    paint_edges(painter, scene, camera, edges, path, marks.row)
    paint_answers(painter, scene, camera, nodes[nodes > 0], path)
    boxes = NodePainter(painter, scene, camera)
    boxes.paint(nodes)
    for node in sorted(marks.matches.intersection(nodes.tolist())):
        boxes.match(node)
    _paint_hands(painter, scene, camera, marks)


def _paint_hands(painter: QPainter, scene: TreeScene, camera: Camera, marks: Marks) -> None:
    boxes = NodePainter(painter, scene, camera)
    reached = [node for node in marks.row if scene.tree.is_leaf[node]]
    for leaf in reached:
        boxes.mark(scene.standing(leaf), halo=False)
    if marks.pointed is not None and marks.pointed != marks.selected:
        boxes.mark(scene.standing(marks.pointed), halo=False)
    if marks.selected is not None:
        boxes.mark(scene.standing(marks.selected), halo=True)
