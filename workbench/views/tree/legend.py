"""The legend of the tree, at the top left of its canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter

from workbench.views.fonts import AXIS, ui_font
from workbench.views.theme import theme
from workbench.views.tree.camera import Detail

if TYPE_CHECKING:
    from workbench.views.tree.camera import Camera
    from workbench.views.tree.scene import TreeScene

LEFT, TOP, LINE = 16.0, 12.0, 17.0
SWATCH = 12.0
PALEST = 0.84  # of the ground behind the words, where the tree lies under them


def paint_legend(painter: QPainter, scene: TreeScene, camera: Camera) -> None:
    """Say what bars, colours, widths and marks mean."""
    entries = _entries(scene, camera)
    font = ui_font(AXIS)
    metrics = QFontMetricsF(font)
    widest = max(metrics.horizontalAdvance(words) for _, words in entries)
    ground = QRectF(LEFT - 6, TOP - 5, widest + SWATCH + 20, LINE * len(entries) + 8)
    painter.fillRect(ground, theme().color("data", PALEST))
    painter.setFont(font)
    for index, (mark, words) in enumerate(entries):
        middle = TOP + LINE * (index + 0.5)
        _paint_mark(painter, mark, QRectF(LEFT, middle - 3, SWATCH, 6))
        painter.setPen(theme().color("text2"))
        painter.drawText(QPointF(LEFT + SWATCH + 7, middle + metrics.capHeight() / 2), words)


def _entries(scene: TreeScene, camera: Camera) -> list[tuple[str, str]]:
    near, far = camera.detail is Detail.NEAR, camera.detail is Detail.FAR
    entries = [("bar", "gain on training rows")] if near else []
    if far:
        entries.append(("gain", "circle: gain of the split"))
    entries.append(("weight", "square: leaf weight, − to +" if far else "leaf weight w*, − to +"))
    if not far:
        entries.append(("width", "width: share of rows"))
        asked = scene.tree.nodes["feature"][~scene.tree.is_leaf]
        if scene.missing is not None and scene.missing[asked].any():
            entries.append(("?", "missing values go here"))
    return entries


def _paint_mark(painter: QPainter, mark: str, rect: QRectF) -> None:
    if mark == "?":
        painter.setPen(theme().color("text2"))
        painter.drawText(rect.adjusted(0, -6, 0, 6), Qt.AlignmentFlag.AlignCenter, "?")
    elif mark in ("gain", "weight"):
        stops = theme().gain_ramp if mark == "gain" else theme().weight_ramp
        ramp = QLinearGradient(rect.topLeft(), rect.topRight())
        for index, stop in enumerate(stops):
            ramp.setColorAt(index / (len(stops) - 1), stop)
        painter.fillRect(rect, ramp)
    else:
        painter.fillRect(rect, theme().color("train" if mark == "bar" else "line2"))
