"""The whole picture of a tree on a painter: on the screen or on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.look.theme import theme
from workbench.views.tree.camera import Detail
from workbench.views.tree.far.far import MANY, paint_cells, paint_lines, paint_marks, paint_rings, paint_way
from workbench.views.tree.far.image import FarImage, LitPath
from workbench.views.tree.far.visible import visible, visible_nodes
from workbench.views.tree.paint.cells import mark_cells, paint_words
from workbench.views.tree.paint.edges import paint_answers, paint_edges
from workbench.views.tree.paint.lettering import Lettering
from workbench.views.tree.paint.nodes import NodePainter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QRectF

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.emphasis import Emphasis
    from workbench.views.tree.scene import TreeScene

LEAST_CELL = 4.0  # pixels across and down of a cell that is outlined


class TreePicture:
    """Paints trees; keeps the last picture of a large one, of which only what was not in it is painted."""

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact  # lines and shapes only, for paper
        self._far, self._lettering = FarImage(), Lettering(exact=exact)

    def fills(self, scene: TreeScene, camera: Camera) -> bool:
        """Whether what is painted covers the whole window, its ground too."""
        from_afar = scene.arrangement.is_cells or camera.detail is Detail.FAR
        return from_afar and self._by_kernels(scene)

    def paint(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Emphasis
    ) -> None:
        """Paint what of a tree is visible in `window`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if scene.arrangement.is_cells:
            self._paint_cells(painter, scene, camera, window, marks)
        elif camera.detail is Detail.FAR:
            self._paint_far(painter, scene, camera, window, marks)
        else:
            _paint_boxes(painter, scene, camera, window, marks, self._lettering)

    def _paint_cells(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Emphasis
    ) -> None:
        nodes = visible_nodes(scene, camera, window)
        if self._by_kernels(scene):
            self._paint_image(painter, scene, camera, window)
        else:
            paint_cells(painter, scene, camera, nodes)
        paint_words(painter, scene, camera, nodes, window, self._lettering)
        wide = frozenset[int]()
        if camera.pitch >= LEAST_CELL:
            wide = frozenset(nodes[scene.layout.room[nodes] * camera.slot >= LEAST_CELL].tolist())
        path = scene.places.path(marks.selected)
        marked = (marks.matches, "accent", 1.5), (path, "accent", 1), (marks.row, "text1", 1)
        for some, token, width in marked:
            mark_cells(painter, scene, camera, some & wide, token, width)
        for one, width in ((marks.pointed, 1.5), (marks.selected, 3)):
            if one is not None:
                mark_cells(painter, scene, camera, [scene.places.standing(one)], "accent", width)

    def _paint_far(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Emphasis
    ) -> None:
        ways = _ways(marks, scene.places.path(marks.selected))
        if self._by_kernels(scene):
            self._paint_image(painter, scene, camera, window, ways)
        else:
            nodes, edges = visible(scene, camera, window)
            paint_lines(painter, scene, camera, edges)
            for way, pen in ways:
                paint_way(painter, scene, camera, scene.places.way(way), window, pen)
            paint_marks(painter, scene, camera, nodes)
        nodes = visible_nodes(scene, camera, window)
        has_words, found = scene.places.has_words(nodes, camera), np.fromiter(marks.matches, np.int64)
        boxes, is_found = NodePainter(painter, scene, camera, self._lettering), np.isin(nodes, found)
        boxes.paint(nodes[has_words])
        paint_rings(painter, scene, camera, nodes[is_found & ~has_words], QPen(theme().color("accent"), 2))
        for node in nodes[is_found & has_words].tolist():
            boxes.match(node)
        _paint_hands(boxes, scene, marks)

    def _by_kernels(self, scene: TreeScene) -> bool:
        return not self._exact and scene.tree.n_nodes > MANY

    def _paint_image(
        self, painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF,
        ways: Iterable[tuple[frozenset[int], QPen]] = (),
    ) -> None:
        drawn = [LitPath(nodes, pen.color().rgb(), pen.widthF()) for nodes, pen in ways if nodes]
        density = painter.device().devicePixelRatioF()
        image = self._far.paint(scene, camera, window.size().toSize(), density, drawn)
        painter.drawImage(window.topLeft(), image)


def _ways(marks: Emphasis, path: frozenset[int]) -> list[tuple[frozenset[int], QPen]]:
    """The way to what is selected, and that of a row, over the edges that they take."""
    solid, flat = Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
    return [(path, QPen(theme().on_data("accent", 0.55), 3, solid, flat)),
            (marks.row, QPen(theme().color("accent"), 2, solid, flat))]


def _paint_boxes(
    painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Emphasis, lettering: Lettering
) -> None:
    nodes, edges = visible(scene, camera, window)
    path = scene.places.path(marks.selected)
    paint_edges(painter, scene, camera, edges, path, marks.row)
    paint_answers(painter, scene, camera, nodes[nodes > 0], path)
    boxes = NodePainter(painter, scene, camera, lettering)
    boxes.paint(nodes)
    for node in sorted(marks.matches.intersection(nodes.tolist())):
        boxes.match(node)
    _paint_hands(boxes, scene, marks)


def _paint_hands(boxes: NodePainter, scene: TreeScene, marks: Emphasis) -> None:
    reached = [node for node in marks.row if scene.tree.is_leaf[node]]
    for leaf in reached:
        boxes.mark(scene.places.standing(leaf), halo=False)
    if marks.pointed is not None and marks.pointed != marks.selected:
        boxes.mark(scene.places.standing(marks.pointed), halo=False)
    if marks.selected is not None:
        boxes.mark(scene.places.standing(marks.selected), halo=True)
