"""A tree as a shape of 46 × 20 pixels: its upper levels, splits as dots and leaves as squares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.look.theme import theme
from workbench.views.tree.colouring import NONE, Palette, qcolor

if TYPE_CHECKING:
    from workbench.trees.tree import Tree

WIDTH, HEIGHT = 46, 20
LEVELS = 5  # more do not show
MARK = 3.0


def paint_shape(painter: QPainter, rect: QRectF, tree: Tree, palette: Palette) -> None:
    """Paint the upper levels of a tree; each child stands in its half of the parent's room."""
    deepest = min(tree.depth, LEVELS)
    upper = _upper(tree, 2 ** (deepest + 1) - 1)
    children, depths = upper.nodes["left"].tolist(), upper.nodes["depth"].tolist()
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
    colors = palette.colors(upper).tolist()
    plain = {True: theme().color("ctl"), False: theme().color("train")}
    for node in order:
        place, leaf = places[node][0], children[node] < 0
        mark = QRectF(place.x() - MARK / 2, place.y() - MARK / 2, MARK, MARK)
        color = plain[leaf] if colors[node] == NONE else qcolor(colors[node])
        if leaf:
            painter.fillRect(mark, color)
        else:
            painter.setBrush(color)
            painter.drawEllipse(mark)


def _upper(tree: Tree, nodes: int) -> Tree:
    """The nodes of the upper levels, which stand first, as a tree that is cut off."""
    return replace(tree, nodes=tree.nodes[:nodes], category_begin=tree.category_begin[: nodes + 1])
