"""The ground of the small painted plots: horizontal grid, base line, axis text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.round_numbers import ticks
from workbench.views.data.axis_text import axis_texts, brief, date_ticks
from workbench.views.elision import elided_name
from workbench.views.look.fonts import AXIS, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QResizeEvent

    from workbench.data.table import Kind

LEFT, TOP, BOTTOM = 28, 8, 18
NAME_LINE = 12  # pixels of a second line of names
LEAST_NAME, BETWEEN = 48, 4  # pixels of a name that is cut, and between two
MOST_MEASURED = 500  # names
MOST_ROWS = 3  # steps of the vertical axis
MOST_COLUMNS = (7, 5, 4, 3, 2)  # steps of the horizontal axis, tried in this order
GAP = 8


class SmallPlot(QWidget):
    """A plot without zoom: maps values to pixels and paints axes; a subclass paints what is in it."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._x_range, self._y_range = (0.0, 1.0), (0.0, 1.0)
        self._kind: Kind = "number"
        self._names: tuple[str, ...] = ()
        self._y_ticks: list[tuple[float, str]] = []
        self.least_left = 0  # pixels as set, which plots below one another share
        self._left, self._bottom = LEFT, BOTTOM

    @property
    def _font(self) -> QFont:
        return ui_font(AXIS)

    @property
    def left_needed(self) -> int:
        """Room for the texts of the vertical axis, so that plots below one another can share it."""
        metrics = QFontMetrics(self._font)
        texts = (metrics.horizontalAdvance(text) + 9 for _, text in self._y_ticks)
        return max([LEFT, px(self.least_left), *texts])

    def changeEvent(self, event: QEvent) -> None:
        """Leave more room for larger letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.set_left(self.left_needed)

    @property
    def left(self) -> int:
        """The room at the left of what is painted, in pixels."""
        return self._left

    def set_left(self, left: int) -> None:
        """Take the room that plots share."""
        self._left = left
        self._fit_names()
        self.update()

    def set_y_days(self, low: float, high: float) -> None:
        """Span the vertical axis over days since 1970, told as dates."""
        low, high = (low, high) if high - low >= 1 else (low - 1, high + 1)
        self._y_range, self._y_ticks = (low, high), date_ticks(low, high, MOST_ROWS)

    def set_y(self, low: float, high: float, *, from_zero: bool) -> None:
        """Span the vertical axis over round numbers."""
        if high <= low:
            high = low + 1
        marks = ticks(low, high, MOST_ROWS)
        step = marks[1] - marks[0] if len(marks) > 1 else high - low
        top = marks[-1] if marks[-1] >= high - 1e-9 else marks[-1] + step
        bottom = 0.0 if from_zero else (marks[0] if marks[0] <= low + 1e-9 else marks[0] - step)
        self._y_range = (bottom, top)
        shown = [bottom + step * i for i in range(round((top - bottom) / step) + 1)]
        self._y_ticks = [(value, brief(value)) for value in shown]

    def set_y_span(self, low: float, high: float, most: int = MOST_ROWS) -> None:
        """Span the vertical axis from edge to edge, with round numbers between."""
        self._y_range = (low, high)
        self._y_ticks = [(value, brief(value)) for value in ticks(low, high, most)]

    def set_x(self, low: float, high: float, kind: Kind = "number") -> None:
        """Span the horizontal axis; dates get ISO texts."""
        self._x_range, self._kind, self._names = (low, high), kind, ()
        self._fit_names()

    def set_x_names(self, names: Sequence[str]) -> None:
        """Name places 0, 1, … on the horizontal axis."""
        self._x_range, self._names = (-0.5, len(names) - 0.5), tuple(names)
        self._fit_names()

    def _fit_names(self) -> None:
        """Leave room for names in two lines, in turns, where they would be cut in one."""
        metrics, room = QFontMetrics(self._font), self._room(max(1, len(self._names)))
        is_cut = any(metrics.horizontalAdvance(one_line(name)) > room for name in self._names)
        self._bottom = px(BOTTOM + NAME_LINE if is_cut else BOTTOM)

    def _room(self, marks: int) -> float:
        """Pixels of each of so many texts below the plot."""
        return max(1, self.width() - self._left - 1) / marks - BETWEEN

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    @property
    def plot_rect(self) -> QRectF:
        """Where data is painted."""
        wide = max(1, self.width() - self._left - 1)
        return QRectF(self._left, TOP, wide, self.height() - TOP - self._bottom)

    def across(self, value: float) -> float:
        """Pixel of a value."""
        plot, (low, high) = self.plot_rect, self._x_range
        return plot.left() + plot.width() * (value - low) / (high - low or 1)

    def up(self, value: float) -> float:
        """Pixel of a value."""
        plot, (low, high) = self.plot_rect, self._y_range
        return plot.bottom() - plot.height() * (value - low) / (high - low or 1)

    def line(self, x: NDArray[Any], y: NDArray[Any]) -> QPolygonF:
        """The line through points of the plot."""
        if not len(x):
            return QPolygonF()  # pyqtgraph's ends the program when it is drawn
        return pg.functions.arrayToQPolygonF(*self.pixels(x, y))

    def pixels(self, x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pixels of many values at once."""
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        across = plot.left() + (np.asarray(x, np.float64) - left) * (plot.width() / ((right - left) or 1))
        up = (np.asarray(y, np.float64) - low) * (plot.height() / ((high - low) or 1))
        return across, plot.bottom() - up

    def paint_axes(self, painter: QPainter) -> None:
        """Paint grid, base line and axis text."""
        painter.setFont(self._font)
        plot = self.plot_rect
        for index, (value, text) in enumerate(self._y_ticks):
            y = round(self.up(value)) + 0.5
            painter.setPen(QPen(theme().color("line2" if self._is_base(index) else "grid"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme().color("text3"))
            painter.drawText(QRectF(0, y - px(8), self._left - 7, px(16)), _RIGHT, text)
        self._paint_x_texts(painter)

    def _is_base(self, index: int) -> bool:
        """Whether the plot stands on the line of this tick."""
        low, high = self._y_range
        return abs(self._y_ticks[index][0] - low) <= 1e-6 * (high - low)

    @property
    def _text_top(self) -> float:
        """Where the texts of the horizontal axis begin."""
        return self.plot_rect.bottom() + 3

    def _paint_x_texts(self, painter: QPainter) -> None:
        metrics = QFontMetrics(self._font)
        marks, lines = self._x_marks(metrics), 2 if self._bottom > px(BOTTOM) else 1
        room = lines * (self._room(max(1, len(marks))) + BETWEEN) - BETWEEN
        painter.setPen(theme().color("text3"))
        top, ends = self._text_top, [-math.inf] * lines
        for place, (value, text) in enumerate(marks):
            shown = elided_name(one_line(text), metrics, max(room, LEAST_NAME)) if self._names else text
            half = metrics.horizontalAdvance(shown) / 2 + 1
            middle = min(max(self.across(value), self._left - 12 + half), self.width() - half)
            line = place % lines
            if middle - half >= ends[line]:
                box = QRectF(middle - half, top + line * px(NAME_LINE), 2 * half, px(14))
                painter.drawText(box, _MIDDLE, shown)
                ends[line] = box.right()

    def _x_marks(self, metrics: QFontMetrics) -> list[tuple[float, str]]:
        """As many round values as have room for their texts; every name, or one of two, three and so on."""
        if self._names:
            lines = 2 if self._bottom > px(BOTTOM) else 1
            widest = max(metrics.horizontalAdvance(one_line(name)) for name in self._names[:MOST_MEASURED])
            least = min(LEAST_NAME, widest)
            step = math.ceil((least + BETWEEN) / (lines * (self._room(len(self._names)) + BETWEEN)))
            return [(float(place), name) for place, name in enumerate(self._names)][:: max(step, 1)]
        marks: list[tuple[float, str]] = []
        for parts in MOST_COLUMNS:
            if self._kind == "date":
                marks = date_ticks(*self._x_range, parts)
            else:
                marks = axis_texts(ticks(*self._x_range, parts))
            if sum(metrics.horizontalAdvance(text) + GAP for _, text in marks) <= self.plot_rect.width():
                break
        return marks


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MIDDLE = Qt.AlignmentFlag.AlignCenter
