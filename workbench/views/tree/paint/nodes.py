"""The boxes of a tree's nodes at the middle and the near level of detail."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from workbench.explain.node_text import LEAF_NAMES, leaf_words, weight_text
from workbench.views.look.fonts import AXIS, NOTE
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.theme import text_on, theme
from workbench.views.tree.camera import Camera, Detail
from workbench.views.tree.colouring import qcolor
from workbench.views.tree.paint.fitted_question import fitted
from workbench.views.tree.paint.lettering import LEFT, RIGHT, Lettering, font

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from workbench.explain.node_figures import Test
    from workbench.views.tree.looks import Bar, NodeLook
    from workbench.views.tree.scene import TreeScene

RADIUS = 5.0
BAND = 5.0
LEAF_TEXT = 84.0  # pixels that a weight and a share take beside each other
BADGE = 18


class NodePainter:
    """Paints nodes of a scene as their looks say: the boxes one by one, then all words, font by font."""

    def __init__(
        self, painter: QPainter, scene: TreeScene, camera: Camera, lettering: Lettering
    ) -> None:
        self._painter, self._scene, self._camera = painter, scene, camera
        self._lettering = lettering
        self._s = camera.scale
        self._near = camera.detail is Detail.NEAR
        self._colors: dict[str, QColor] = {}
        self._hairline, self._raised = theme().color("line2"), QBrush(theme().color("raised"))

    def paint(self, nodes: NDArray[np.int64]) -> None:
        """Paint splits and leaves."""
        numbers = nodes.tolist()
        badges = []
        for node, look, rect in zip(
            numbers, self._scene.looks_of(numbers), self._scene.places.rects(nodes, self._camera), strict=True
        ):
            if look.is_ghost:
                self._ghost(look, rect)
            elif look.test is None:
                self._leaf(look, rect)
            else:
                self._split(look, look.test, rect, self._band(look, node))
            if look.ring:
                self._outline(rect.adjusted(-2, -2, 2, 2), QPen(self._color(look.ring), 2))
            if look.warns:
                badges.append(rect)
            if look.hidden:
                self._tag(node)
        self._lettering.write(self._painter)
        for rect in badges:
            self._badge(rect)

    def mark(self, node: int, *, halo: bool) -> None:
        """Outline the selected node, or the one under the cursor without a halo."""
        rect = self._scene.places.rect(node, self._camera)
        if halo:
            self._outline(rect.adjusted(-2.5, -2.5, 2.5, 2.5), QPen(theme().color("accent", 0.28), 3))
        self._outline(rect, QPen(theme().color("accent"), 2 if halo else 1))
        if self._camera.detail is not Detail.FAR and not self._scene.places.leaf_boxes[node]:
            self._tag(node)
            self._lettering.write(self._painter)

    def match(self, node: int) -> None:
        """Mark what was searched for: a dotted outline outside the box."""
        rect = self._scene.places.rect(node, self._camera).adjusted(-4, -4, 4, 4)
        self._outline(rect, QPen(theme().color("accent"), 2, Qt.PenStyle.DotLine))

    def _band(self, look: NodeLook, node: int) -> QColor | None:
        """The colour at the left edge; seen from afar that of its mark."""
        if look.band is None and self._camera.detail is Detail.FAR:
            return qcolor(int(self._scene.far_look.colors[node]))
        return look.band

    def _split(self, look: NodeLook, test: Test, rect: QRectF, color: QColor | None) -> None:
        self._box(rect, look)
        s = self._s
        if color is not None:
            self._painter.fillRect(QRectF(rect.left(), rect.top() + 3, BAND * s, rect.height() - 6), color)
        ink = self._color("text1")
        if not self._near:
            size = round(NOTE * s)
            text = _fitted_question(test, size, round(rect.width() - 10 * s))
            place = rect.adjusted(BAND * s, 0, 0, 0) if color is not None else rect
            self._lettering.add(place, text, size, ink, bold=True)
            return
        inner = rect.adjusted(10 * s, 5 * s, -10 * s, -6 * s)
        size = round(12.5 * s)
        head = QRectF(inner.left(), inner.top(), inner.width(), 18 * s)
        question = _fitted_question(test, size, int(inner.width()))
        self._lettering.add(head, question, size, ink, LEFT, bold=True)
        self._figures(look, QRectF(inner.left(), head.bottom() + 2 * s, inner.width(), 18 * s))

    def _figures(self, look: NodeLook, rect: QRectF) -> None:
        """The gain with its bars beside it; where the colours stand for another number, that number."""
        size = round(NOTE * self._s)
        self._lettering.add(rect, look.figure, size, self._color("text2"), LEFT)
        metrics = _metrics(size, False)
        if look.notes:
            room = rect.width() - metrics.horizontalAdvance(look.figure) - 8
            self._lettering.add(rect, _fitting(look.notes, metrics, room), size, self._color("text2"), RIGHT)
            return
        left = rect.left() + metrics.horizontalAdvance(look.widest_figure) + 10 * self._s
        height, gap = 5 * self._s, 2 * self._s
        top = rect.center().y() - (len(look.bars) * (height + gap) - gap) / 2
        for bar in look.bars:
            self._bar(bar, QRectF(left, top, rect.right() - left, height))
            top += height + gap

    def _bar(self, bar: Bar, track: QRectF) -> None:
        color = self._color(bar.token)
        if not bar.dashed:
            self._painter.fillRect(track, self._color("line"))
            self._painter.fillRect(_part(track, bar.share), color)
            return
        self._painter.setPen(QPen(color, 1, Qt.PenStyle.DotLine))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRect(_part(track, bar.share))

    def _leaf(self, look: NodeLook, rect: QRectF) -> None:
        self._box(rect, look)
        ink, s = text_on(look.ground) if look.ground is not None else self._color("text1"), self._s
        small = round(NOTE * s)
        if not self._near:
            text = fitted_weight(look.weight, small, int(rect.width() - 4), look.unit)
            self._lettering.add(rect, text, small, ink, bold=True)
            return
        side = min(max((rect.width() - LEAF_TEXT * s) / 2, 4 * s), 9 * s)
        inner = rect.adjusted(side, 6 * s, -side, -6 * s)
        upper = QRectF(inner.left(), inner.top(), inner.width(), 19 * s)
        big, metrics = round(14 * s), _metrics(small, False)
        text = fitted_weight(look.weight, big, int(inner.width()), look.unit)
        self._lettering.add(upper, text, big, ink, LEFT, bold=True)
        room = inner.width() - _metrics(big, True).horizontalAdvance(text) - 4 * s
        self._lettering.add(upper, _fitting((look.share,), metrics, room), small, ink, RIGHT)
        lower = QRectF(inner.left(), upper.bottom() + s, inner.width(), 17 * s)
        self._lettering.add(lower, _fitting(look.notes, metrics, inner.width()), small, ink, LEFT)

    def _ghost(self, look: NodeLook, rect: QRectF) -> None:
        self._outline(rect, QPen(self._color("ctl"), 1, Qt.PenStyle.DashLine))
        size = round(NOTE * self._s)
        inner, ink = rect.adjusted(4, 5 * self._s, -4, -5 * self._s), self._color("text3")
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() / (2 if self._near else 1))
        self._lettering.add(upper, self._ghost_words(look, size, int(inner.width())), size, ink, LEFT)
        if self._near:
            said = _fitting(look.notes, _metrics(size, False), inner.width())
            self._lettering.add(upper.translated(0.0, upper.height()), said, size, ink, LEFT)

    def _ghost_words(self, look: NodeLook, size: int, room: int) -> str:
        if look.test is not None:
            return _fitted_question(look.test, size, room)
        whole = f"{leaf_words(look.unit, short=True)} {weight_text(look.weight, unit=look.unit)}"
        fitting = _fitting((whole,), _metrics(size, False), room)
        return fitting or fitted_weight(look.weight, size, room, look.unit)

    def _badge(self, rect: QRectF) -> None:
        """The ⚠ at the top right corner."""
        side = BADGE * (1.0 if self._near else 0.75)
        place = QRectF(rect.right() - side / 2, rect.top() - side / 2, side, side)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._color("warning_ground"))
        self._painter.drawEllipse(place)
        picture = icon_pixmap("warning", "warning", BADGE)
        self._painter.drawPixmap(place.adjusted(2, 1, -2, -3), picture, QRectF(picture.rect()))

    def _tag(self, node: int) -> None:
        """What is folded below a split, or that it can be."""
        tag, words = fold_tag(self._scene, self._camera, node)
        self._painter.setPen(QPen(self._color("ctl"), 1))
        self._painter.setBrush(self._color("panel"))
        self._painter.drawRoundedRect(tag, 4, 4)
        self._lettering.add(tag, words, round(AXIS * self._s), self._color("text2"))

    def _box(self, rect: QRectF, look: NodeLook) -> None:
        """A box over a slightly larger one of the outline: Qt takes far longer for a pen around corners."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        outline = self._hairline if look.outline is None else look.outline
        ground = self._raised if look.ground is None else look.ground
        for brush, out in ((outline, 0.5), (ground, -0.5)):
            self._painter.setBrush(brush)
            self._painter.drawRoundedRect(rect.adjusted(-out, -out, out, out), RADIUS + out, RADIUS + out)

    def _outline(self, rect: QRectF, pen: QPen) -> None:
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(pen)
        self._painter.drawRoundedRect(rect, RADIUS, RADIUS)

    def _color(self, token: str) -> QColor:
        if token not in self._colors:
            self._colors[token] = theme().color(token)
        return self._colors[token]


