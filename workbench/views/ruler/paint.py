"""The painted parts of the round ruler."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from workbench.number_text import count
from workbench.views.curves.ink import paint_bars, paint_diamond, width, write
from workbench.views.look.fonts import AXIS, BODY, NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.ruler.round_axis import RIGHT, RoundAxis

if TYPE_CHECKING:
    from numpy.typing import NDArray

BASE, TICKS_Y, MARKS_Y = 37, 47, 9
LOWEST, RISE = 3, 17  # height of a bar is LOWEST + RISE·√(gain/max): below the words of the marks
LONG = re.compile(r"^.*(, | (?=in ))| planned$")  # what words lose that have no room
TICK_SPACING = 150
NODE = 3  # half the width of the mark of a branch
LEAST_BOX = 4  # pixels of a bar that is outlined
INDENT = 14  # from the last round to the words
MARGIN = 12  # from the words to the edge, as that of the button above them


def room() -> float:
    """Pixels of the words."""
    return px(RIGHT) - INDENT - MARGIN


@dataclass(frozen=True)
class RulerMarks:
    """What the ruler shows besides the bars."""

    newest: int
    shown: int
    best: int
    changes: tuple[tuple[int, str], ...]
    words: tuple[str, str]
    branches: tuple[int, ...] = ()  # rounds after which runs leave
    kept: NDArray[np.float64] | None = None  # gain that is left of each round under other values


def paint_ruler(painter: QPainter, axis: RoundAxis, gains: NDArray[np.float64], marks: RulerMarks) -> None:
    """Paint bars, ticks, marks, playhead and words; where the gain of a round is unknown, the lowest bar."""
    gains = np.nan_to_num(gains)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _paint_base(painter, axis, marks.newest)
    largest = float(gains.max()) if len(gains) else 1.0
    solid = gains if marks.kept is None else marks.kept
    paint_bars(painter, axis, solid, BASE, lambda some: _tall(some, largest), pale_after=marks.shown)
    if marks.kept is not None:
        _paint_hollow(painter, axis, _tall(gains, largest))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_branches(painter, axis, marks.branches)
    _paint_ticks(painter, axis, axis.x(marks.shown) if marks.shown else -math.inf)
    if marks.shown:
        _paint_playhead(painter, axis.x(marks.shown))
    _paint_marks(painter, axis, marks)  # over the playhead, so that the words stay legible
    x, wide = axis.right + INDENT, room()
    first, second = marks.words[0], shortened(marks.words[1], wide)
    pixels = BODY if width(first, BODY, True) <= wide else NOTE
    write(painter, first, x, 19, pixels=pixels, token="text1", bold=True, most=wide)
    write(painter, second, x, 37, pixels=NOTE if width(second, NOTE) <= wide else AXIS, most=wide)


def shortened(words: str, room: float) -> str:
    """Of "439 rounds/s, 2 min left" the time, where not all has room even in small letters.

    Of "500 rounds in 1 min 20 s" too, and of "10,000 rounds planned" the rounds.
    """
    if width(words, AXIS) <= room:
        return words
    return LONG.sub("", words)


def _tall(gains: NDArray[np.float64], largest: float) -> NDArray[np.float64]:
    return LOWEST + RISE * np.sqrt(np.clip(gains / (largest or 1.0), 0.0, 1.0))


def _paint_hollow(painter: QPainter, axis: RoundAxis, heights: NDArray[np.float64]) -> None:
    """Outline the bars as they are stored; where rounds are narrow, their tops alone."""
    painter.setPen(QPen(theme().color("ctl"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edges = np.rint(axis.x(0.5) + np.arange(len(heights) + 1) * axis.slot)
    tops = np.rint(BASE - heights)
    if axis.slot >= LEAST_BOX:
        for left, right, top in zip(edges[:-1].tolist(), edges[1:].tolist(), tops.tolist(), strict=True):
            painter.drawRect(QRectF(left, top, right - left - 2, BASE - top - 1))
        return
    points = zip(edges.tolist(), tops.tolist(), strict=False)
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


def _paint_base(painter: QPainter, axis: RoundAxis, newest: int) -> None:
    """Paint the dotted line of the rounds to come."""
    start = axis.x(newest + 0.5)
    painter.setPen(QPen(theme().color("line2"), 1, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(start, BASE - 1), QPointF(axis.right, BASE - 1))


def _paint_branches(painter: QPainter, axis: RoundAxis, branches: tuple[int, ...]) -> None:
    """Paint a node on the base line where runs leave; one a few pixels."""
    last = -math.inf
    for number in sorted(branches):
        x = axis.x(number + 0.5)
        if not axis.low <= number <= axis.high or x - last < 2 * NODE:
            continue
        last = x
        painter.setPen(QPen(theme().color("text2"), 1.5))
        painter.setBrush(theme().color("panel"))
        painter.drawEllipse(QPointF(x, BASE), NODE, NODE)


def _paint_ticks(painter: QPainter, axis: RoundAxis, handle: float) -> None:
    """Write the rounds, save the one under the handle of the playhead."""
    for tick in axis.ticks(TICK_SPACING):
        half = width(count(tick)) / 2
        if abs(axis.x(tick) - handle) > half + 8:
            write(painter, count(tick), min(axis.x(tick), axis.right + 8 - half), TICKS_Y, align="centre")


def _paint_marks(painter: QPainter, axis: RoundAxis, marks: RulerMarks) -> None:
    """Paint the best round, then the newest changes first; a text that has no room stays away."""
    places = [axis.x(number) for number in (marks.best, *(change[0] for change in marks.changes)) if number]
    taken = [(x - 6.0, x + 6.0) for x in places]
    head = axis.x(marks.shown) if marks.shown else -math.inf
    if marks.best:
        x = axis.x(marks.best)
        _paint_words(painter, axis, x, f"best {count(marks.best)}", "validation", taken, head)
        paint_diamond(painter, x, MARKS_Y)
    for number, text in reversed(marks.changes):
        x = axis.x(number)
        painter.setPen(QPen(theme().color("accent"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, MARKS_Y + 6), QPointF(x, BASE))
        _paint_words(painter, axis, x, text, "accent", taken, head)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("accent"))
        y = MARKS_Y - 2
        painter.drawPolygon(QPolygonF([QPointF(x - 4, y), QPointF(x + 4, y), QPointF(x, y + 6)]))


def _paint_words(
    painter: QPainter, axis: RoundAxis, x: float, text: str, token: str, taken: list[tuple[float, float]],
    head: float,
) -> None:
    """Write beside a mark, at its right or else at its left, unless something stands there.

    On the line of the playhead only where there is room at neither side of it.
    """
    wide = width(text, AXIS, True)
    starts = [start for start in (x + 8, x - 8 - wide)
              if start >= axis.left - 4 and start + wide <= axis.right + INDENT - 4
              and all(start + wide <= low or start >= high for low, high in taken)]
    if starts:
        start = next((start for start in starts if not start - 4 < head < start + wide + 4), starts[0])
        write(painter, text, start, MARKS_Y, token=token, bold=True, halo="panel")
        taken.append((start - 4, start + wide + 4))


def _paint_playhead(painter: QPainter, x: float) -> None:
    painter.setPen(QPen(theme().color("text1"), 1.5))
    painter.drawLine(QPointF(x, 2), QPointF(x, 44))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("text1"))
    corners = [QPointF(x - 5, 42), QPointF(x + 5, 42), QPointF(x + 5, 47), QPointF(x, 52), QPointF(x - 5, 47)]
    painter.drawPolygon(QPolygonF(corners))


def paint_focus(painter: QPainter, axis: RoundAxis) -> None:
    """Paint the ring that says the keyboard is here."""
    painter.setPen(QPen(theme().color("accent"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(axis.left - 5, 1, axis.right - axis.left + 10, 54), 3, 3)
