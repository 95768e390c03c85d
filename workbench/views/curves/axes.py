"""What lies under the lines: grid, ticks, base line, and bars."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter, QPen

from workbench.number_text import count
from workbench.views.curves.ink import HALF_TAG, paint_bars, width, write
from workbench.views.look.fonts import AXIS
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.views.curves.pane import Pane
    from workbench.views.ruler.round_axis import RoundAxis

TICK_GAP = 8  # between axis text and plot


def paint_axes(painter: QPainter, panes: list[Pane], axis: RoundAxis) -> None:
    """Paint the upright axes of all plots, and what stands over their base lines."""
    for pane in panes:
        _paint_levels(painter, pane)
        if pane.content.bars is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            paint_bars(painter, axis, pane.content.bars, pane.rect.bottom(), partial(_tall, pane))
        _paint_places(painter, pane, axis)


def _paint_levels(painter: QPainter, pane: Pane) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    rect, written = pane.rect, list[float]()
    ticks = zip(pane.span.ticks, pane.span.texts, strict=True)
    for tick, text in sorted(ticks, key=lambda pair: pair[0] != 0):  # where room is short, 0 goes first
        y = pane.tick_pixel(tick)
        if not rect.top() - 1 <= y <= rect.bottom() + 1:
            continue
        painter.setPen(QPen(theme().color("ctl" if pane.content.zero and tick == 0 else "grid"), 1))
        painter.drawLine(_level(rect.left(), rect.right(), y))
        if all(abs(y - other) >= px(AXIS) for other in written):
            write(painter, text, rect.left() - TICK_GAP, y, align="right")
            written.append(y)
    painter.setPen(QPen(theme().color("line2"), 1))
    painter.drawLine(_level(rect.left(), rect.right(), rect.bottom()))


def _paint_places(painter: QPainter, pane: Pane, axis: RoundAxis) -> None:
    """Write the words over the base line of a plot, as many as have room."""
    end = axis.left
    for place, text in pane.content.places:
        x = axis.x(place)
        half = width(text) / 2
        if x - half > end and x + half < axis.right:
            painter.setPen(QPen(theme().color("line2"), 1))
            painter.drawLine(QLineF(x, pane.rect.bottom() - 4, x, pane.rect.bottom()))
            write(painter, text, x, pane.rect.bottom() - 10, align="centre", halo="data")
            end = x + half + TICK_GAP


def paint_rounds(painter: QPainter, pane: Pane, axis: RoundAxis, tag: int) -> None:
    """Write the rounds below a plot, save those under the tag of round `tag`; 0 for no tag."""
    under = axis.x(tag) if tag else -math.inf
    for tick in axis.ticks():
        half = width(count(tick)) / 2
        if abs(axis.x(tick) - under) > half + HALF_TAG + 2:
            x = min(axis.x(tick), axis.right + 8 - half)
            write(painter, count(tick), x, pane.rect.bottom() + 12, align="centre")


def _tall(pane: Pane, gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Heights of bars in pixels; a gain above 0 is at least a pixel."""
    share = gains / (pane.span.high or 1.0)
    return np.where(gains > 0, np.maximum(share * pane.rect.height(), 1.0), 0.0)


def _level(left: float, right: float, y: float) -> QLineF:
    return QLineF(QPointF(left, round(y)), QPointF(right, round(y)))
