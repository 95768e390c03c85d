"""The edges of a tree: as wide as the share of rows that takes them, and what answer they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from workbench.views.fonts import AXIS, ui_font
from workbench.views.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

WIDEST, THINNEST = 22.0, 1.2
ROW_LINE = 2.0
LEAST_GAP = 15.0  # between levels, for a word


def paint_edges(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: Iterable[int],
    path: frozenset[int], row: frozenset[int],
) -> None:
    """Paint the edges that lead to `nodes`; those on `path` in accent, the row's way as a line on them."""
    plain, chosen = theme().color("line2", 0.8), theme().color("accent", 0.55)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for node in sorted(nodes, key=path.__contains__):
        color = chosen if node in path else plain
        width = edge_width(scene, camera, node)
        painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawPath(edge_path(scene, camera, node))
    painter.setPen(QPen(theme().color("accent"), ROW_LINE * camera.scale))
    for node in row:
        painter.drawPath(edge_path(scene, camera, node))


def paint_answers(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: Iterable[int], path: frozenset[int]
) -> None:
    """Write "yes" or "no" beside the children, and "?" where missing values go; if there is room."""
    if camera.pitch - scene.size(False, camera)[1] < LEAST_GAP * camera.scale:
        return
    for node in nodes:
        words = scene.edge_words(node)
        chosen = node in path
        font = ui_font(round(AXIS * camera.scale), bold=chosen)
        painter.setFont(font)
        painter.setPen(theme().color("accent" if chosen else "text3"))
        top = scene.rect(node, camera)
        room = edge_width(scene, camera, node) / 2 + 5 * camera.scale
        left = words.startswith("yes")
        width = painter.fontMetrics().horizontalAdvance(words)
        x = top.center().x() - room - width if left else top.center().x() + room
        painter.drawText(QPointF(x, top.top() - 6 * camera.scale), words)


def edge_width(scene: TreeScene, camera: Camera, node: int) -> float:
    """Pixels across: 22 for all rows, thinner with the zoom, at least 1.2."""
    return max(THINNEST, WIDEST * scene.share(node) * min(camera.zoom, 1.0) * camera.scale)


def edge_path(scene: TreeScene, camera: Camera, node: int) -> QPainterPath:
    """The cubic from the parent's lower edge to the child's upper edge, vertical at both ends."""
    upper = scene.rect(int(scene.tree.nodes["parent"][node]), camera)
    lower = scene.rect(node, camera)
    start, end = QPointF(upper.center().x(), upper.bottom()), QPointF(lower.center().x(), lower.top())
    middle = (start.y() + end.y()) / 2
    path = QPainterPath(start)
    path.cubicTo(QPointF(start.x(), middle), QPointF(end.x(), middle), end)
    return path
