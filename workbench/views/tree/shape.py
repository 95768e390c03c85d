"""A tree as a shape of 46 × 20 pixels: its upper levels, splits as dots and leaves as squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.explain.node_figures import fair_share
from workbench.views.theme import theme

if TYPE_CHECKING:
    from workbench.trees.tree import Tree

WIDTH, HEIGHT = 46, 20
LEVELS = 5  # more do not show
MARK = 3.0
PALEST = 0.12  # of the weight ramp, so that every leaf shows


def paint_shape(painter: QPainter, rect: QRectF, tree: Tree, weight_limit: float) -> None:
    """Paint the upper levels of a tree; each child stands in its half of the parent's room."""
    deepest = min(tree.depth, LEVELS)
    upper = tree.nodes[: 2 ** (deepest + 1) - 1]  # nodes stand breadth-first
    children, depths, weights = upper["left"].tolist(), upper["depth"].tolist(), upper["weight"].tolist()
    top = QPointF(rect.center().x(), rect.top() + MARK / 2)
    places: dict[int, tuple[QPointF, float]] = {0: (top, rect.width() / 2)}
    step = (rect.height() - MARK) / max(deepest, 1)
    lines, order = [], [0]
    for node in order:
        place, room = places[node]
        if children[node] < 0 or depths[node] >= deepest:
            continue
        for child, side in ((children[node], -0.5), (children[node] + 1, 0.5)):
            places[child] = (QPointF(place.x() + side * room, place.y() + step), room / 2)
            lines.append(QLineF(place, places[child][0]))
            order.append(child)
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLines(lines)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("train"))
    for node in order:
        place = places[node][0]
        mark = QRectF(place.x() - MARK / 2, place.y() - MARK / 2, MARK, MARK)
        if children[node] < 0:
            share = fair_share(weights[node], weight_limit)
            painter.fillRect(mark, theme().weight(share + (PALEST if share >= 0 else -PALEST)))
        else:
            painter.drawEllipse(mark)
