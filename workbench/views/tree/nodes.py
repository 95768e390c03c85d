"""The boxes of a tree's nodes at the middle and the near level of detail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from workbench.views.fonts import NOTE, ui_font
from workbench.views.theme import text_on, theme
from workbench.views.tree.camera import Camera, Detail
from workbench.views.tree.scene import gain_text, share_text, weight_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.node_figures import Test
    from workbench.views.tree.scene import TreeScene

RADIUS = 5.0
LEAF_TEXT = 84.0  # pixels that a weight and a share take beside each other
FEATURE_PART = 0.6  # of a box, at most, where labels are long too
LIGHT_GROUND = 0.45  # of the weight ramp's half: paler leaves get an outline


class NodePainter:
    """Paints single nodes of a scene."""

    def __init__(self, painter: QPainter, scene: TreeScene, camera: Camera) -> None:
        self._painter, self._scene, self._camera = painter, scene, camera
        self._s = camera.scale
        self._near = camera.detail is Detail.NEAR

    def paint(self, node: int) -> None:
        """Paint a split or a leaf."""
        rect = self._scene.rect(node, self._camera)
        if self._scene.tree.is_leaf[node]:
            self._leaf(node, rect)
        else:
            self._split(node, rect)

    def mark(self, node: int, *, halo: bool) -> None:
        """Outline the selected node, or the one under the cursor without a halo."""
        rect = self._scene.rect(node, self._camera)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if halo:
            self._painter.setPen(QPen(theme().color("accent", 0.28), 3))
            self._painter.drawRoundedRect(rect.adjusted(-2.5, -2.5, 2.5, 2.5), RADIUS + 2, RADIUS + 2)
        self._painter.setPen(QPen(theme().color("accent"), 2 if halo else 1))
        self._painter.drawRoundedRect(rect, RADIUS, RADIUS)

    def _split(self, node: int, rect: QRectF) -> None:
        self._box(rect, theme().color("raised"), theme().color("line2"))
        test, s = self._scene.test(node), self._s
        if not self._near:
            font = ui_font(round(NOTE * s), bold=True)
            text = fitted(test, QFontMetricsF(font), rect.width() - 10 * s)
            self._write(rect, text, font, theme().color("text1"))
            return
        inner = rect.adjusted(10 * s, 5 * s, -10 * s, -6 * s)
        font = ui_font(round(12.5 * s), bold=True)
        head = QRectF(inner.left(), inner.top(), inner.width(), 18 * s)
        self._write(head, fitted(test, QFontMetricsF(font), inner.width()), font, theme().color("text1"),
                    Qt.AlignmentFlag.AlignLeft)
        self._gain(node, QRectF(inner.left(), head.bottom() + 2 * s, inner.width(), 18 * s))

    def _gain(self, node: int, rect: QRectF) -> None:
        gains, font = self._scene.tree.nodes["gain"], ui_font(round(NOTE * self._s))
        self._write(rect, gain_text(gains[node]), font, theme().color("text2"), Qt.AlignmentFlag.AlignLeft)
        widest = QFontMetricsF(font).horizontalAdvance(gain_text(self._scene.largest_gain)) + 10 * self._s
        height = 5 * self._s
        track = QRectF(rect.left() + widest, rect.center().y() - height / 2, rect.width() - widest, height)
        self._painter.fillRect(track, theme().color("line"))
        share = self._scene.gain_share(node)
        track.setWidth(max(track.width() * share, 1.0))
        self._painter.fillRect(track, theme().color("train"))

    def _leaf(self, node: int, rect: QRectF) -> None:
        weight = float(self._scene.tree.nodes["weight"][node])
        share = self._scene.weight_share(node)
        ground = theme().weight(share)
        self._box(rect, ground, theme().color("line2") if abs(share) < LIGHT_GROUND else ground)
        ink, s = text_on(ground), self._s
        if not self._near:
            font = ui_font(round(NOTE * s), bold=True)
            self._write(rect, _fitted_weight(weight, QFontMetricsF(font), rect.width() - 4), font, ink)
            return
        side = min(max((rect.width() - LEAF_TEXT * s) / 2, 4 * s), 9 * s)
        inner = rect.adjusted(side, 6 * s, -side, -6 * s)
        upper = QRectF(inner.left(), inner.top(), inner.width(), 19 * s)
        big, small = ui_font(round(14 * s), bold=True), ui_font(round(NOTE * s))
        text = _fitted_weight(weight, QFontMetricsF(big), inner.width())
        self._write(upper, text, big, ink, Qt.AlignmentFlag.AlignLeft)
        room = inner.width() - QFontMetricsF(big).horizontalAdvance(text) - 4 * s
        portion = _fitting((share_text(self._scene.share(node)),), QFontMetricsF(small), room)
        self._write(upper, portion, small, ink, Qt.AlignmentFlag.AlignRight)
        lower = QRectF(inner.left(), upper.bottom() + s, inner.width(), 17 * s)
        rows = self._scene.rows(node)
        said = _fitting((rows, rows.partition(" ")[0]), QFontMetricsF(small), inner.width())
        self._write(lower, said, small, ink, Qt.AlignmentFlag.AlignLeft)

    def _box(self, rect: QRectF, ground: QColor, outline: QColor) -> None:
        self._painter.setPen(QPen(outline, 1))
        self._painter.setBrush(ground)
        self._painter.drawRoundedRect(rect, RADIUS, RADIUS)

    def _write(
        self, rect: QRectF, text: str, font: QFont, color: QColor,
        side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        self._painter.setFont(font)
        self._painter.setPen(color)
        self._painter.drawText(rect, int(side | Qt.AlignmentFlag.AlignVCenter), text)


def fitted(test: Test, metrics: QFontMetricsF, room: float) -> str:
    """The question in `room` pixels: names and labels lose letters, never a threshold."""
    if metrics.horizontalAdvance(test.text) <= room:
        return test.text
    right, tail = Qt.TextElideMode.ElideRight, f" {test.relation} {test.value}"
    if test.relation == "<":
        name = metrics.elidedText(test.feature, right, max(room - metrics.horizontalAdvance(tail), 0.0))
        return name + tail if len(name) > 1 else tail.strip()
    name = metrics.elidedText(test.feature, right, room * FEATURE_PART)
    return metrics.elidedText(name + tail, right, room)


def _fitted_weight(weight: float, metrics: QFontMetricsF, room: float) -> str:
    """The weight with as many of three decimals as there is room for; nothing where there is none."""
    return _fitting([weight_text(weight, decimals) for decimals in (3, 2, 1, 0)], metrics, room)


def _fitting(texts: Sequence[str], metrics: QFontMetricsF, room: float) -> str:
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), "")