def fold_tag(scene: TreeScene, camera: Camera, node: int) -> tuple[QRectF, str]:
    """Where the tag of a split stands that folds and unfolds what is below, and what it says."""
    words = scene.facts.hidden_words(node) or "−"
    box, scale = scene.places.rect(node, camera), camera.scale
    width = max(_metrics(round(AXIS * scale), False).horizontalAdvance(words) + 10, 24.0)
    height = 15 * scale
    if scene.arrangement.is_sideways:
        return QRectF(box.right() - 4, box.center().y() - height / 2, width, height), words
    return QRectF(box.center().x() - width / 2, box.bottom() - 4, width, height), words


@lru_cache(maxsize=64)
def _metrics(pixels: int, bold: bool) -> QFontMetricsF:
    return QFontMetricsF(font(pixels, bold))


def _part(track: QRectF, share: float) -> QRectF:
    width = max(track.width() * min(max(share, 0.0), 1.0), 1.0)
    return QRectF(track.left(), track.top(), width, track.height())


@lru_cache(maxsize=4096)
def _fitted_question(test: Test, pixels: int, room: int) -> str:
    """As `fitted`, in bold letters of so many pixels; kept, for each frame asks for the same again."""
    return fitted(test, _metrics(pixels, True), room)


@lru_cache(maxsize=4096)
def fitted_weight(weight: float, pixels: int, room: int, unit: str = "") -> str:
    """The weight with its unit and as many of three decimals as have room; nothing where there is none."""
    units = (unit, "") if unit and unit not in LEAF_NAMES else (unit,)
    texts = [weight_text(weight, decimals, each) for each in units for decimals in (3, 2, 1, 0)]
    return _fitting(texts, _metrics(pixels, True), room)


def _fitting(texts: Sequence[str], metrics: QFontMetricsF, room: float) -> str:
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), "")
