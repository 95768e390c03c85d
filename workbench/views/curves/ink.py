"""Text and bars as the plots and the ruler paint them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGlyphRun, QPainter, QPen, QPolygonF, QTextLayout

from workbench.errors import one_line
from workbench.views.curves.thinning import column_max
from workbench.views.elision import elided_name
from workbench.views.look.fonts import AXIS, plain_font, ui_font
from workbench.views.look.scale import px
from workbench.views.look.text_width import plain_ruler, ruler
from workbench.views.look.theme import DARK, LIGHT, theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.views.ruler.round_axis import RoundAxis

BEFORE = {"left": 0.0, "centre": 0.5, "right": 1.0}  # share of a line that is before its place
ON_SCREEN = (1, 2, 3)  # a widget, a pixmap, an image
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
    return ruler(pixels, bold=bold).horizontalAdvance(text)


@dataclass(slots=True)
class _Line:
    """A text in a font: pixels that it takes, how far its middle is above its foot and below its top.

    From the second time on it is drawn as it was laid out, in half the time.
    """

    text: str
    taken: float
    rise: float
    fall: float
    is_new: bool = True
    laid_out: list[QGlyphRun] | None = None


@lru_cache(maxsize=4096)
def _line(text: str, pixels: int, bold: bool) -> _Line:
    text = one_line(text)
    ascent, rise = _measures(pixels, bold)
    return _Line(text, plain_ruler(pixels, bold=bold).horizontalAdvance(text), rise, ascent - rise)


@lru_cache
def _measures(pixels: int, bold: bool) -> tuple[float, float]:
    """The ascent of a font, and half the height of its capitals."""
    metrics = QFontMetricsF(plain_font(pixels, bold=bold))
    return metrics.ascent(), metrics.capHeight() / 2


@lru_cache(maxsize=64)
def _pen(color: str) -> QPen:
    return QPen(QColor(color))


def write(
    painter: QPainter, text: str, x: float, y: float, *, pixels: int = AXIS, token: str = "text3",
    bold: bool = False, align: Literal["left", "centre", "right"] = "left", halo: str = "",
    most: float = math.inf, is_name: bool = False,
) -> float:
    """Write one line whose middle is at height `y`, elided to `most` pixels; return its width.

    What `is_name` keeps its end where there is room for both: see `elided_name`.
    `token` is a colour's, or such a colour as "#000000".
    """
    pixels = px(pixels)
    line = _line(text, pixels, bold)
    if line.taken > most:
        measure, room = plain_ruler(pixels, bold=bold), max(most, 0)
        cut = elided_name(line.text, measure, room) if is_name else (
            measure.elidedText(line.text, Qt.TextElideMode.ElideRight, room))
        line = _line(cut, pixels, bold)
    left = x - line.taken * BEFORE[align]
    painter.setFont(plain_font(pixels, bold=bold))
    if halo:  # written around itself: the stroke of an outline takes twenty times as long
        painter.setPen(_pen(theme().tokens[halo]))
        for aside in HALO:
            _draw(painter, line, left + aside.x(), y + aside.y())
    painter.setPen(_pen(theme().tokens.get(token, token)))
    _draw(painter, line, left, y)
    return line.taken


def _draw(painter: QPainter, line: _Line, left: float, y: float) -> None:
    if line.is_new or painter.device().devType() not in ON_SCREEN:
        painter.drawText(QPointF(left, y + line.rise), line.text)
        line.is_new = False
        return
    if line.laid_out is None:
        line.laid_out = _laid_out(line.text, painter.font())
    for run in line.laid_out:
        painter.drawGlyphRun(QPointF(left, y - line.fall), run)


def _laid_out(text: str, font: QFont) -> list[QGlyphRun]:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return layout.glyphRuns()


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
    colors, pale, floor = gain_colors(theme().name), theme().color("line2"), round(base)
    grown = first + stretch * np.arange(len(values)) < pale_after
    sides = edges[:-1].tolist(), edges[1:].tolist()
    bars = zip(*sides, tops.tolist(), steps.tolist(), grown.tolist(), strict=True)
    for left, right, top, step, before in bars:
        if right > left and top < floor:
            wide = max(1, right - left - gap)
            painter.fillRect(QRect(left, top, wide, floor - top), colors[step] if before else pale)


@lru_cache(maxsize=2)
def gain_colors(name: str) -> list[QColor]:
    """Colours of gains in small marks by their share of the largest, in the theme of that name."""
    ramp = DARK if name == "dark" else LIGHT
    return [QColor.fromRgb(color) for color in ramp.gain_marks(np.arange(STEPS) / (STEPS - 1)).tolist()]


def paint_tag(painter: QPainter, x: float, y: float, text: str) -> None:
    """Paint the inverted round tag, 48 × 18, whose top middle is at (x, y)."""
    box = QRectF(round(x) - HALF_TAG, y, 2 * HALF_TAG, 18)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("text1"))
    painter.drawRoundedRect(box, 3, 3)
    write(painter, text, box.center().x(), box.center().y(), token="data", bold=True, align="centre")
