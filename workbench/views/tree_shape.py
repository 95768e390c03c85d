"""A tree as a shape of 46 × 20 pixels: its upper levels, splits as dots and leaves as squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.theme import theme

if TYPE_CHECKING:
    from workbench.trees.tree import Tree

WIDTH, HEIGHT = 46, 20
LEVELS = 5  # more do not show
MARK = 3.0


def paint_shape(painter: QPainter, rect: QRectF, tree: Tree, weight_limit: float) -> None:
    """Paint the upper levels of a tree; each child stands in its half of the parent's room."""
    deepest = min(tree.depth, LEVELS)
    top = QPointF(rect.center().x(), rect.top() + MARK / 2)
    places: dict[int, tuple[QPointF, float]] = {0: (top, rect.width() / 2)}
    step = (rect.height() - MARK) / max(deepest, 1)
    lines, order = [], [0]
    for node in order:
        place, room = places[node]
        record = tree.nodes[node]
        if tree.is_leaf[node] or record["depth"] >= deepest:
            continue
        for child, side in ((int(record["left"]), -0.5), (int(record["right"]), 0.5)):
            places[child] = (QPointF(place.x() + side * room, place.y() + step), room / 2)
            lines.append(QLineF(place, places[child][0]))
            order.append(child)
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLines(lines)
    painter.setPen(Qt.PenStyle.NoPen)
    for node in order:
        _paint_mark(painter, places[node][0], tree, node, weight_limit)


def _paint_mark(painter: QPainter, place: QPointF, tree: Tree, node: int, weight_limit: float) -> None:
    mark = QRectF(place.x() - MARK / 2, place.y() - MARK / 2, MARK, MARK)
    if tree.is_leaf[node]:
        share = float(tree.nodes["weight"][node]) / weight_limit
        painter.fillRect(mark, theme().weight(share + (0.12 if share >= 0 else -0.12)))  # the palest show too
    else:
        painter.setBrush(theme().color("train"))
        painter.drawEllipse(mark)
