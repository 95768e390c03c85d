"""The shown tree in a narrow column: questions, and leaves in the colours of their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.explain.node_figures import Test, test_of
from workbench.explain.node_text import LEAF_NAMES, weight_text
from workbench.number_text import figure
from workbench.views.curves.ink import width
from workbench.views.elision import elided_name
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.scale import px
from workbench.views.look.text_width import ruler
from workbench.views.look.theme import text_on, theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.look.weight_limits import WeightScale
from workbench.views.tree.paint.fitted_question import fitted

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

ROW, BOX, TWO_LINES = 36, 18, 30
MOST_BOX = 150
LEAST_LEVELS, MOST_LEVELS = 4, 6
EDGE_MOST, EDGE_LEAST, EDGE_STEPS = 7.0, 1.0, 5  # pixels, and steps in a pixel
PADDING = 5
LEAST_LEAF = 24  # pixels of a leaf with words
MARK = 5.0
DIGITS, LEAF_DECIMALS = (3, 2, 1), 4


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
        is_tight = (self.height() - px(BOX)) / max(tree.depth, 1) < px(BOX) + 2
        room = 0.0 if is_tight else self.width() / max(tree.n_leaves, 1)
        rooms = {} if is_tight else self._rooms(places)
        wide = {node for node, own in rooms.items() if own >= 2 * LEAST_LEAF and not leaf[node]}
        words = self._leaf_words([weight for weight, ends in zip(weights, leaf, strict=True) if ends], room)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("ctl"))
        for node, place in places.items():
            if not leaf[node] and node not in wide:
                painter.drawEllipse(place, MARK / 2, MARK / 2)
        line = QPen(theme().color("line2"), 1)
        painter.setPen(line)
        for node, place in places.items():
            if leaf[node]:
                ground = theme().weight(max(min(self._scale.share(weights[node]), 1.0), -1.0))
                painter.setBrush(ground)
                if words:
                    self._paint_box(painter, place, [words[weights[node]]], text_on(ground), room - 2)
                    painter.setPen(line)
                else:
                    painter.drawRect(QRectF(place.x() - MARK / 2, place.y() - MARK / 2, MARK, MARK))
            elif node in wide:
                painter.setBrush(theme().color("raised"))
                test = test_of(tree, node, self._schema)
                question = self._question(test, rooms[node] - 2 * PADDING + 2)
                self._paint_box(painter, place, question, theme().color("text1"), rooms[node])
                painter.setPen(line)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            set_tip(self, self.words_at(QPointF(event.pos())))
        return super().event(event)

    def words_at(self, pixel: QPointF) -> str:
        """The whole question of the split at a pixel, or the weight of the leaf; "" where there is none."""
        tree, schema = self._tree, self._schema
        if tree is None or schema is None:
            return ""
        places = self._places(tree)
        rooms, high = self._rooms(places), px(TWO_LINES if self._has_two_lines(tree) else BOX) / 2
        for node, place in places.items():
            is_over = abs(pixel.x() - place.x()) <= rooms[node] / 2 and abs(pixel.y() - place.y()) <= high
            if is_over and tree.is_leaf[node]:
                return weight_text(float(tree.nodes["weight"][node]), LEAF_DECIMALS, self._leaf_unit)
            if is_over:
                return test_of(tree, node, schema).text
        return ""

    def _has_two_lines(self, tree: Tree) -> bool:
        """Whether a question may take two lines."""
        return (self.height() - px(TWO_LINES)) / max(tree.depth, 1) >= px(ROW)

    def _question(self, test: Test, room: float) -> list[str]:
        """As much of a question as has room; a number that has none in its own line is rounded."""
        assert self._tree is not None
        metrics = ruler(AXIS)
        if metrics.horizontalAdvance(test.text) <= room or not self._has_two_lines(self._tree):
            return [fitted(test, metrics, room)]
        told = [test.values(), *(_shorter(test.value, digits) for digits in DIGITS if test.relation == "<")]
        values = [f"{test.relation} {one}" for one in told]
        value = next((one for one in values if metrics.horizontalAdvance(one) <= room), values[-1])
        name = elided_name(test.feature, metrics, room)
        return [name, metrics.elidedText(one_line(value), Qt.TextElideMode.ElideRight, room)]

    def _places(self, tree: Tree) -> dict[int, QPointF]:
        """Leaves in turn, parents over the middle of their children."""
        left, leaf, depth = tree.nodes["left"].tolist(), tree.is_leaf.tolist(), tree.nodes["depth"].tolist()
        levels = max(tree.depth, 1)
        high = px(TWO_LINES if self._has_two_lines(tree) else BOX)
        step = min(px(ROW), (self.height() - high) / levels)
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
        return {node: QPointF(across[node], high / 2 + 1 + step * depth[node]) for node in range(len(left))}

    def _paint_edges(self, painter: QPainter, tree: Tree, places: dict[int, QPointF]) -> None:
        counts, parents = tree.nodes["count"].astype(float), tree.nodes["parent"].tolist()
        wide = np.maximum(EDGE_MOST * counts / max(counts[0], 1.0), EDGE_LEAST)
        steps = np.rint(wide * EDGE_STEPS).astype(np.int64).tolist()
        lines: dict[int, QPainterPath] = {}  # of one width are painted at once
        for node in range(1, len(steps)):
            begin, end = places[parents[node]], places[node]
            middle = (begin.y() + end.y()) / 2
            line = lines.setdefault(steps[node], QPainterPath())
            line.moveTo(begin)
            line.cubicTo(QPointF(begin.x(), middle), QPointF(end.x(), middle), end)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(theme().color("line2"), EDGE_LEAST)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        for step, line in lines.items():
            pen.setWidthF(step / EDGE_STEPS)
            painter.strokePath(line, pen)

    def _leaf_words(self, weights: list[float], room: float) -> dict[float, str]:
        """The words of each weight, as exact as has room; none where one has no room, for it would be cut."""
        unit, found = self._leaf_unit, dict[float, str]()
        for weight in weights if room >= LEAST_LEAF else ():
            least = 1 if abs(weight) < 10 else 0
            texts = (weight_text(weight, decimals, unit) for decimals in range(2, least - 1, -1))
            fitting = next((text for text in texts if width(text, AXIS) <= room - PADDING), "")
            if not fitting:
                return {}
            found[weight] = fitting
        return found

    @property
    def _leaf_unit(self) -> str:
        return self._unit if self._unit in LEAF_NAMES else ""

    def _rooms(self, places: dict[int, QPointF]) -> dict[int, float]:
        """Pixels from each node to the nearest one of its level, or to the edge."""
        levels: dict[float, list[tuple[float, int]]] = {}
        for node, place in places.items():
            levels.setdefault(place.y(), []).append((place.x(), node))
        rooms, wide, most = dict[int, float](), float(self.width()), px(MOST_BOX)
        for level in map(sorted, levels.values()):
            across = [-wide, *(x for x, _ in level), 2 * wide]
            for (x, node), before, after in zip(level, across, across[2:], strict=False):
                rooms[node] = min(min(x - before, after - x) - 4, 2 * x, 2 * (wide - x), most)
        return rooms

    def _paint_box(
        self, painter: QPainter, place: QPointF, lines: list[str], color: QColor, room: float
    ) -> None:
        wide = min(max(width(line, AXIS) for line in lines) + 2 * PADDING, max(room, LEAST_LEAF))
        high = px(BOX if len(lines) == 1 else TWO_LINES)
        box = QRectF(place.x() - wide / 2, place.y() - high / 2, wide, high)
        painter.drawRoundedRect(box, 3, 3)
        painter.setFont(ui_font(AXIS))
        painter.setPen(color)
        for row, line in enumerate(lines):
            part = QRectF(box.left(), box.top() + row * high / len(lines), wide, high / len(lines))
            painter.drawText(part, Qt.AlignmentFlag.AlignCenter, line)


def _shorter(value: str, digits: int) -> str:
    """A number in so many digits; a day or time as it is."""
    try:
        return figure(float(value.replace("−", "-")), digits)
    except ValueError:
        return value
