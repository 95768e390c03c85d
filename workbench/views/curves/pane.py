"""One plot over rounds: its box, its scale and its lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPen

from workbench.views.curves.content import Content, Line, Shade
from workbench.views.curves.shade_item import ShadeItem
from workbench.views.curves.stroke import Stroke
from workbench.views.curves.thinning import finite_ends, thin
from workbench.views.curves.vertical_scales import Linear, Span
from workbench.views.look.scale import scale
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

T = TypeVar("T", float, "NDArray[np.floating[Any]]")
DASHES = {"dashed": (4, 4), "dotted": (1, 3)}  # pixels on and off; square caps add the pen's width
PIXELS_A_TICK, PIXELS_A_SMALL_TICK = 42, 20
SMALL = 130  # pixels of height below which ticks stand closer
FEWEST_ROUNDS = 4  # that zooming in leaves
EMPTY = Content("", "", Linear())


class RoundBox(pg.ViewBox):
    """pyqtgraph's view, moved and zoomed by hand in x only."""

    moved_by_hand = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False, enableMouse=True, defaultPadding=0)
        self.setMouseEnabled(x=True, y=False)
        self.disableAutoRange()

    def mouseDragEvent(self, ev, axis=None) -> None:  # type: ignore[no-untyped-def]
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        super().mouseDragEvent(ev, axis)
        self.moved_by_hand.emit()

    def wheelEvent(self, ev, axis=None) -> None:  # type: ignore[no-untyped-def]
        super().wheelEvent(ev, axis)
        self.moved_by_hand.emit()


