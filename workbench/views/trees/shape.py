"""A tree as a shape of 46 × 20 pixels: its upper levels, splits as dots and leaves as squares."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from workbench.views.look.many_lines import draw_lines, draw_points
from workbench.views.look.theme import theme
from workbench.views.tree.colouring import NONE, Palette, qcolor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

WIDTH, HEIGHT = 46, 20
LEVELS = 5  # more do not show
MARK = 3.0


def paint_shape(painter: QPainter, rect: QRectF, tree: Tree, palette: Palette) -> None:
    """Paint the upper levels of a tree; each child stands in its half of the parent's room."""
    deepest = min(tree.depth, LEVELS)
    upper = _upper(tree, 2 ** (deepest + 1) - 1)
    x, joins = _across(upper.nodes["left"], rect, deepest)
    y = rect.top() + MARK / 2 + upper.nodes["depth"] * ((rect.height() - MARK) / max(deepest, 1))
    painter.setPen(QPen(theme().color("line2"), 1))
    draw_lines(painter, np.stack([x[joins], y[joins]], axis=-1).reshape(-1, 4))
    leaves, colors = upper.nodes["left"] < 0, palette.colors(upper)
    for is_leaf, token in ((False, "train"), (True, "ctl")):
        shown = np.isfinite(x) & (leaves == is_leaf)
        pen = QPen(theme().color(token), MARK)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap if is_leaf else Qt.PenCapStyle.RoundCap)
        for color in np.unique(colors[shown]).tolist():
            if color != NONE:
                pen.setColor(qcolor(color))
            painter.setPen(pen)
            draw_points(painter, np.stack([x, y], axis=-1)[shown & (colors == color)])


def _across(
    left: NDArray[np.int32], rect: QRectF, deepest: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return where nodes stand across, NaN below the deepest level, and each parent with each child."""
    x, joins = np.full(len(left), np.nan), [np.empty((0, 2), np.int64)]
    level, room = np.zeros(1, np.int64), rect.width() / 4
    x[0] = rect.center().x()
    for _ in range(deepest):
        parents = level[left[level] >= 0]
        for side in (0, 1):
            children = left[parents] + side
            x[children] = x[parents] + (2 * side - 1) * room
            joins.append(np.stack([parents, children], axis=1))
        level, room = np.concatenate([joins[-2][:, 1], joins[-1][:, 1]]), room / 2
    return x, np.concatenate(joins)


def _upper(tree: Tree, nodes: int) -> Tree:
    """The nodes of the upper levels, which stand first, as a tree that is cut off."""
    return replace(tree, nodes=tree.nodes[:nodes], category_begin=tree.category_begin[: nodes + 1])
