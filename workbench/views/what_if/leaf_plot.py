"""The leaves of one tree: what each weighed, and what it would weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.explain.node_figures import fair_share
from workbench.number_text import count, signed
from workbench.round_numbers import axis_end
from workbench.views.curves.ink import write
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    from workbench.explain.what_if.rescoring import RescoredTree
    from workbench.trees.tree import Tree

SIDE, AXIS_ROOM = 22.0, 20.0
RADIUS = 4.0
HEIGHT = 132
LEAST_ROW = 2.5  # pixels a leaf
MOST_NODES = 4000  # of a tree whose leaves are put in order


class LeafPlot(QWidget):
    """A row a leaf, from left to right in the tree: hollow as stored, filled as it would be."""

    def __init__(self) -> None:
        super().__init__()
        self._stored = self._new = np.empty(0)
        self._limit = 1.0
        self._words = ""
        self.setMinimumHeight(px(HEIGHT))
        self.setAccessibleName("Leaf weights of this tree")

    def show_tree(self, tree: Tree | None, rescored: RescoredTree | None, limit: float) -> None:
        """Show a tree's leaves; without other values what is stored alone."""
        self._stored = self._new = np.empty(0)
        self._limit, self._words = limit, ""
        if tree is not None and tree.n_nodes > MOST_NODES:
            self._words = f"{count(tree.n_leaves)} leaves: too many for a row each."
        elif tree is not None:
            leaves = leaves_in_order(tree)
            self._stored = tree.nodes["weight"][leaves]
            self._new = rescored.weight[covering(tree, rescored)[leaves]] if rescored else self._stored
        self.setAccessibleDescription(self._said())
        self.update()

    def _said(self) -> str:
        if not len(self._stored):
            return self._words
        pairs = zip(self._stored[:50], self._new[:50], strict=True)
        return "; ".join(f"{signed(old)} becomes {signed(new)}" for old, new in pairs)

    def sizeHint(self) -> QSize:
        return QSize(240, HEIGHT + 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not len(self._stored):
            write(painter, self._words, self.width() / 2, 20, pixels=NOTE, token="text2", align="centre",
                  most=self.width() - 2 * SIDE)
            return
        rect = QRectF(self.rect()).adjusted(SIDE, 4, -SIDE, -AXIS_ROOM)
        known = np.abs(self._stored[np.isfinite(self._stored)])
        end = axis_end(float(known.max())) if len(known) and known.max() > 0 else 1.0
        self._paint_axis(painter, rect, end)
        step = rect.height() / len(self._stored)
        every = max(1, int(np.ceil(LEAST_ROW / step)))
        for row in range(0, len(self._stored), every):
            self._paint_leaf(painter, rect, end, row, min(RADIUS, max(step * every * 0.45, 1.2)))

    def _paint_axis(self, painter: QPainter, rect: QRectF, end: float) -> None:
        for value in (-end, 0.0, end):
            x = round(_x(rect, end, value)) + 0.5
            painter.setPen(QPen(theme().color("ctl" if value == 0 else "line"), 1))
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
            text = "0" if value == 0 else f"{value:+g}".replace("-", "−")
            write(painter, text, x, rect.bottom() + 11, align="centre")

    def _paint_leaf(self, painter: QPainter, rect: QRectF, end: float, row: int, radius: float) -> None:
        old, new = float(self._stored[row]), float(self._new[row])
        if not (np.isfinite(old) and np.isfinite(new)):
            return
        y = rect.top() + rect.height() * (row + 0.5) / len(self._stored)
        before = QPointF(min(max(_x(rect, end, old), rect.left()), rect.right()), y)
        after = QPointF(min(max(_x(rect, end, new), rect.left()), rect.right()), y)
        painter.setPen(QPen(theme().color("ctl"), 1.25))
        painter.drawLine(before, after)
        painter.setBrush(theme().color("panel"))
        painter.drawEllipse(before, radius, radius)
        share = fair_share(new, self._limit)
        painter.setBrush(theme().weight(share))
        painter.setPen(QPen(theme().color("line2"), 1) if abs(share) < 0.45 else Qt.PenStyle.NoPen)
        painter.drawEllipse(after, radius, radius)


def _x(rect: QRectF, end: float, value: float) -> float:
    return rect.center().x() + rect.width() / 2 * value / end


def leaves_in_order(tree: Tree) -> NDArray[np.intp]:
    """Return the leaves as they stand from left to right."""
    left, found, waiting = tree.nodes["left"].tolist(), [], [0]
    while waiting:
        node = waiting.pop()
        if left[node] < 0:
            found.append(node)
        else:
            waiting += [left[node] + 1, left[node]]
    return np.array(found, np.intp)


def covering(tree: Tree, rescored: RescoredTree) -> NDArray[np.intp]:
    """Return for each stored node itself, or the leaf that it is gone into."""
    covers = np.arange(tree.n_nodes)
    parent = tree.nodes["parent"]
    gone = ~(rescored.is_split | rescored.is_leaf)
    while gone.any():
        covers[gone] = parent[covers[gone]]
        gone = ~(rescored.is_split | rescored.is_leaf)[covers]
    return covers
