"""The plane of two variables: surface, boundary, cuts of a tree, and points that can be taken in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPen, QRegion

from workbench.views.curves.ink import width, write
from workbench.views.look.kept_layer import KeptLayer
from workbench.views.look.many_lines import draw_lines
from workbench.views.look.theme import theme
from workbench.views.playground.hand_plot import HandPlot
from workbench.views.playground.inks import (
    class_color,
    class_colors,
    surface_colors,
    value_color,
)
from workbench.views.playground.marks import ROOM, paint_marks
from workbench.views.playground.plane_scene import PlaneScene

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QResizeEvent

    from workbench.explain.plane.cells import ModelCells

LEFT_ROOM, NAME_ROOM = 38, 10
NAME_GAP = 6.0  # pixels between the last number and the name of the axis
RING = 5.0  # pixels between a point and the ring round it
BOUNDARY, CUT = 1.75, 1.5
SHADES = 32  # of numbers' points, on each side of the middle
FIRST_CUT = 2.25
DASHES: tuple[list[float], ...] = ([], [5.0, 3.0], [1.0, 2.5])  # of cuts by depth, in widths of the pen


class PlanePlot(HandPlot):
    """Surface below, then boundary, cuts and points."""

    def __init__(self) -> None:
        super().__init__("Plane of two variables")
        self._left = LEFT_ROOM
        self.scene = PlaneScene()
        self._image: QImage | None = None
        self._boundary = np.empty((0, 4))
        self._still = KeptLayer()
        self._made: tuple[PlaneScene, int, tuple[object, ...]] | None = None  # scene, point in hand, the rest
        self._seen: tuple[object, ...] = ()  # all but the point in hand

    def show_scene(self, scene: PlaneScene) -> None:
        """Show another scene."""
        before, self.scene = self.scene, scene
        was, seen = self._hand_rect(), self._seen
        left, right, low, high = scene.limits
        self.set_x(left, right)
        self.set_y_span(low, high, max(2, self.height() // 110))
        same = before.picture is scene.picture and before.limits == scene.limits
        if not (same and before.span == scene.span):
            self._image = None
            self._still.forget()
        self.lay(scene.x, scene.y, scene.radii)
        self._seen = (self.sentence, scene.marked, self._made_of())
        if self._held_point() >= 0 and before.picture is scene.picture and self._seen == seen:
            self.update(QRegion(was) | QRegion(self._hand_rect()))
        else:
            self.update()

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        self._image = None
        self.update()

    @property
    def plot_rect(self) -> QRectF:
        """Where data is painted: below the name of the vertical axis."""
        return super().plot_rect.adjusted(0, NAME_ROOM, 0, 0)

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._image = None

    # --- the picture ------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        held = self._held_point()
        self._still.paint(painter, self.size(), self._made_of(), self._paint_still)
        painter.save()
        painter.setClipRect(self.plot_rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if held >= 0:
            self._paint_points(painter, np.array([held]))
        self._paint_rings(painter)
        painter.restore()
        self.paint_hand(painter)

    def _made_of(self) -> tuple[object, ...]:
        """What stays as a hand moves a point."""
        scene, held = self.scene, self._held_point()
        if self._made is None or self._made[:2] != (scene, held):
            others = self._others()
            still = (part[others].tobytes() for part in (self.xs, self.ys, self.radii, scene.target))
            known = (scene.limits, scene.names, scene.classes, scene.span, scene.ticks, held, *still)
            self._made = scene, held, known
        return self._made[2]

    def _hand_rect(self) -> QRect:
        """Where the point in hand is painted."""
        held = self._held_point()
        if held < 0 or not np.isfinite(self.xs[held] + self.ys[held]):
            return QRect()
        far, at = ROOM * float(self.radii[held]) + 2, self.place_of(held)
        return QRectF(at.x() - far, at.y() - far, 2 * far, 2 * far).toAlignedRect()

    def _held_point(self) -> int:
        return self.held if self.held < len(self.xs) else -1

    def _others(self) -> NDArray[np.int64]:
        """The points that are not in hand."""
        return np.flatnonzero(np.arange(len(self.xs)) != self._held_point())

    def _paint_still(self, painter: QPainter) -> None:
        """Paint what stays as a hand moves a point."""
        scene, plot = self.scene, self.plot_rect
        self.paint_axes(painter)
        self._paint_surface(painter, plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawRect(plot.toRect())
        painter.save()
        painter.setClipRect(plot)
        if "boundary" in scene.ticks and scene.picture is not None:
            pen = QPen(theme().color("text1"), BOUNDARY)
            pen.setCapStyle(Qt.PenCapStyle.SquareCap)
            painter.setPen(pen)
            draw_lines(painter, self._boundary)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if "cuts" in scene.ticks:
            self._paint_cuts(painter)
        self._paint_points(painter, self._others())
        painter.restore()
        self._paint_names(painter, plot)

    @property
    def _name_width(self) -> float:
        """Pixels of the horizontal axis's name, which stands in the line of its numbers."""
        return min(width(self.scene.names[0]), self.plot_rect.width() / 3)

    def _x_marks(self, metrics: QFontMetrics) -> list[tuple[float, str]]:
        end = self.plot_rect.right() - self._name_width - NAME_GAP
        marks = super()._x_marks(metrics)
        return [mark for mark in marks if self.across(mark[0]) + metrics.horizontalAdvance(mark[1]) / 2 < end]

    def _paint_names(self, painter: QPainter, plot: QRectF) -> None:
        names = self.scene.names
        write(painter, names[1], plot.left(), plot.top() - 9, most=plot.width() / 2, token="text2")
        write(painter, names[0], plot.right(), plot.bottom() + 10.5, align="right", most=plot.width() / 3,
              token="text2")

    def _paint_surface(self, painter: QPainter, plot: QRectF) -> None:
        picture = self.scene.picture
        if picture is None:
            return
        if self._image is None:
            self._image = self._surface(picture.cells, plot)
            self._boundary = self._boundary_lines(picture.cells)
        if "surface" in self.scene.ticks:
            painter.drawImage(plot, self._image)

    def _surface(self, cells: ModelCells, plot: QRectF) -> QImage:
        """Each pixel in the colour of its cell."""
        ratio = self.devicePixelRatioF()
        wide, high = max(1, round(plot.width() * ratio)), max(1, round(plot.height() * ratio))
        left, right, low, top = self.scene.limits
        x = left + (np.arange(wide) + 0.5) * ((right - left) / wide)
        y = top - (np.arange(high) + 0.5) * ((top - low) / high)
        across = np.clip(np.searchsorted(cells.x, x, "right") - 1, 0, len(cells.x) - 2)
        down = np.clip(np.searchsorted(cells.y, y, "right") - 1, 0, len(cells.y) - 2)
        image = QImage(wide, high, QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.bits(), np.uint32).reshape(high, wide)
        np.take(self._colors(cells.values)[:, across], down, axis=0, out=pixels, mode="clip")  # line by line
        return image

    def _colors(self, values: NDArray[np.float64]) -> NDArray[np.uint32]:
        if len(self.scene.classes) > 2 and len(values) > 1:
            return class_colors(values)
        if self.scene.classes:
            return surface_colors(2 * values[-1] - 1)  # of the second class, also where softmax tells both
        return surface_colors(self.scene.shares(values[0]))

    def _boundary_lines(self, cells: ModelCells) -> NDArray[np.float64]:
        """The sides of cells between which the predicted class changes, shape (n, 4)."""
        if not self.scene.classes:
            return np.empty((0, 4))
        values = cells.values
        side = values[0] >= 0.5 if len(values) == 1 else values.argmax(axis=0)
        across = self.pixels(cells.x, np.zeros(len(cells.x)))[0]
        up = self.pixels(np.zeros(len(cells.y)), cells.y)[1]
        row, left = np.nonzero(side[:, 1:] != side[:, :-1])
        below, column = np.nonzero(side[1:] != side[:-1])
        return np.concatenate([
            np.stack([across[left + 1], up[row], across[left + 1], up[row + 1]], axis=1),
            np.stack([across[column], up[below + 1], across[column + 1], up[below + 1]], axis=1),
        ])

    def _paint_cuts(self, painter: QPainter) -> None:
        picture = self.scene.picture
        for cut in reversed(picture.cuts if picture is not None else []):
            pen = QPen(theme().color("accent"), CUT if cut.depth else FIRST_CUT)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            dashes = DASHES[min(cut.depth, len(DASHES) - 1)]
            if dashes:
                pen.setDashPattern(dashes)
            painter.setPen(pen)
            if cut.upright:
                line = QLineF(self.across(cut.at), self.up(cut.begin), self.across(cut.at), self.up(cut.end))
            else:
                line = QLineF(self.across(cut.begin), self.up(cut.at), self.across(cut.end), self.up(cut.at))
            painter.drawLine(line)

    def _paint_points(self, painter: QPainter, places: NDArray[np.int64]) -> None:
        """Paint some points, large ones last, so that they are seen whole."""
        scene, target = self.scene, self.scene.target[places]
        x, y = self.pixels(self.xs[places], self.ys[places])
        radii, n_classes = self.radii[places], len(scene.classes)
        if n_classes:
            kinds = labels = target.astype(np.int64)
            colors = [class_color(index, n_classes).rgb() for index in range(n_classes)]
        else:
            shares = np.clip(scene.shares(target.astype(np.float64)), -1, 1)
            kinds, labels = np.rint((shares + 1) * SHADES).astype(np.int64), np.zeros(len(places), np.int64)
            colors = [value_color(step / SHADES - 1).rgb() for step in range(2 * SHADES + 1)]
        order = np.argsort(radii, kind="stable")
        order = order[np.isfinite(x + y)[order]]
        paint_marks(painter, x[order], y[order], radii[order], labels[order],
                    np.array(colors, np.uint32)[kinds[order]])

    def _paint_rings(self, painter: QPainter) -> None:
        for place in {self._at, self.scene.marked} - {-1}:
            painter.setPen(QPen(theme().color("text1" if place == self._at else "accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            wide = float(self.radii[place]) + RING
            painter.drawEllipse(self.place_of(place), wide, wide)