class Pane:
    """Keeps a `Content` on the scene; knows where each figure stands in pixels."""

    def __init__(self) -> None:
        self.box = RoundBox()
        self.content = EMPTY
        self.span = Span(0, 1, (), ())
        self.rect = QRectF(0, 0, 1, 1)
        self.window = (0.5, 1.5)
        self._curves: list[Stroke] = []
        self._shades: list[ShadeItem] = []
        self._ends = (0.0, 1.0)  # of the span, as heights
        self._own: dict[str, tuple[float, float]] = {}

    def place(self, rect: QRectF) -> None:
        """Stand at `rect` of the scene."""
        self.rect = rect
        self.box.setGeometry(rect)

    def make_lines(self, number: int) -> Iterator[None]:
        """Have so many lines at least, one a step; those of which nothing is known yet are not seen."""
        while len(self._curves) < number:
            curve = Stroke()
            curve.setVisible(False)
            self._curves.append(curve)
            self.box.addItem(curve, ignoreBounds=True)
            yield

    def show(self, content: Content, window: tuple[float, float], *, refit: bool = True) -> None:
        """Draw `content` over the rounds of `window`; `refit` lets the vertical scale follow."""
        self.content, self.window = content, window
        if refit or not self.span.ticks:
            self._fit()
        self.box.setRange(xRange=window, yRange=self._ends, padding=0, disableAutoRange=True)
        list(self.make_lines(len(content.lines)))
        self._show_shades()
        self._show_lines()

    def _show_lines(self) -> None:
        """Draw the lines; one that is drawn as some curve is already, keeps that."""
        lines = self.content.lines
        wanted = [self._seen(line) for line in lines]
        kept = {curve.shows: curve for curve in self._curves if curve.shows in wanted}
        free = [curve for curve in reversed(self._curves) if kept.get(curve.shows) is not curve]
        for place, (line, shows) in enumerate(zip(lines, wanted, strict=True)):
            curve = kept.pop(shows, None)
            if curve is None:
                curve = free.pop()
                curve.shows = shows
                self._draw(curve, line)
            if curve.zValue() != place:
                curve.setZValue(place)
            curve.setVisible(True)
        for curve in free:
            curve.setVisible(False)

    def _seen(self, line: Line) -> tuple[Any, ...]:
        """All that a line's curve is made of."""
        along, rect = self.content.scale, self.rect
        return (line.values.tobytes(), line.token, line.width, line.dash, line.alpha,
                self._own.get(line.name), type(along), *vars(along).values(), self.window, self._ends,
                rect.left(), rect.top(), rect.width(), rect.height(), theme().name, scale())

    def _show_shades(self) -> None:
        shades = self.content.shades
        while len(self._shades) < len(shades):
            item = ShadeItem()
            self._shades.append(item)
            self.box.addItem(item, ignoreBounds=True)
        for index, item in enumerate(self._shades):
            item.setVisible(index < len(shades))
            if index < len(shades):
                self._draw_shade(item, shades[index])

    def _draw_shade(self, item: ShadeItem, shade: Shade) -> None:
        """Draw a band, thinned where it has more points than pixels."""
        first, last = self._indices(len(shade.low))
        step = max(1, (last - first) // max(int(self.rect.width()), 1))
        places = np.arange(first, last, step)
        low, high = (self.content.scale.forward(side[places]) for side in (shade.low, shade.high))
        color = QColor(theme().color(shade.token))
        color.setAlphaF(shade.alpha)
        item.show_band(places + 1.0, low, high, color)

    def height_of(self, line: Line, value: float) -> float:
        """Height of a figure of `line`, in pixels of the scene."""
        return float(self.heights_of(line, np.array([value]))[0])

    def heights_of(self, line: Line, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Heights of figures of `line`, in pixels of the scene."""
        return np.asarray(self.pixel(self._heights(line, values)))

    def tick_pixel(self, tick: float) -> float:
        """Height of a tick, in pixels of the scene."""
        return self.pixel(float(self.content.scale.forward(np.array([tick]))[0]))

    def pixel(self, height: T) -> T:
        """Pixels of the scene for a height on the scale."""
        low, high = self._ends
        return self.rect.bottom() - (height - low) / (high - low) * self.rect.height()

    def _fit(self) -> None:
        lines = self.content.lines
        shared = [self._ends_seen(line.values) for line in lines if not line.own]
        for shade in self.content.shades:
            shared += [self._ends_seen(side) for side in (shade.low, shade.high)]
        if self.content.bars is not None:
            shared.append(self._ends_seen(self.content.bars))
        low, high = _widest(shared)
        tall = self.rect.height()
        each = PIXELS_A_SMALL_TICK if tall < SMALL else PIXELS_A_TICK
        self.span = self.content.scale.fit(low, high, max(2, round(tall / each)))
        if self.content.bare:
            self.span = replace(self.span, ticks=(), texts=())
        ends = self.content.scale.forward(np.array([self.span.low, self.span.high]))
        self._ends = (float(ends[0]), float(ends[1]))
        self._own = {line.name: _widest([finite_ends(line.values), (0.0, 0.0)]) for line in lines if line.own}

    def _ends_seen(self, values: NDArray[np.float64]) -> tuple[float, float] | None:
        """Least and largest finite figure in the window."""
        first, last = self._indices(len(values))
        return finite_ends(values[first:last])

    def _indices(self, length: int) -> tuple[int, int]:
        """Range of the rounds in the window, from 0, with a neighbour at either side."""
        return max(0, int(self.window[0] - 0.5) - 1), min(length, int(self.window[1] + 0.5) + 1)

    def _heights(self, line: Line, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if not line.own:
            return self.content.scale.forward(values)
        (low, high), (bottom, top) = self._own[line.name], self._ends
        return bottom + (values - low) / ((high - low) or 1.0) * (top - bottom)

    def _draw(self, curve: Stroke, line: Line) -> None:
        first, last = self._indices(len(line.values))
        rounds = np.arange(first + 1, max(first, last) + 1, dtype=np.float64)
        x, thinned = thin(rounds, line.values[first:last], int(self.rect.width()))
        y = self._heights(line, thinned)
        if line.dash != "solid" and len(x) > 1:
            x, y = _dashed(x, y, (self.window[1] - self.window[0]) / self.rect.width(), *DASHES[line.dash])
        curve.setPen(_pen(line))
        curve.setShadowPen(_halo(line) if line.own else None)
        curve.set_points(x, y, self.rect.height() / (self._ends[1] - self._ends[0]))


def _widest(ends: list[tuple[float, float] | None]) -> tuple[float, float]:
    """Least and largest of all; 0 and 1 where there is none."""
    known = [end for end in ends if end is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else (0.0, 1.0)


def _halo(line: Line) -> QPen:
    """A pen in the ground's colour, under a line that crosses bars."""
    pen = QPen(theme().color("data"), line.width * scale() + 2.5)
    pen.setCosmetic(True)
    return pen


def _pen(line: Line) -> QPen:
    pen = QPen(_mixed(theme().color(line.token), theme().color("data"), line.alpha), line.width * scale())
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """A paler colour; a transparent one would show where the strokes of a line meet."""
    red, green, blue = (
        round(255 * (share * of() + (1 - share) * on())) for of, on in (
            (color.redF, ground.redF), (color.greenF, ground.greenF), (color.blueF, ground.blueF)))
    return QColor(red, green, blue)


def _dashed(
    x: NDArray[np.float64], y: NDArray[np.float64], pixel: float, on: int, off: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cut a line into dashes that stay in place while it grows; `pixel` is in rounds."""
    steps = np.arange(int(x[0] / pixel), int(x[-1] / pixel) + 1)
    if len(x) * on <= len(steps):  # a dash hardly bends: its ends will do, and the gap after it
        phase = steps % (on + off)
        kept = (phase == 0) | (phase == on) | (phase == on + 1)
        kept[[0, -1]] = True
        steps = steps[kept]
    places = np.clip(steps * pixel, x[0], x[-1])
    return places, np.where(steps % (on + off) <= on, np.interp(places, x, y), np.nan)
