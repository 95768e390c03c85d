"""A plot whose points a hand can take: it tells what the hand does in the coordinates of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from workbench.views.curves.ink import width, write
from workbench.views.data.axes import SmallPlot
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

REACH = 9.0  # pixels from which a point is pointed at
REACHES = {"erase": 11.0, "noise": 26.0}  # pixels of a brush that is dragged over points
TIP_PADDING, TIP_LINE = 10, 17
STEP_KEYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
BARE = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class HandPlot(SmallPlot):
    """Points are told by their place; `xs`, `ys` and `radii` tell where they are."""

    pressed = Signal(float, float, int, bool)  # where, the point there or −1, and whether by the right button
    dragged = Signal(float, float)
    swept = Signal(float, float, float, float)  # where, and how far the brush reaches across and up
    released = Signal()
    stepped = Signal(int)
    pointed = Signal(int)

    keeps_arrows = True

    def __init__(self, name: str) -> None:
        super().__init__(200)
        self.setMinimumHeight(px(90))
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.brush = ""  # what the button does: "add", "move", "erase", "noise"; "" only points
        self.tip: tuple[str, ...] = ()  # of the point that is pointed at
        self.sentence = ""  # in place of points
        self.xs: NDArray[np.float64] = np.empty(0)
        self.ys: NDArray[np.float64] = np.empty(0)
        self.radii: NDArray[np.float64] = np.empty(0)
        self._at = -1
        self.held = -1  # the point that the button took
        self._cursor: QPointF | None = None

    def lay(self, x: NDArray[Any], y: NDArray[Any], radii: NDArray[np.float64]) -> None:
        """Tell where the points are."""
        self.xs, self.ys, self.radii = x.astype(np.float64), y.astype(np.float64), radii
        if self._at >= len(x):
            self._point_at(-1)

    # --- the hand ---------------------------------------------------------------------------

    def value_at(self, place: QPointF) -> tuple[float, float]:
        """The coordinates of a pixel, within the paper."""
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        across = min(max((place.x() - plot.left()) / max(plot.width(), 1), 0.0), 1.0)
        up = min(max((plot.bottom() - place.y()) / max(plot.height(), 1), 0.0), 1.0)
        return left + across * (right - left), low + up * (high - low)

    def place_of(self, point: int) -> QPointF:
        """The pixel of a point."""
        return QPointF(self.across(float(self.xs[point])), self.up(float(self.ys[point])))

    def point_at(self, place: QPointF, reach: float = REACH) -> int:
        """The nearest point within reach of a pixel; −1 where there is none."""
        if not len(self.xs):
            return -1
        x, y = self._pixels()
        far = np.hypot(x - place.x(), y - place.y()) - self.radii
        nearest = int(np.where(np.isfinite(far), far, np.inf).argmin())
        return nearest if far[nearest] <= reach - 4 else -1

    def _pixels(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.pixels(self.xs, self.ys)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if not self.plot_rect.adjusted(-4, -4, 4, 4).contains(place):
            return
        if self.brush in REACHES:
            self._sweep(place)
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            is_right = event.button() == Qt.MouseButton.RightButton
            self.held = self.point_at(place)
            self.pressed.emit(*self.value_at(place), self.held, is_right)
            self.update()  # what stays is painted before the hand moves
        self._point_at(-1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._cursor = event.position()
        if event.buttons() == Qt.MouseButton.NoButton:
            inside = self.plot_rect.contains(self._cursor)
            self._point_at(self.point_at(self._cursor) if inside else -1)
            self._show_cursor(inside)
        elif self.brush in REACHES:
            self._sweep(self._cursor)
        else:
            self.dragged.emit(*self.value_at(self._cursor))
        if self.brush in REACHES:
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.held = -1
        self.released.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._cursor = None
        self._point_at(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEP_KEYS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() not in BARE:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)

    def point_to(self, point: int) -> None:
        """Tell of a point, as when the cursor rests on it."""
        self._point_at(point)

    def _sweep(self, place: QPointF) -> None:
        plot, (left, right), (low, high) = self.plot_rect, self._x_range, self._y_range
        far = REACHES[self.brush]
        reach = far * (right - left) / plot.width(), far * (high - low) / plot.height()
        self.swept.emit(*self.value_at(place), *reach)

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
        elif inside and self.brush in REACHES:
            shape = Qt.CursorShape.BlankCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    # --- the picture ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint(QPainter(self))

    def paint(self, painter: QPainter) -> None:
        """Paint everything; also for a picture file."""
        raise NotImplementedError

    def paint_hand(self, painter: QPainter) -> None:
        """Paint the brush, the sentence and what is known of a point, over everything else."""
        plot = self.plot_rect
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        far = REACHES.get(self.brush, 0.0)
        if far and self._cursor is not None and plot.contains(self._cursor):
            painter.setPen(QPen(theme().color("text1"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._cursor, far, far)
        if self.sentence:
            write(painter, self.sentence, plot.center().x(), plot.center().y(), pixels=13, token="text2",
                  align="centre", halo="data", most=plot.width() - 24)
        if self._at >= 0 and self.tip:
            self._paint_tip(painter, plot)

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
        for place, line in enumerate(self.tip):
            middle = box.top() + TIP_PADDING / 2 + TIP_LINE * (place + 0.5)
            token = "text1" if place == 0 else "text2"
            write(painter, line, box.left() + TIP_PADDING, middle, pixels=NOTE, token=token, bold=place == 0)
