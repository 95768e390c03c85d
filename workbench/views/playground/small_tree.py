"""The shown tree in a narrow column: questions, and leaves in the colours of their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.explain.node_figures import test_of
from workbench.explain.node_text import LEAF_NAMES, weight_text
from workbench.views.curves.ink import width
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import text_on, theme
from workbench.views.look.weight_limits import WeightScale
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

ROW, BOX = 36, 18
LEAST_LEVELS, MOST_LEVELS = 4, 6
EDGE_MOST, EDGE_LEAST = 7.0, 1.2
PADDING = 5
LEAST_LEAF = 24  # pixels of a leaf with words
MARK = 5.0


class SmallTree(QWidget):
    """Leaves stand in turn from left to right; where they have no room for words they are marks."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tree: Tree | None = None
        self._schema: DataSchema | None = None
        self._scale, self._unit = WeightScale(), ""
        self.setFixedHeight(px(ROW * LEAST_LEVELS))
        self.setAccessibleName("Shown tree")

    def show_tree(
        self, tree: Tree | None, schema: DataSchema | None, scale: WeightScale, unit: str = ""
    ) -> None:
        """Show a tree; `scale` is the ramp of its weights, `unit` what they are counted in."""
        if tree is self._tree and (schema, scale, unit) == (self._schema, self._scale, self._unit):
            return
        self._tree, self._schema, self._scale, self._unit = tree, schema, scale, unit
        leaves = "" if tree is None else f"{tree.n_leaves} leaves, depth {tree.depth}"
        self.setAccessibleDescription(leaves)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(268, ROW * LEAST_LEVELS)

    def paintEvent(self, event: QPaintEvent) -> None:
        tree = self._tree
        if tree is None or self._schema is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self._places(tree)
        self._paint_edges(painter, tree, places)
        weights, leaf = tree.nodes["weight"].tolist(), tree.is_leaf.tolist()
        is_tight = (self.height() - BOX) / max(tree.depth, 1) < BOX + 2
        room = 0.0 if is_tight else self.width() / max(tree.n_leaves, 1)
        rooms = {} if is_tight else self._rooms(places)
        words = self._leaf_words([weight for weight, ends in zip(weights, leaf, strict=True) if ends], room)
        for node, place in places.items():
            if leaf[node]:
                self._paint_leaf(painter, weights[node], place, words.get(weights[node], ""), room)
            else:
                self._paint_split(painter, node, place, rooms.get(node, 0.0))

    def _places(self, tree: Tree) -> dict[int, QPointF]:
        """Leaves in turn, parents over the middle of their children."""
        left, leaf, depth = tree.nodes["left"].tolist(), tree.is_leaf.tolist(), tree.nodes["depth"].tolist()
        levels = max(tree.depth, 1)
        step = min(ROW, (self.height() - BOX) / levels)
        across: dict[int, float] = {}
        waiting, taken, n = [0], 0, max(tree.n_leaves, 1)
        while waiting:  # depth first
            node = waiting.pop()
            if leaf[node]:
                across[node] = (taken + 0.5) / n * self.width()
                taken += 1
            else:
                waiting += [left[node] + 1, left[node]]
        for node in reversed(range(len(left))):
            if not leaf[node]:
                across[node] = (across[left[node]] + across[left[node] + 1]) / 2
        return {node: QPointF(across[node], BOX / 2 + 1 + step * depth[node]) for node in range(len(left))}

    def _paint_edges(self, painter: QPainter, tree: Tree, places: dict[int, QPointF]) -> None:
        counts, parents = tree.nodes["count"].astype(float), tree.nodes["parent"].tolist()
        wide = np.maximum(EDGE_MOST * counts / max(counts[0], 1.0), EDGE_LEAST).tolist()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(theme().color("line2"), EDGE_LEAST)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        thin = QPainterPath()
        for node in range(1, len(wide)):
            begin, end = places[parents[node]], places[node]
            middle = (begin.y() + end.y()) / 2
            line = thin if wide[node] == EDGE_LEAST else QPainterPath()
            line.moveTo(begin)
            line.cubicTo(QPointF(begin.x(), middle), QPointF(end.x(), middle), end)
            if line is not thin:
                pen.setWidthF(wide[node])
                painter.strokePath(line, pen)
        pen.setWidthF(EDGE_LEAST)
        painter.strokePath(thin, pen)

    def _leaf_words(self, weights: list[float], room: float) -> dict[float, str]:
        """The words of each weight, as exact as has room; none where one has no room, for it would be cut."""
        unit, found = self._unit if self._unit in LEAF_NAMES else "", dict[float, str]()
        for weight in weights if room >= LEAST_LEAF else ():
            least = 1 if abs(weight) < 10 else 0
            texts = (weight_text(weight, decimals, unit) for decimals in range(2, least - 1, -1))
            fitting = next((text for text in texts if width(text, AXIS) <= room - PADDING), "")
            if not fitting:
                return {}
            found[weight] = fitting
        return found

    def _paint_leaf(
        self, painter: QPainter, weight: float, place: QPointF, words: str, room: float
    ) -> None:
        ground = theme().weight(max(min(self._scale.share(weight), 1.0), -1.0))
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(ground)
        if not words:
            painter.drawRect(QRectF(place.x() - MARK / 2, place.y() - MARK / 2, MARK, MARK))
            return
        self._paint_box(painter, place, words, text_on(ground), min(room - 2, 64))

    def _paint_split(self, painter: QPainter, node: int, place: QPointF, room: float) -> None:
        assert self._tree is not None
        assert self._schema is not None
        if room < 2 * LEAST_LEAF:
            painter.setBrush(theme().color("ctl"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(place, MARK / 2, MARK / 2)
            return
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(theme().color("raised"))
        words = fitted(test_of(self._tree, node, self._schema), ruler(AXIS), room - 2 * PADDING + 2)
        self._paint_box(painter, place, words, theme().color("text1"), room)

    def _rooms(self, places: dict[int, QPointF]) -> dict[int, float]:
        """Pixels from each node to the nearest one of its level, or to the edge."""
        levels: dict[float, list[tuple[float, int]]] = {}
        for node, place in places.items():
            levels.setdefault(place.y(), []).append((place.x(), node))
        rooms, wide = dict[int, float](), float(self.width())
        for level in map(sorted, levels.values()):
            across = [-wide, *(x for x, _ in level), 2 * wide]
            for (x, node), before, after in zip(level, across, across[2:], strict=False):
                rooms[node] = min(min(x - before, after - x) - 4, 2 * x, 2 * (wide - x), 150)
        return rooms

    def _paint_box(self, painter: QPainter, place: QPointF, words: str, color: QColor, room: float) -> None:
        wide = min(width(words, AXIS) + 2 * PADDING, max(room, LEAST_LEAF))
        box = QRectF(place.x() - wide / 2, place.y() - BOX / 2, wide, BOX)
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(ui_font(AXIS))
        painter.setPen(color)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
