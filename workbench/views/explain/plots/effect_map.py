"""Two columns against the prediction: a map, grey where the data has no rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from workbench.number_text import count
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.look.fonts import NOTE
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent

ABOVE, MARGIN, NAME_ROOM, RAMP = 26, 128, 14, 14
LEVELS = 60  # steps of the colour key


@dataclass(frozen=True, eq=False)
class MapScene:
    """What is drawn; frozen.

    Attributes
    ----------
    names : tuple of str
        Of the columns: across, up.
    across, up : tuple of str
        Of each place, as it is told.
    across_edges, up_edges : ndarray of float64
        Of cells of numbers; of categories whole numbers.
    across_ticks, up_ticks : tuple of (place on the axis, text)
        Edges of numbers, middles of categories.
    values : ndarray of float64, shape (places across, places up)
    rows : ndarray of int64, the same shape
    middle : float
        Where the colours turn.
    """

    names: tuple[str, str] = ("", "")
    across: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    across_edges: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    up_edges: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    rows: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 0), np.int64))
    middle: float = 0.0
    across_ticks: tuple[tuple[float, str], ...] = ()
    up_ticks: tuple[tuple[float, str], ...] = ()


class EffectMap(SmallPlot):
    """Gold where the prediction is above its mean, violet where it is below."""

    def __init__(self) -> None:
        super().__init__(200)
        self.setMinimumHeight(px(140))
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName("Effect of two columns")
        self.scene, self.title, self.phrase = MapScene(), "", ""
        self._at: tuple[int, int] | None = None
        self._still = KeptLayer()

    def show_scene(self, scene: MapScene, title: str, phrase: str) -> None:
        """Show another scene."""
        self.scene, self.title, self.phrase, self._at = scene, title, phrase, None
        self._x_range = (float(scene.across_edges[0]), float(scene.across_edges[-1]))
        self._y_range = (float(scene.up_edges[0]), float(scene.up_edges[-1]))
        longest = max((width(text) for _, text in scene.up_ticks), default=0.0)
        self.set_left(int(min(max(longest + 20, 64), 150)))
        self.update()

    @property
    def plot_rect(self) -> QRectF:
        return super().plot_rect.adjusted(0, px(ABOVE + NAME_ROOM), -px(MARGIN), -px(NAME_ROOM))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        scene, plot, at = self.scene, self.plot_rect, event.position()
        found = None
        if scene.values.size and plot.contains(at):
            x = self._x_range[0] + (at.x() - plot.left()) / plot.width() * np.ptp(self._x_range)
            y = self._y_range[0] + (plot.bottom() - at.y()) / plot.height() * np.ptp(self._y_range)
            found = (_cell(scene.across_edges, float(x)), _cell(scene.up_edges, float(y)))
        if found != self._at:
            self._at = found
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._at = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what stands still once, and over it what follows the cursor."""
        if not self.scene.values.size:
            return
        painter = QPainter(self)
        self._still.paint(painter, self.size(), (self.scene,), self._paint_still)
        self._paint_cursor(painter)

    def paint(self, painter: QPainter) -> None:
        """Paint everything into a picture file."""
        if not self.scene.values.size:
            return
        self._paint_still(painter)
        self._paint_cursor(painter)

    def _paint_cursor(self, painter: QPainter) -> None:
        """The title, or in its place what is told of the cell under the cursor, which has a frame."""
        taken = write(painter, self.title, 16, px(12), pixels=NOTE, bold=True, token="text1")
        told = self.phrase if self._at is None else self._told(*self._at)
        write(painter, told, 24 + taken, px(12), most=self.width() - taken - 40)
        if self._at is not None:
            i, j = self._at
            xs, ys = self._edges()
            painter.setPen(QPen(theme().color("text1"), 2))
            painter.drawRect(QRectF(xs[i], ys[j + 1], xs[i + 1] - xs[i], ys[j] - ys[j + 1]))

    def _edges(self) -> tuple[list[float], list[float]]:
        """Pixels of the edges of cells."""
        scene = self.scene
        return (
            self.pixels(scene.across_edges, np.zeros(len(scene.across_edges)))[0].tolist(),
            self.pixels(np.zeros(len(scene.up_edges)), scene.up_edges)[1].tolist(),
        )

    def _paint_still(self, painter: QPainter) -> None:
        scene, plot = self.scene, self.plot_rect
        seen = scene.values[scene.rows > 0] if scene.rows.any() else scene.values.ravel()
        limit = float(np.abs(seen - scene.middle).max()) or 1.0
        xs, ys = self._edges()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for i in range(scene.values.shape[0]):
            for j in range(scene.values.shape[1]):
                box = QRectF(xs[i], ys[j + 1], xs[i + 1] - xs[i], ys[j] - ys[j + 1])
                self._paint_cell(painter, box, float(scene.values[i, j] - scene.middle) / limit,
                                 empty=not scene.rows[i, j])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawRect(plot.toRect())
        self._paint_texts(painter, plot)
        self._paint_key(painter, plot, limit)

    def _paint_cell(self, painter: QPainter, box: QRectF, share: float, *, empty: bool) -> None:
        box = QRectF(round(box.left()), round(box.top()),
                     max(round(box.right()) - round(box.left()), 1),
                     max(round(box.bottom()) - round(box.top()), 1))  # fmt: skip
        if empty:
            painter.fillRect(box, theme().color("window"))
            painter.fillRect(box, QBrush(theme().color("line2"), Qt.BrushStyle.BDiagPattern))
        else:
            painter.fillRect(box, theme().weight(share))

    def _paint_texts(self, painter: QPainter, plot: QRectF) -> None:
        scene = self.scene
        write(painter, scene.names[1], 16, plot.top() - px(NAME_ROOM) + 2, token="text2", bold=True,
              most=plot.width())
        write(painter, scene.names[0], plot.right(), self.height() - 10, token="text2", bold=True,
              align="right", most=plot.width() / 2)
        end = -1e9
        for value, text in scene.across_ticks:
            middle, half = self.across(value), width(text) / 2
            if middle - half > end + 6 and middle + half < plot.right() + 20:
                write(painter, text, middle, plot.bottom() + 10, align="centre")
                end = middle + half
        last = 1e9
        for value, text in scene.up_ticks:
            middle = self.up(value)
            if last - middle >= px(14):
                write(painter, text, plot.left() - 8, middle, align="right", most=self._left - 12)
                last = middle

    def _paint_key(self, painter: QPainter, plot: QRectF, limit: float) -> None:
        """The ramp with its figures, and what grey means."""
        left, high = plot.right() + 24, min(plot.height() * 0.6, 180.0)
        top = plot.top()
        for step in range(LEVELS):
            share = 1 - 2 * step / (LEVELS - 1)
            painter.fillRect(QRectF(left, top + step * high / LEVELS, px(RAMP), high / LEVELS + 1),
                             theme().weight(share))  # fmt: skip
        for share, text in ((1.0, self.scene.middle + limit), (0.0, self.scene.middle),
                            (-1.0, self.scene.middle - limit)):
            write(painter, brief(text), left + px(RAMP) + 6, top + (1 - share) / 2 * high, token="text2")
        if (self.scene.rows == 0).any():
            box = QRectF(left, top + high + 16, px(RAMP), px(RAMP))
            self._paint_cell(painter, box, 0.0, empty=True)
            write(painter, "no rows", left + px(RAMP) + 6, box.center().y(), token="text2")

    def _told(self, i: int, j: int) -> str:
        scene = self.scene
        rows = int(scene.rows[i, j])
        return (
            f"{scene.names[0]} {scene.across[i]}, {scene.names[1]} {scene.up[j]}: "
            f"{brief(float(scene.values[i, j]))}, {count(rows)} {'row' if rows == 1 else 'rows'}"
        )


def _cell(edges: NDArray[np.float64], value: float) -> int:
    return int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2))
