"""One column against the prediction: its mean, earlier means, lines of rows; below, where the data is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from workbench.number_text import count
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.look.fonts import BODY, NOTE
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.many_lines import draw_lines, line_ends, stair_ends
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from workbench.data.table import Kind

STRIP, ABOVE, MARGIN = 44, 26, 128  # pixels of the density, above the plot, and right of it
MISSING_SLOT = 64
MEAN, OWN, EARLIER, ROW = 2.25, 1.75, 1.25, 1.0
ROOM = 0.06  # of the axis, above and below
LABEL = 15  # pixels between two labels


@dataclass(frozen=True, eq=False)
class EffectScene:
    """What is drawn; frozen.

    Attributes
    ----------
    names : tuple of str
        Of categories; empty of numbers.
    kind : Kind
        Of the column.
    edges : ndarray of float64
        Of numbers: of the cells, or where the mean is known if `is_straight`.
    mean : ndarray of float64
        At each cell or edge or category; of a missing value last, where `has_missing`.
    lines : ndarray of float64, shape (m, like `mean`)
        Of single rows.
    earlier : tuple of (words, ndarray like `mean`)
    rows : ndarray of int64, like `mean`
        Of the data at each place.
    density : ndarray of int64
        Rows in even bins from the first edge to the last.
    has_missing, is_straight, zero : bool
        Whether the mean goes straight from edge to edge; whether there is a line at 0.
    own : ndarray of float64, like `mean`
        Of the selected row; empty where there is none.
    own_label : str
    token : str
        Colour of the mean.
    label : str
        At its end.
    """

    names: tuple[str, ...] = ()
    kind: Kind = "number"
    edges: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    mean: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    lines: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    earlier: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    density: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    has_missing: bool = False
    is_straight: bool = False
    zero: bool = False
    own: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    own_label: str = ""
    token: str = "train"
    label: str = ""

    @property
    def n_cells(self) -> int:
        """Places of numbers or categories."""
        return len(self.mean) - self.has_missing


class EffectPlot(SmallPlot):
    """Numbers as a step function, categories as marks; a missing value stands apart at the right."""

    pointed = Signal(int)  # the place under the cursor, −1 for none

    def __init__(self) -> None:
        super().__init__(200)
        self.setMinimumHeight(px(140))
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName("Effect of the column")
        self.scene, self.sentence, self.title, self.phrase = EffectScene(), "", "", ""
        self.at, self._limits = -1, (0.0, 1.0)
        self._still = KeptLayer()

    def show_scene(self, scene: EffectScene, title: str, phrase: str) -> None:
        """Show another scene."""
        self.scene, self.sentence, self.title, self.phrase = scene, "", title, phrase
        self.at = min(self.at, len(scene.mean) - 1)
        if scene.names:
            self.set_x_names(scene.names)
        elif len(scene.edges):
            low, high = float(scene.edges[0]), float(scene.edges[-1])
            self.set_x(low, high if high > low else low + 1, scene.kind)
        drawn = [scene.mean, scene.own, *(values for _, values in scene.earlier)]
        drawn += [scene.lines.ravel()] if scene.lines.size else []
        every = np.concatenate([*drawn, [0.0]] if scene.zero else drawn)
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        room = ROOM * (high - low) or 0.05 * abs(high) or 0.5
        self._limits = (low - room, high + room)
        self._fit_levels()
        self.update()

    def _fit_levels(self) -> None:
        """Have as many levels as there is height for."""
        self.set_y_span(*self._limits, max(2, int(self.plot_rect.height() // px(44))))
        self.set_left(self.left_needed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_levels()

    def say(self, sentence: str) -> None:
        """Show a sentence in place of a picture."""
        self.scene, self.sentence, self.title, self.phrase = EffectScene(), sentence, "", ""
        self.update()

    @property
    def plot_rect(self) -> QRectF:
        aside = px(MARGIN) + (px(MISSING_SLOT) if self.scene.has_missing else 0)
        whole = super().plot_rect.adjusted(0, px(ABOVE), -aside, -px(STRIP))
        return whole if whole.width() > 20 and whole.height() > 20 else super().plot_rect

    @property
    def _text_top(self) -> float:
        """Below the density."""
        return self.height() - self._bottom + 3

    # --- the hand ---------------------------------------------------------------------------

    def place_at(self, x: float) -> int:
        """The place of the scene under a pixel; −1 for none."""
        scene, plot = self.scene, self.plot_rect
        if not len(scene.mean):
            return -1
        if scene.has_missing and plot.right() + 8 < x <= plot.right() + px(MISSING_SLOT):
            return len(scene.mean) - 1
        if not plot.left() <= x <= plot.right() or not scene.n_cells:
            return -1
        value = self._x_range[0] + (x - plot.left()) / plot.width() * (self._x_range[1] - self._x_range[0])
        if scene.names:
            return min(max(round(value), 0), scene.n_cells - 1)
        if scene.is_straight:
            return int(np.abs(scene.edges - value).argmin())
        return int(np.clip(np.searchsorted(scene.edges, value, side="right") - 1, 0, scene.n_cells - 1))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.place_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)

    def _point(self, place: int) -> None:
        if place != self.at:
            self.at = place
            self.pointed.emit(place)
            self.update()

    # --- the picture ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what stands still once, and over it what follows the cursor."""
        painter = QPainter(self)
        made_of = (self.scene, self.title, self.phrase, self.sentence)
        self._still.paint(painter, self.size(), made_of, self._paint_still)
        self._paint_cursor(painter, self.plot_rect)

    def paint(self, painter: QPainter) -> None:
        """Paint everything into a picture file."""
        self._paint_still(painter)
        self._paint_cursor(painter, self.plot_rect)

    def _paint_still(self, painter: QPainter) -> None:
        scene, plot = self.scene, self.plot_rect
        if not len(scene.mean):
            write(painter, self.sentence, self.width() / 2, self.height() / 2, pixels=BODY, token="text2",
                  align="centre", most=self.width() - 32)
            return
        taken = write(painter, self.title, 16, px(12), pixels=NOTE, bold=True, token="text1")
        write(painter, self.phrase, 24 + taken, px(12), most=self.width() - taken - 40)
        self._paint_gaps(painter, plot)
        self.paint_axes(painter)
        if scene.zero:
            painter.setPen(QPen(theme().color("ctl"), 1))
            painter.drawLine(QLineF(plot.left(), self.up(0.0), plot.right(), self.up(0.0)))
        self._paint_density(painter, plot)
        is_smooth = scene.is_straight or bool(scene.names)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_smooth)  # stairs are sharp without
        if scene.lines.size:
            painter.setPen(QPen(theme().on_data("ctl", 0.38), ROW))
            draw_lines(painter, self._strokes(scene.lines[:, : scene.n_cells]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (_, values) in enumerate(scene.earlier):
            pale = 0.3 + 0.35 * (place + 1) / len(scene.earlier)
            pen = QPen(theme().on_data(scene.token, pale), EARLIER, Qt.PenStyle.DashLine)
            self._paint_values(painter, values, pen)
        if len(scene.own):
            self._paint_values(painter, scene.own, QPen(theme().color("accent"), OWN))
        self._paint_values(painter, scene.mean, QPen(theme().color(scene.token), MEAN), is_mean=True)
        self._paint_labels(painter, plot)
        self._paint_missing(painter, plot)

    def _paint_gaps(self, painter: QPainter, plot: QRectF) -> None:
        """Grey where the data has no rows."""
        for left, right in self._gaps():
            box = QRectF(left, plot.top(), right - left, plot.height() + px(STRIP))
            painter.fillRect(box, theme().color("window"))
            painter.fillRect(box, QBrush(theme().color("line2"), Qt.BrushStyle.BDiagPattern))
            if right - left > width("no rows") + 12:
                write(painter, "no rows", (left + right) / 2, box.bottom() - px(STRIP) / 2, align="centre",
                      halo="data")

    def _gaps(self) -> list[tuple[float, float]]:
        scene, found = self.scene, list[tuple[float, float]]()
        bins, rows = self._bins()
        if scene.names:
            return found
        for place in np.flatnonzero(rows == 0).tolist():
            left, right = self.across(float(bins[place])), self.across(float(bins[place + 1]))
            if found and abs(found[-1][1] - left) < 0.5:
                found[-1] = (found[-1][0], right)
            else:
                found.append((left, right))
        return found

    def _bins(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The edges between which rows are counted, and how many there are: in even bins, or in the cells."""
        scene = self.scene
        if len(scene.density):
            return np.linspace(scene.edges[0], scene.edges[-1], len(scene.density) + 1), scene.density
        own = scene.rows[: scene.n_cells]
        return (scene.edges, own) if len(scene.edges) == len(own) + 1 else (scene.edges, own[:0])

    def _paint_density(self, painter: QPainter, plot: QRectF) -> None:
        """Bars of how many rows there are, under the plot."""
        scene, base = self.scene, plot.bottom() + px(STRIP) - 2
        room = px(STRIP) - 12
        painter.setPen(Qt.PenStyle.NoPen)
        color = theme().on_data("ctl", 0.55)
        bins, counts = self._bins()
        counts = scene.rows[: scene.n_cells] if scene.names else counts
        most = max([1, *counts.tolist(), *(scene.rows[-1:].tolist() if scene.has_missing else [])])

        def bar(left: float, right: float, rows: int) -> None:
            high = max(room * rows / most, 1.0) if rows else 0.0
            painter.fillRect(QRectF(left, base - high, max(right - left, 1.0), high), color)

        if scene.names:
            for place, rows in enumerate(counts.tolist()):
                middle = self.across(place)
                half = min(14.0, 0.35 * plot.width() / max(len(counts), 1))
                bar(middle - half, middle + half, rows)
        elif len(counts):
            edges = self.pixels(bins, np.zeros(len(bins)))[0]
            for left, right, rows in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(),
                                         strict=True):
                bar(left + 0.5, right - 0.5, rows)
        if scene.has_missing:
            middle = plot.right() + px(MISSING_SLOT) / 2 + 4
            bar(middle - 10, middle + 10, int(scene.rows[-1]))
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawLine(QLineF(plot.left(), base + 0.5, plot.right(), base + 0.5))
        aside = px(MISSING_SLOT) if scene.has_missing else 0
        if len(counts):
            write(painter, "rows", plot.right() + aside + 10, base - room / 2)

    def _paint_values(
        self, painter: QPainter, values: NDArray[np.float64], pen: QPen, *, is_mean: bool = False
    ) -> None:
        scene = self.scene
        painter.setPen(pen)
        own = values[: scene.n_cells]
        if not scene.names:
            if scene.is_straight:
                painter.drawPolyline(self.line(scene.edges, own))
            elif len(own):
                painter.drawPolyline(self._stairs(own))
            return
        reach = min(20.0, 0.4 * self.plot_rect.width() / max(len(own), 1)) if is_mean else 4.0
        for place, value in enumerate(own.tolist()):
            x, y = self.across(place), self.up(value)
            painter.drawLine(QLineF(x - reach, y, x + reach, y))
            if is_mean:
                painter.setBrush(pen.color())
                painter.drawEllipse(QPointF(x, y), 3.5, 3.5)

    def _strokes(self, lines: NDArray[np.float64]) -> NDArray[np.float64]:
        """The ends of all strokes of many lines."""
        scene, cells = self.scene, lines.shape[1]
        if scene.names:
            across, heights = self.pixels(np.arange(cells), lines)
            return stair_ends(across - 4, across + 4, heights, joined=False)
        edges = scene.edges if len(scene.edges) > 1 else np.array(self._x_range)
        across, heights = self.pixels(edges, lines)
        if scene.is_straight:
            return line_ends(across, heights)
        return stair_ends(across[:-1], across[1:], heights[:, : len(across) - 1])

    def _stairs(self, values: NDArray[np.float64]) -> QPolygonF:
        edges = self.scene.edges
        if len(edges) < 2:
            edges = np.array(self._x_range)
        values = values[: len(edges) - 1]
        begins = np.flatnonzero(np.append(True, values[1:] != values[:-1]))  # of each stretch of one value
        bounds = np.append(edges[begins], edges[len(values)])
        ends = np.stack([bounds[:-1], bounds[1:]], axis=1).ravel()
        across, up = self.pixels(ends, np.repeat(values[begins], 2))
        return pg.functions.arrayToQPolygonF(across, up)

    def _paint_labels(self, painter: QPainter, plot: QRectF) -> None:
        """Names at the ends of the lines, pushed apart."""
        scene = self.scene
        if scene.names or not scene.n_cells:
            return
        left = plot.right() + (px(MISSING_SLOT) if scene.has_missing else 0) + 10
        last = scene.n_cells - 1
        told = [(scene.label, float(scene.mean[last]), scene.token)]
        told += [(words, float(values[last]), "text3") for words, values in scene.earlier]
        told += [(scene.own_label, float(scene.own[last]), "accent")] if len(scene.own) else []
        below = -math.inf
        for words, value, token in sorted(told, key=lambda one: -one[1]):
            below = max(self.up(value), below + px(LABEL))
            strong = token != "text3"
            write(painter, words, left, below, pixels=NOTE if strong else 11, bold=strong, token=token,
                  most=self.width() - left - 4)

    def _paint_missing(self, painter: QPainter, plot: QRectF) -> None:
        scene = self.scene
        if not scene.has_missing:
            return
        x = plot.right() + px(MISSING_SLOT) / 2 + 4
        painter.setPen(QPen(theme().color("line2"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(plot.right() + 10, plot.top(), plot.right() + 10, plot.bottom()))
        painter.setPen(QPen(theme().on_data("ctl", 0.38), ROW))
        for value in scene.lines[:, -1].tolist() if scene.lines.size else []:
            painter.drawLine(QLineF(x - 4, self.up(value), x + 4, self.up(value)))
        if len(scene.own):
            painter.setPen(QPen(theme().color("accent"), OWN))
            height = self.up(float(scene.own[-1]))
            painter.drawLine(QLineF(x - 10, height, x + 10, height))
        painter.setPen(QPen(theme().color(scene.token), MEAN))
        painter.setBrush(theme().color(scene.token))
        y = self.up(float(scene.mean[-1]))
        painter.drawLine(QLineF(x - 12, y, x + 12, y))
        painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
        write(painter, "missing", x, self.height() - self._bottom + 10, align="centre")

    def _paint_cursor(self, painter: QPainter, plot: QRectF) -> None:
        """A line through the place under the cursor, and its figures in words."""
        scene, at = self.scene, self.at
        if not 0 <= at < len(scene.mean):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_missing = scene.has_missing and at == len(scene.mean) - 1
        if is_missing:
            x = plot.right() + px(MISSING_SLOT) / 2 + 4
        elif scene.names:
            x = self.across(at)
        elif scene.is_straight or len(scene.edges) < 2:
            x = self.across(float(scene.edges[min(at, len(scene.edges) - 1)]))
        else:
            x = self.across(float(scene.edges[at] + scene.edges[at + 1]) / 2)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        painter.setBrush(theme().color("data"))
        painter.setPen(QPen(theme().color(scene.token), 1.5))
        painter.drawEllipse(QPointF(x, self.up(float(scene.mean[at]))), 4, 4)
        text = f"{brief(float(scene.mean[at]))}"
        if at < len(scene.rows):
            rows = int(scene.rows[at])
            text += f", {count(rows)} {'row' if rows == 1 else 'rows'}"
        write(painter, text, min(max(x, plot.left() + 50), plot.right()), plot.top() + 8, pixels=NOTE,
              token="text1", align="centre", halo="data", bold=True)
