"""Text and bars as the plots and the ruler paint them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.errors import one_line
from workbench.views.curves.thinning import column_max
from workbench.views.look.fonts import AXIS, plain_font, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import DARK, LIGHT, theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.views.ruler.round_axis import RoundAxis

HALF_TAG = 24  # half the width of the round tag
STEPS = 64  # colours of the gain ramp that are told apart
DIAMOND = 5.75  # half the width of the mark of the best round
HALO = [QPointF(1.75 * math.cos(turn * math.pi / 4), 1.75 * math.sin(turn * math.pi / 4))
        for turn in range(8)]


def font(pixels: int, bold: bool = False) -> QFont:
    """Return the interface font in the present scale."""
    return ui_font(pixels, bold=bold)


def width(text: str, pixels: int = AXIS, bold: bool = False) -> float:
    """Pixels that `text` takes in the present scale."""
    return _width(text, px(pixels), bold)


@lru_cache(maxsize=2048)
def _width(text: str, pixels: int, bold: bool) -> float:
    return QFontMetricsF(plain_font(pixels, bold=bold)).horizontalAdvance(text)


_one_line = lru_cache(maxsize=2048)(one_line)


@lru_cache
def _metrics(pixels: int, bold: bool) -> tuple[QFontMetricsF, float]:
    """Measures of a font, and half the height of its capitals."""
    metrics = QFontMetricsF(plain_font(pixels, bold=bold))
    return metrics, metrics.capHeight() / 2


def write(
    painter: QPainter, text: str, x: float, y: float, *, pixels: int = AXIS, token: str = "text3",
    bold: bool = False, align: Literal["left", "centre", "right"] = "left", halo: str = "",
    most: float = math.inf,
) -> float:
    """Write one line whose middle is at height `y`, elided to `most` pixels; return its width."""
    text = _one_line(text)
    metrics, rise = _metrics(px(pixels), bold)
    taken = width(text, pixels, bold)
    if taken > most:
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(most, 0))
        taken = metrics.horizontalAdvance(text)
    left = x - {"left": 0.0, "centre": taken / 2, "right": taken}[align]
    base = QPointF(left, y + rise)
    painter.setFont(font(pixels, bold))
    if halo:  # written around itself: the stroke of an outline takes twenty times as long
        painter.setPen(theme().color(halo))
        for aside in HALO:
            painter.drawText(base + aside, text)
    painter.setPen(theme().color(token))
    painter.drawText(base, text)
    return taken


def paint_diamond(painter: QPainter, x: float, y: float, token: str = "validation") -> None:
    """Paint the mark of the best round."""
    corners = [QPointF(x + DIAMOND * i, y + DIAMOND * j) for i, j in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    painter.setPen(QPen(theme().color("data"), 1.5))
    painter.setBrush(theme().color(token))
    painter.drawPolygon(QPolygonF(corners))


def paint_bars(
    painter: QPainter, axis: RoundAxis, gains: NDArray[np.float64], base: float,
    height: Callable[[NDArray[np.float64]], NDArray[np.float64]], pale_after: float = math.inf,
) -> None:
    """Paint a bar a round, the largest of each pixel where rounds are narrower; `height` is in pixels.

    What is unknown has no bar.
    """
    if not len(gains):
        return
    gains = np.nan_to_num(gains)
    stretch = max(1, math.ceil(1 / axis.slot))
    first = max(0, int(axis.low - 0.5)) // stretch * stretch
    values = column_max(gains[first : int(axis.high) + 1], stretch)
    gap = 1 if axis.slot * stretch >= 3 else 0
    edges = axis.left + (first + 0.5 + stretch * np.arange(len(values) + 1) - axis.low) * axis.slot
    edges = np.rint(np.clip(edges, axis.left, axis.right)).astype(int)
    tops = np.rint(base - height(values)).astype(int)
    steps = (values / max(float(gains.max()), 1e-300) * (STEPS - 1)).clip(0, STEPS - 1).astype(int)
    colors, pale, floor = _gain_colors(theme().name), theme().color("line2"), round(base)
    grown = first + stretch * np.arange(len(values)) < pale_after
    sides = edges[:-1].tolist(), edges[1:].tolist()
    bars = zip(*sides, tops.tolist(), steps.tolist(), grown.tolist(), strict=True)
    for left, right, top, step, before in bars:
        if right > left and top < floor:
            wide = max(1, right - left - gap)
            painter.fillRect(QRect(left, top, wide, floor - top), colors[step] if before else pale)


@lru_cache(maxsize=2)
def _gain_colors(name: str) -> list[QColor]:
    ramp = DARK if name == "dark" else LIGHT
    return [ramp.gain_mark(step / (STEPS - 1)) for step in range(STEPS)]


def paint_tag(painter: QPainter, x: float, y: float, text: str) -> None:
    """Paint the inverted round tag, 48 × 18, whose top middle is at (x, y)."""
    box = QRectF(round(x) - HALF_TAG, y, 2 * HALF_TAG, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("text1"))
    painter.drawRoundedRect(box, 3, 3)
    write(painter, text, box.center().x(), box.center().y(), token="data", bold=True, align="centre")
