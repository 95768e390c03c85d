"""The whole picture of a tree on a painter: on the screen, into a PNG or an SVG."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from workbench.errors import WorkbenchError
from workbench.views.fonts import load_fonts
from workbench.views.theme import theme
from workbench.views.tree.camera import MARGIN, PITCH, SLOT, Camera, Detail, fitting
from workbench.views.tree.edges import paint_answers, paint_edges
from workbench.views.tree.far import paint_far
from workbench.views.tree.legend import LEFT, LINE, TOP, paint_legend
from workbench.views.tree.marks import Marks
from workbench.views.tree.nodes import NodePainter

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.views.tree.scene import TreeScene

WIDEST_PICTURE, DENSITY = 12_000, 2  # pixels of a PNG
REACH = 90.0  # pixels beyond the window in which a box may still show


def paint_tree(painter: QPainter, scene: TreeScene, camera: Camera, window: QRectF, marks: Marks) -> None:
    """Paint what of a tree is visible in `window`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    nodes, edges = visible(scene, camera, window)
    path = scene.path(marks.selected)
    if camera.detail is Detail.FAR:
        paint_far(painter, scene, camera, np.union1d(nodes, edges), path, marks.row)
    else:
        paint_edges(painter, scene, camera, edges.tolist(), path, marks.row)
        paint_answers(painter, scene, camera, nodes[nodes > 0].tolist(), path)
    boxes = NodePainter(painter, scene, camera)
    if camera.detail is not Detail.FAR:
        for node in nodes.tolist():
            boxes.paint(node)
    for leaf in marks.row.intersection(np.flatnonzero(scene.tree.is_leaf).tolist()):
        boxes.mark(leaf, halo=False)
    if marks.pointed is not None and marks.pointed != marks.selected:
        boxes.mark(marks.pointed, halo=False)
    if marks.selected is not None:
        boxes.mark(marks.selected, halo=True)


def visible(scene: TreeScene, camera: Camera, window: QRectF) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the nodes that show in `window`, and those whose edge does."""
    x = camera.x + scene.layout.x * camera.slot
    y = camera.y + scene.layout.y * camera.pitch
    reach = REACH * camera.scale
    inside = (y > window.top() - reach) & (y < window.bottom() + 20)
    nodes = np.flatnonzero(inside & (x > window.left() - reach) & (x < window.right() + reach))
    upper = scene.layout.parent
    low, high = np.minimum(x, x[upper]), np.maximum(x, x[upper])
    crossing = (high > window.left() - 20) & (low < window.right() + 20)
    crossing &= (y > window.top() - 20) & (y[upper] < window.bottom() + 20)
    crossing[0] = False
    return nodes, np.flatnonzero(crossing)


def save_picture(path: Path, scene: TreeScene, title: str) -> None:
    """Write the whole tree with its legend, as large as its text needs; the ending says PNG or SVG."""
    size, camera = _whole(scene)
    load_fonts()
    if path.suffix.lower() == ".svg":
        _save_svg(path, scene, camera, size, title)
        return
    density = DENSITY if size.width() * DENSITY <= WIDEST_PICTURE else 1
    image = QImage(size * density, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(density)
    image.fill(theme().color("data"))
    painter = QPainter(image)
    _paint_whole(painter, scene, camera, size)
    painter.end()
    if not image.save(str(path)):
        raise WorkbenchError(f"Cannot write {path}. Choose another folder.")


def _save_svg(path: Path, scene: TreeScene, camera: Camera, size: QSize, title: str) -> None:
    writer = QSvgGenerator()
    writer.setFileName(str(path))
    writer.setSize(size)
    writer.setViewBox(QRect(0, 0, size.width(), size.height()))
    writer.setResolution(96)
    writer.setTitle(title)
    painter = QPainter()
    if not painter.begin(writer):
        raise WorkbenchError(f"Cannot write {path}. Choose another folder.")
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme().color("data"))
    _paint_whole(painter, scene, camera, size)
    painter.end()


def _paint_whole(painter: QPainter, scene: TreeScene, camera: Camera, size: QSize) -> None:
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    paint_tree(painter, scene, camera, QRectF(0, 0, size.width(), size.height()), Marks())
    paint_legend(painter, scene, camera)


def _whole(scene: TreeScene) -> tuple[QSize, Camera]:
    layout = scene.layout
    legend = LEFT + TOP + 5 * LINE
    width = SLOT * (layout.right - layout.left + 1) + 2 * MARGIN
    if width <= WIDEST_PICTURE:
        width = max(width, 560.0)
        height = PITCH * layout.depth + 50 + 2 * MARGIN + legend
        camera = fitting(layout, width + 4, height)
        camera = replace(camera, zoom=1.0, squeeze=1.0, y=MARGIN + legend)
        return QSize(round(width), round(height)), camera
    height = 60.0 * layout.depth + 50 + 2 * MARGIN + legend
    camera = fitting(layout, WIDEST_PICTURE, height - legend)
    return QSize(WIDEST_PICTURE, round(height)), replace(camera, y=MARGIN + legend)
