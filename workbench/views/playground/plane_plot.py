"""The plane of two variables: surface, boundary, cuts of a tree, and points that can be taken in hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from workbench.views.curves.ink import font, width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.look.fonts import NOTE
from workbench.views.look.theme import theme
from workbench.views.playground.inks import (
    class_color,
    class_colors,
    paint_mark,
    surface_colors,
    value_color,
)
from workbench.views.playground.plane_scene import PlaneScene

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from workbench.explain.plane.cells import Cells

LEFT_ROOM, BOTTOM_ROOM = 38, 20
REACH = 9.0  # pixels from which a point is pointed at
ERASER = 11.0
BOUNDARY, CUT = 1.75, 1.5
FIRST_CUT = 2.25
DASHES = ([], [5.0, 3.0], [1.0, 2.5])  # of cuts by depth, in widths of the pen
TIP_PADDING, TIP_LINE = 10, 17
STEP_KEYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}


class PlanePlot(SmallPlot):
    """Tells what the hand does in the coordinates of the plane; points are told by their place."""

    pressed = Signal(float, float, int, bool)  # where, the point there or −1, and whether by the right button
    dragged = Signal(float, float)
    erased = Signal(float, float, float, float)  # where, and how far the eraser reaches across and up
    released = Signal()
    stepped = Signal(int)
    pointed = Signal(int)

    keeps_arrows = True

    def __init__(self) -> None:
        super().__init__(200)
        self.setMinimumHeight(160)
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Plane of two variables")
        self._left, self._bottom = LEFT_ROOM, BOTTOM_ROOM
        self.scene = PlaneScene()
        self.brush = ""  # what the button does: "add", "move", "erase"; "" only points
        self.tip: tuple[str, ...] = ()  # of the point that is pointed at
        self.sentence = ""  # in place of points
        self._at = -1
        self._cursor: QPointF | None = None
        self._image: QImage | None = None
        self._boundary: list[QLineF] = []

    def show_scene(self, scene: PlaneScene) -> None:
        """Show another scene."""
        before, self.scene = self.scene, scene
        left, right, low, high = scene.limits
        self.set_x(left, right)
        self.set_y_span(low, high, max(2, self.height() // 110))
        same = before.picture is scene.picture and before.limits == scene.limits
        if not (same and before.span == scene.span):
            self._image = None
        if self._at >= len(scene.x):
            self._point_at(-1)
        self.update()

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        self._image = None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._image = None
        self._bottom = BOTTOM_ROOM

    # --- the hand ---------------------------------------------------------------------------

    def value_at(self, place: QPointF) -> tuple[float, float]:
        """The coordinates of a pixel, within the paper."""
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        across = min(max((place.x() - plot.left()) / max(plot.width(), 1), 0.0), 1.0)
        up = min(max((plot.bottom() - place.y()) / max(plot.height(), 1), 0.0), 1.0)
        return left + across * (right - left), low + up * (high - low)

    def place_of(self, point: int) -> QPointF:
        """The pixel of a point."""
        return QPointF(self.across(float(self.scene.x[point])), self.up(float(self.scene.y[point])))

    def point_at(self, place: QPointF, reach: float = REACH) -> int:
        """The nearest point within reach of a pixel; −1 where there is none."""
        if not len(self.scene.x):
            return -1
        x, y = self._pixels()
        far = np.hypot(x - place.x(), y - place.y()) - self.scene.radii
        nearest = int(far.argmin())
        return nearest if far[nearest] <= reach - 4 else -1

    def _pixels(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        x = plot.left() + (self.scene.x.astype(np.float64) - left) * (plot.width() / ((right - left) or 1))
        y = plot.bottom() - (self.scene.y.astype(np.float64) - low) * (plot.height() / ((high - low) or 1))
        return x, y

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if not self.plot_rect.adjusted(-4, -4, 4, 4).contains(place):
            return
        if self.brush == "erase":
            self._erase(place)
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            is_right = event.button() == Qt.MouseButton.RightButton
            self.pressed.emit(*self.value_at(place), self.point_at(place), is_right)
        self._point_at(-1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._cursor = event.position()
        if event.buttons() == Qt.MouseButton.NoButton:
            inside = self.plot_rect.contains(self._cursor)
            self._point_at(self.point_at(self._cursor) if inside else -1)
            self._show_cursor(inside)
        elif self.brush == "erase":
            self._erase(self._cursor)
        else:
            self.dragged.emit(*self.value_at(self._cursor))
        if self.brush == "erase":
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._cursor = None
        self._point_at(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEP_KEYS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() not in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        ):  # fmt: skip
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)

    def _erase(self, place: QPointF) -> None:
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        reach = ERASER * (right - left) / plot.width(), ERASER * (high - low) / plot.height()
        self.erased.emit(*self.value_at(place), *reach)

    def _point_at(self, point: int) -> None:
        if point != self._at:
            self._at = point
            self.tip = ()
            self.pointed.emit(point)
            self.update()

    def _show_cursor(self, inside: bool) -> None:
        over, hand = self._at >= 0, self.brush in ("add", "move")
        shape = Qt.CursorShape.ArrowCursor
        if inside and over and hand:
            shape = Qt.CursorShape.OpenHandCursor
        elif inside and self.brush == "add":
            shape = Qt.CursorShape.CrossCursor
        elif inside and self.brush == "erase":
            shape = Qt.CursorShape.BlankCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    # --- the picture ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint(painter)

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
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
            painter.setPen(QPen(theme().color("text1"), BOUNDARY, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawLines(self._boundary)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if "cuts" in scene.ticks:
            self._paint_cuts(painter)
        self._paint_points(painter)
        painter.restore()
        self._paint_names(painter, plot)
        if self.brush == "erase" and self._cursor is not None and plot.contains(self._cursor):
            painter.setPen(QPen(theme().color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._cursor, ERASER, ERASER)
        if self.sentence:
            write(painter, self.sentence, plot.center().x(), plot.center().y(), pixels=13, token="text2",
                  align="centre", halo="data", most=plot.width() - 24)
        if self._at >= 0 and self.tip:
            self._paint_tip(painter, plot)

    def _paint_names(self, painter: QPainter, plot: QRectF) -> None:
        names = self.scene.names
        write(painter, names[1], self._left - 7, plot.top() + 6, align="right", most=self._left - 8, token="text2")
        write(painter, names[0], plot.right(), self.height() - 8, align="right", most=plot.width() / 3,
              token="text2", halo="data")

    def _paint_surface(self, painter: QPainter, plot: QRectF) -> None:
        picture = self.scene.picture
        if picture is None:
            return
        if self._image is None:
            self._image = self._surface(picture.cells, plot)
            self._boundary = self._boundary_lines(picture.cells)
        if "surface" in self.scene.ticks:
            painter.drawImage(plot, self._image)

    def _surface(self, cells: Cells, plot: QRectF) -> QImage:
        """Each pixel in the colour of its cell."""
        ratio = self.devicePixelRatioF()
        wide, high = max(1, round(plot.width() * ratio)), max(1, round(plot.height() * ratio))
        left, right, low, top = self.scene.limits
        x = left + (np.arange(wide) + 0.5) * ((right - left) / wide)
        y = top - (np.arange(high) + 0.5) * ((top - low) / high)
        across = np.clip(np.searchsorted(cells.x, x, "right") - 1, 0, len(cells.x) - 2)
        down = np.clip(np.searchsorted(cells.y, y, "right") - 1, 0, len(cells.y) - 2)
        pixels = np.ascontiguousarray(self._colors(cells.values)[down[:, None], across[None, :]])
        image = QImage(pixels.data, wide, high, 4 * wide, QImage.Format.Format_RGB32)
        return image.copy()

    def _colors(self, values: NDArray[np.float64]) -> NDArray[np.uint32]:
        if len(self.scene.classes) > 2 and len(values) > 1:
            return class_colors(values)
        if self.scene.classes:
            return surface_colors(2 * values[0] - 1)
        return surface_colors(self.scene.shares(values[0]))

    def _boundary_lines(self, cells: Cells) -> list[QLineF]:
        """The sides of cells between which the predicted class changes."""
        if not self.scene.classes:
            return []
        values = cells.values
        side = values[0] >= 0.5 if len(values) == 1 else values.argmax(axis=0)
        across, up = [self.across(x) for x in cells.x], [self.up(y) for y in cells.y]
        lines = []
        for row, column in np.argwhere(side[:, 1:] != side[:, :-1]).tolist():
            lines.append(QLineF(across[column + 1], up[row], across[column + 1], up[row + 1]))
        for row, column in np.argwhere(side[1:] != side[:-1]).tolist():
            lines.append(QLineF(across[column], up[row + 1], across[column + 1], up[row + 1]))
        return lines

    def _paint_cuts(self, painter: QPainter) -> None:
        picture = self.scene.picture
        for cut in reversed(picture.cuts if picture is not None else []):
            pen = QPen(theme().color("accent"), CUT if cut.depth else FIRST_CUT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            dashes = DASHES[min(cut.depth, len(DASHES) - 1)]
            if dashes:
                pen.setDashPattern(dashes)
            painter.setPen(pen)
            if cut.upright:
                line = QLineF(self.across(cut.at), self.up(cut.begin), self.across(cut.at), self.up(cut.end))
            else:
                line = QLineF(self.across(cut.begin), self.up(cut.at), self.across(cut.end), self.up(cut.at))
            painter.drawLine(line)

    def _paint_points(self, painter: QPainter) -> None:
        """Large points last, so that they are seen whole."""
        scene = self.scene
        if not len(scene.x):
            return
        x, y = self._pixels()
        radii = scene.radii
        painter.setPen(QPen(theme().color("data"), 1))
        n_classes = len(scene.classes)
        if n_classes:
            labels = scene.target.astype(np.int64)
            colors = [class_color(index, n_classes) for index in range(n_classes)]
        else:
            labels = np.zeros(len(scene.x), np.int64)
            shares = np.clip(scene.shares(scene.target.astype(np.float64)), -1, 1).tolist()
        known = x.tolist(), y.tolist(), radii.tolist(), labels.tolist()
        for place in np.argsort(radii, kind="stable").tolist():
            label = known[3][place]
            painter.setBrush(colors[label] if n_classes else value_color(shares[place]))
            paint_mark(painter, known[0][place], known[1][place], known[2][place], label)
        for place in {self._at, scene.marked} - {-1}:
            painter.setPen(QPen(theme().color("text1" if place == self._at else "accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(known[0][place], known[1][place]), known[2][place] + 5, known[2][place] + 5)

    def _paint_tip(self, painter: QPainter, plot: QRectF) -> None:
        """Paint what is known of a point in a box beside it."""
        wide = max(width(line, NOTE, place == 0) for place, line in enumerate(self.tip)) + 2 * TIP_PADDING
        high = TIP_LINE * len(self.tip) + TIP_PADDING
        at = self.place_of(self._at)
        x = at.x() + 20 if at.x() + 20 + wide < plot.right() else at.x() - 20 - wide
        y = min(max(at.y() - high - 8, plot.top() + 4), plot.bottom() - high - 4)
        box = QRectF(round(x) + 0.5, round(y) + 0.5, round(wide), high)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(theme().color("raised"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font(NOTE))
        for place, line in enumerate(self.tip):
            write(painter, line, box.left() + TIP_PADDING, box.top() + TIP_PADDING / 2 + TIP_LINE * (place + 0.5),
                  pixels=NOTE, token="text1" if place == 0 else "text2", bold=place == 0)
