"""Curves over one number with marked places: a loss and its parabola, a leaf's objective."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from workbench.number_text import figure
from workbench.round_numbers import ticks
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px, scale
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

HEIGHT, LEAST_WIDTH = 200, 260
DOT = 4.5
HEADROOM, FOOTROOM, ROWS = 0.14, 0.1, 5
LINE = 14  # pixels between names of curves
CLEAR = 8  # pixels between the words of two marks, at least


class Curve(NamedTuple):
    """A line: its name, colour and whether it is dashed."""

    name: str
    y: NDArray[np.float64]
    token: str
    dashed: bool = False
    wide: float = 2.0


class Mark(NamedTuple):
    """A dot with a drop line and words; a hollow one is what the model has stored."""

    x: float
    y: float
    words: str
    token: str = "accent"
    hollow: bool = False


class CurvePlot(SmallPlot):
    """Curves on common axes; their names stand at the top right."""

    def __init__(self, name: str, across: str) -> None:
        super().__init__(HEIGHT)
        self.setMinimumWidth(px(LEAST_WIDTH))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._x = np.array([0.0, 1.0])
        self.curves: tuple[Curve, ...] = ()
        self.marks: tuple[Mark, ...] = ()
        self._across = across
        self._taken: list[QRectF] = []
        self._words: list[QRectF] = []
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(420, self.height())

    def show_curves(
        self, x: NDArray[np.float64], curves: Sequence[Curve], marks: Sequence[Mark], *, zero: bool = False
    ) -> None:
        """Show other curves; with `zero` the vertical axis reaches it."""
        self._x, self.curves, self.marks = x, tuple(curves), tuple(marks)
        self.set_x(float(x[0]), float(x[-1]))
        heights = [curve.y[np.isfinite(curve.y)] for curve in curves]
        every = np.concatenate([*heights, [mark.y for mark in marks if math.isfinite(mark.y)]])
        if not len(every):
            every = np.array([0.0, 1.0])
        low, high = float(every.min()), float(every.max())
        low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
        room = (high - low) or 1.0
        self._y_range = (low - FOOTROOM * room, high + HEADROOM * room)
        self._y_ticks = [(value, brief(value)) for value in ticks(*self._y_range, ROWS)]
        self.set_left(self.left_needed)
        said = "; ".join(f"{mark.words} at {figure(mark.x)}, {figure(mark.y)}" for mark in marks)
        self.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.curves:
            return
        self.paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self.plot_rect
        self._paint_zero(painter)
        painter.save()
        painter.setClipRect(plot)
        for curve in self.curves:
            self._paint_curve(painter, curve)
        painter.restore()
        self._taken = [box for mark in self.marks if math.isfinite(mark.x + mark.y)
                       for box in self._boxes(mark)]
        self._words = []
        for mark in self.marks:
            self._paint_mark(painter, mark)
        self._paint_names(painter)
        write(painter, self._across, plot.right(), plot.bottom() - 9, pixels=NOTE, align="right", halo="data")

    def _paint_zero(self, painter: QPainter) -> None:
        low, high = self._x_range
        if low <= 0.0 <= high:
            x = round(self.across(0.0)) + 0.5
            painter.setPen(QPen(theme().color("line2"), 1))
            painter.drawLine(QPointF(x, self.plot_rect.top()), QPointF(x, self.plot_rect.bottom()))

    def _paint_curve(self, painter: QPainter, curve: Curve) -> None:
        style = Qt.PenStyle.DashLine if curve.dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme().color(curve.token), curve.wide * scale(), style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        known = np.isfinite(curve.y)
        painter.drawPolyline(self.line(self._x[known], curve.y[known]))

    def _paint_mark(self, painter: QPainter, mark: Mark) -> None:
        if not (math.isfinite(mark.x) and math.isfinite(mark.y)):
            return
        plot, x, y = self.plot_rect, self.across(mark.x), self.up(mark.y)
        if not mark.hollow:
            painter.setPen(QPen(theme().color(mark.token), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, y), QPointF(x, plot.bottom()))
        painter.setPen(QPen(theme().color(mark.token if mark.hollow else "data"), 1.5))
        painter.setBrush(theme().color("data" if mark.hollow else mark.token))
        painter.drawEllipse(QPointF(x, y), DOT, DOT)
        if mark.words:
            place = self._free_place(mark)
            write(painter, mark.words, place.left(), place.center().y(), pixels=NOTE, token=mark.token,
                  bold=True, halo="data")
            self._words.append(place)

    def _boxes(self, mark: Mark) -> tuple[QRectF, ...]:
        """Where a dot and its drop line are, which words keep clear of."""
        x, y = self.across(mark.x), self.up(mark.y)
        dot = QRectF(x - DOT, y - DOT, 2 * DOT, 2 * DOT)
        return (dot,) if mark.hollow else (dot, QRectF(x - 2, y, 4, max(self.plot_rect.bottom() - y, 1)))

    def _free_place(self, mark: Mark) -> QRectF:
        """Where the words of a mark stand: over it, under it, or beside it, clear of those before."""
        plot, x, y = self.plot_rect, self.across(mark.x), self.up(mark.y)
        wide, tall = width(mark.words, NOTE, True), float(px(LINE))
        over, under, beside = y - 6 - tall, y + 8, (x + 10, x - 10 - wide)
        around = ((x - wide / 2, over), (x - wide / 2, under), *((left, over) for left in beside),
                  *((left, under) for left in beside))
        places = [
            QRectF(min(max(left, plot.left() + 2), plot.right() - wide), max(top, plot.top()), wide, tall)
            for left, top in around
        ]
        apart = [words.adjusted(-px(CLEAR), 0, px(CLEAR), 0) for words in self._words]
        free = (place for place in places if place.bottom() < plot.bottom()
                and not any(map(place.intersects, (*apart, *self._taken))))
        return next(free, places[0])

    def _paint_names(self, painter: QPainter) -> None:
        """A short stroke and a name a line, on the side where there is more room over the curves."""
        plot = self.plot_rect
        for place, curve in enumerate(self.curves):
            y = plot.top() + 6 + px(LINE) * place
            taken = width(curve.name, NOTE, False)
            right_free = self._is_free(0.75)
            left = plot.right() - taken if right_free else plot.left() + 30
            write(painter, curve.name, left, y, pixels=NOTE, token="text1", halo="data")
            style = Qt.PenStyle.DashLine if curve.dashed else Qt.PenStyle.SolidLine
            painter.setPen(QPen(theme().color(curve.token), curve.wide * scale(), style))
            painter.drawLine(QPointF(left - 24, y), QPointF(left - 6, y))

    def _is_free(self, share: float) -> bool:
        """Whether the curves run lower at the right than at the left."""
        last = len(self._x) - 1
        left, right = (sum(curve.y[int(at * last)] for curve in self.curves) for at in (1 - share, share))
        return bool(right <= left)
