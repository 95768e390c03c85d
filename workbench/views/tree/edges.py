"""The edges of a tree: as wide as the share of rows that takes them, and what answer they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPen

from workbench.views.fonts import AXIS, ui_font
from workbench.views.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

WIDEST, THINNEST = 22.0, 1.2
MOST_OF_GAP = 0.45  # of the room between levels
ROW_LINE = 2.0
LEAST_GAP = 15.0  # between levels, for a word


def paint_edges(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: Iterable[int],
    path: frozenset[int], row: frozenset[int],
) -> None:
    """Paint the edges that lead to `nodes`; those on `path` in accent, the row's way as a line on them."""
    plain, chosen = theme().on_data("line2", 0.8), theme().color("accent", 0.55)
    flat, shown = Qt.PenCapStyle.FlatCap, set(nodes)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for node in sorted(shown, key=path.__contains__):
        if scene.looks.is_ghost_edge(scene, node):
            pen = QPen(plain, THINNEST, Qt.PenStyle.DashLine, flat)
        else:
            width = edge_width(scene, camera, node)
            pen = QPen(chosen if node in path else plain, width, Qt.PenStyle.SolidLine, flat)
        painter.setPen(pen)
        painter.drawPath(edge_path(scene, camera, node))
    painter.setPen(QPen(theme().color("accent"), ROW_LINE * camera.scale))
    for node in row & shown:
        painter.drawPath(edge_path(scene, camera, node))


def paint_answers(
    painter: QPainter, scene: TreeScene, camera: Camera, nodes: Iterable[int], path: frozenset[int]
) -> None:
    """Write "yes" or "no" beside the children, and "?" where missing values go; if there is room."""
    sideways = scene.arrangement.is_sideways
    width, height = scene.size(False, camera)
    needed = 3 * LEAST_GAP + width if sideways else LEAST_GAP * camera.scale + height
    if camera.pitch < needed:
        return
    fonts = {chosen: ui_font(round(AXIS * camera.scale), bold=chosen) for chosen in (False, True)}
    metrics = {chosen: QFontMetrics(font) for chosen, font in fonts.items()}
    for node in nodes:
        words, chosen = scene.edge_words(node), node in path
        painter.setFont(fonts[chosen])
        painter.setPen(theme().color("accent" if chosen else "text3"))
        box = scene.rect(node, camera)
        room = edge_width(scene, camera, node) / 2 + 5 * camera.scale
        advance = metrics[chosen].horizontalAdvance(words)
        yes = words.startswith("yes")
        if sideways:
            y = box.center().y() - room if yes else box.center().y() + room + 8 * camera.scale
            painter.drawText(QPointF(box.left() - advance - 8, y), words)
        else:
            x = box.center().x() - room - advance if yes else box.center().x() + room
            painter.drawText(QPointF(x, box.top() - 6 * camera.scale), words)


def edge_width(scene: TreeScene, camera: Camera, node: int) -> float:
    """Pixels across: 22 for all rows, thinner with the zoom and where levels are near, at least 1.2."""
    width, height = scene.size(False, camera)
    gap = camera.pitch - (width if scene.arrangement.is_sideways else height)
    widest = min(WIDEST * min(camera.zoom, 1.0) * camera.scale, MOST_OF_GAP * gap)
    return max(THINNEST, widest * scene.share(node))


def edge_path(scene: TreeScene, camera: Camera, node: int) -> QPainterPath:
    """The cubic from the parent's far edge to the child's near edge, along the levels at both ends."""
    upper = scene.rect(int(scene.layout.parent[node]), camera)
    lower = scene.rect(node, camera)
    if scene.arrangement.is_sideways:
        start, end = QPointF(upper.right(), upper.center().y()), QPointF(lower.left(), lower.center().y())
        middle = (start.x() + end.x()) / 2
        bends = QPointF(middle, start.y()), QPointF(middle, end.y())
    else:
        start, end = QPointF(upper.center().x(), upper.bottom()), QPointF(lower.center().x(), lower.top())
        middle = (start.y() + end.y()) / 2
        bends = QPointF(start.x(), middle), QPointF(end.x(), middle)
    path = QPainterPath(start)
    path.cubicTo(*bends, end)
    return path
