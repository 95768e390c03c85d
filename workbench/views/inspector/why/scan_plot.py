"""The gain of every cut of a column: points on a thin line, the winner, what is refused, the rows below."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QContextMenuEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QMenu, QSizePolicy

from workbench.explain.node_text import gain_text
from workbench.isolation import isolated
from workbench.round_numbers import ticks
from workbench.views.curves.ink import width, write
from workbench.views.data.axes import TOP, SmallPlot
from workbench.views.data.axis_text import brief
from workbench.views.edits.actions import menu_words
from workbench.views.inspector.why.fitted_words import (
    LEVEL_WORDS,
    fitted_words,
    free_of_stem,
    in_lines,
    reason_height,
)
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent

    from workbench.explain.spread import RugLine
    from workbench.views.inspector.why.scan_curve import ScanCurve

LEAST_HEIGHT = 120
RUG_LINE = 8
DOT, WINNER = 2.6, 5.0
MOST_DOTS = 150  # beyond, the line alone is drawn
HEADROOM, FOOTROOM = 0.16, 0.04  # over the highest gain, for the words of the winner; and under the lowest
MOST_ROWS = 5  # steps of the vertical axis
REASON_LINE = WORDS = 14  # pixels of each of its lines, and of others
HANDLE_REACH = 6  # pixels beside the line of the split from which it is dragged
REASON_ROOM = 64  # pixels of a refused range from which its reason is written there


class ScanPlot(SmallPlot):
    """One curve, or two with another laid over.

    `read` tells the cut under the cursor in words, `copy_wanted` the curve whose values are to be copied,
    `cut_wanted` the cut that a person wants made, and whether the threshold only moves there. That of the
    split is dragged by its line.
    """

    keeps_arrows = True
    read = Signal(str)
    copy_wanted = Signal(object)
    cut_wanted = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__(LEAST_HEIGHT)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.setProperty("keeps_size", True)  # it is as high as there is room
        self.setMaximumHeight(16_777_215)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.curve: ScanCurve | None = None
        self.over: ScanCurve | None = None
        self._rug: tuple[RugLine, ...] = ()
        self._level: tuple[str, float] | None = None
        self._at = -1
        self._may_cut = self._may_move = False
        self._dragged = -1  # the cut to which the threshold is being dragged

    def let_cut(self, allowed: bool, *, moves: bool) -> None:
        """Let the person ask for other cuts; where it `moves`, the threshold of the split is dragged."""
        self._may_cut, self._may_move = allowed, allowed and moves
        self.update()

    @property
    def _handle(self) -> float | None:
        """Where the line stands that can be dragged."""
        curve = self.curve
        return self._stem if self._may_move and curve is not None and curve.made >= 0 else None

    def show_scan(
        self, curve: ScanCurve | None, rug: tuple[RugLine, ...] = (), over: ScanCurve | None = None,
        level: tuple[str, float] | None = None,
    ) -> None:
        """Show another scan; `level` is another column's name and its best gain."""
        self.curve, self.over, self._rug, self._level = curve, over, rug, level
        self._at = self._dragged = -1
        if curve is not None and len(curve):
            self._fit(curve)
            self.setAccessibleName(f"Scan of {isolated(curve.feature.name)}")
            self.setAccessibleDescription(curve.summary)
        self.update()

    def _fit(self, curve: ScanCurve) -> None:
        gains = [curve.gain, *([self.over.gain] if self.over is not None and len(self.over) else [])]
        highest = max(0.0, *(float(g.max()) for g in gains), self._level[1] if self._level else 0.0)
        lowest = min(0.0, *(float(g.min()) for g in gains))
        room = (highest - lowest) or 1.0
        self._y_range = (lowest - FOOTROOM * room if lowest < 0 else 0.0, highest + HEADROOM * room)
        self._y_ticks = [(value, brief(value)) for value in ticks(*self._y_range, MOST_ROWS)]
        if curve.is_numeric:
            self.set_x(curve.low, curve.high, curve.feature.kind)
        else:
            self.set_x_names(curve.names)
        self.set_left(self.left_needed)

    @property
    def plot_rect(self) -> QRectF:
        wide = max(1, self.width() - self._left - 6)
        return QRectF(self._left, TOP, wide, max(1, self.height() - TOP - self._bottom - self._rug_height))

    @property
    def _rug_height(self) -> int:
        is_there = self._rug and self.curve is not None and self.curve.is_numeric
        return RUG_LINE * len(self._rug) + 4 if is_there else 0

    @property
    def _text_top(self) -> float:
        return super()._text_top + self._rug_height

    # --- painting ---------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        curve = self.curve
        if curve is None or not len(curve):
            return
        painter = QPainter(self)
        self.paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_refused(painter, curve)
        self._paint_zero(painter)
        if curve.is_numeric:
            self._paint_rug(painter)
        if self.over is not None and len(self.over):
            self._paint_over(painter, self.over)
        if curve.is_ordered:
            self._paint_line(painter, self._points(curve))
        self._paint_dots(painter, curve)
        self._paint_level(painter)
        self._paint_winner(painter, curve)
        self._paint_handle(painter)
        self._paint_cursor(painter, curve)

    def _paint_handle(self, painter: QPainter) -> None:
        """What the threshold is dragged by, at the foot of its line; and where it would stand."""
        if self._handle is None or self.curve is None:
            return
        foot = self.plot_rect.bottom()
        painter.setPen(QPen(theme().color("data"), 1))
        painter.setBrush(theme().color("accent"))
        painter.drawRoundedRect(QRectF(self._handle - 4, foot - 6, 8, 12), 2, 2)
        if self._dragged >= 0:
            x = self._points(self.curve)[self._dragged].x()
            painter.setPen(QPen(theme().color("accent"), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, self.plot_rect.top()), QPointF(x, foot))

    def _points(self, curve: ScanCurve) -> list[QPointF]:
        """Where the cuts stand; another column's are stretched over the same width."""
        plot, span = self.plot_rect, curve.high - curve.low or 1.0
        across = plot.left() + (curve.x - curve.low) / span * plot.width()
        up = self.pixels(curve.x, curve.gain)[1]
        return [QPointF(x, y) for x, y in zip(across.tolist(), up.tolist(), strict=True)]

    def _paint_refused(self, painter: QPainter, curve: ScanCurve) -> None:
        plot = self.plot_rect
        brush = QBrush(theme().color("line2"), Qt.BrushStyle.BDiagPattern)
        for begin, end, why in curve.refused_ranges:
            left, right = self.across(begin), self.across(end)
            painter.fillRect(QRectF(left, plot.top(), max(right - left, 2.0), plot.height()), brush)
            if right - left >= REASON_ROOM:
                lines = ["refused:", *in_lines(why, right - left - 8)]
                middle, half = (left + right) / 2, min(max(map(width, lines)), right - left - 8) / 2
                tall = REASON_LINE * len(lines) / 2
                height = reason_height(plot, self._level_height, tall)
                ground = QRectF(middle - half, height - tall, 2 * half, 2 * tall)
                painter.fillRect(ground, theme().color("data"))
                for place, words in enumerate(lines):
                    y = height - tall + REASON_LINE * (place + 0.5)
                    write(painter, words, middle, y, token="text2", align="centre", most=2 * half)

    @property
    def _level_height(self) -> float | None:
        """The pixel of the other column's best gain; None where it is not shown."""
        return self.up(self._level[1]) if self._level is not None and self.over is None else None

    def _paint_zero(self, painter: QPainter) -> None:
        y = round(min(self.up(0.0), self.plot_rect.bottom())) + 0.5
        painter.setPen(QPen(theme().color("ctl"), 1))
        painter.drawLine(QPointF(self.plot_rect.left(), y), QPointF(self.plot_rect.right(), y))

    def _paint_line(self, painter: QPainter, points: list[QPointF]) -> None:
        painter.setPen(QPen(theme().color("train", 0.6), 1.25))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(_thinned(points)))

    def _paint_dots(self, painter: QPainter, curve: ScanCurve) -> None:
        if len(curve) > MOST_DOTS:
            return
        for point, refused in zip(self._points(curve), curve.refused, strict=True):
            painter.setPen(QPen(theme().color("ctl"), 1) if refused else Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("data" if refused else "train"))
            painter.drawEllipse(point, DOT, DOT)

    def _paint_over(self, painter: QPainter, over: ScanCurve) -> None:
        painter.setPen(QPen(theme().category(1), 1.25, Qt.PenStyle.DashLine))
        points = self._points(over)
        painter.drawPolyline(QPolygonF(_thinned(points)))
        if over.best >= 0:
            painter.setBrush(theme().category(1))
            painter.drawEllipse(points[over.best], DOT, DOT)

    def _paint_level(self, painter: QPainter) -> None:
        if self._level is None or self._level_height is None:
            return
        (name, gain), plot, y = self._level, self.plot_rect, self._level_height
        painter.setPen(QPen(theme().color("text3"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        head, tail = "best of ", f", {gain_text(gain)}"
        left, room = free_of_stem(plot, self._stem, width(head + name + tail))
        words = fitted_words(head, name, tail, room)
        is_left = left == plot.left()
        x, taken = left + 4 if is_left else plot.right() - 2, width(words)
        below = QRectF(x if is_left else x - taken, y + 2, taken, WORDS)
        is_free = y + LEVEL_WORDS <= plot.bottom() and not below.intersects(self._winner_box)
        beside = 9 if is_free else -9
        write(painter, words, x, y + beside, token="text2", align="left" if is_left else "right", halo="data")

    @property
    def _stem(self) -> float | None:
        """Where the line of the marked cut stands; None where there is none."""
        place = -1 if self.curve is None else self.curve.made if self.curve.made >= 0 else self.curve.best
        return None if self.curve is None or place < 0 else self._points(self.curve)[place].x()

    def _paint_winner(self, painter: QPainter, curve: ScanCurve) -> None:
        place = curve.made if curve.made >= 0 else curve.best
        if place < 0:
            return
        plot, point = self.plot_rect, self._points(curve)[place]
        token = "accent" if curve.made >= 0 else "text2"
        painter.setPen(QPen(theme().color(token), 1.5))
        painter.drawLine(point, QPointF(point.x(), plot.bottom()))
        painter.setPen(QPen(theme().color("data"), 1.5))
        painter.setBrush(theme().color(token))
        painter.drawEllipse(point, WINNER, WINNER)
        box = self._winner_box
        write(painter, self.winner_words, box.left(), box.center().y(), token=token, bold=True, halo="data",
              most=box.width() + 1)

    @property
    def _winner_box(self) -> QRectF:
        """Where the words of the marked cut stand; empty where there are none."""
        curve, plot, words = self.curve, self.plot_rect, self.winner_words
        if curve is None or not words:
            return QRectF()
        point = self._points(curve)[curve.made if curve.made >= 0 else curve.best]
        taken = min(width(words, bold=True), plot.width())
        left = min(max(point.x() - taken / 2, plot.left() + 4), plot.right() - taken)
        return QRectF(left, max(point.y() - 14, 8) - WORDS / 2, taken, WORDS)

    @property
    def winner_words(self) -> str:
        """What is written at the marked cut: "0.65 wins, 2.459"; "" where none is marked."""
        curve = self.curve
        place = -1 if curve is None else curve.made if curve.made >= 0 else curve.best
        if curve is None or place < 0:
            return ""
        verb = curve.verb(self._level[1] if self._level else -math.inf)
        return f"{isolated(curve.name(place))} {verb}, {gain_text(float(curve.gain[place]))}"

    def _paint_rug(self, painter: QPainter) -> None:
        plot = self.plot_rect
        for place, line in enumerate(self._rug):
            top = plot.bottom() + 5 + RUG_LINE * place
            color = theme().category(line.class_index) if line.class_index >= 0 else theme().color("text3")
            if len(self._rug) == 2:
                color = theme().weight(-0.7 if place == 0 else 0.7)
            painter.setPen(QPen(color, 1))
            across = np.unique(np.round(self.pixels(line.values, np.zeros(len(line.values)))[0])) + 0.5
            painter.drawLines([QLineF(x, top, x, top + RUG_LINE - 3) for x in across.tolist()])

    def _paint_cursor(self, painter: QPainter, curve: ScanCurve) -> None:
        if not 0 <= self._at < len(curve):
            return
        point = self._points(curve)[self._at]
        painter.setPen(QPen(theme().color("text1"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(point, WINNER + 1, WINNER + 1)

    # --- reading ----------------------------------------------------------------------------

    def _look_at(self, place: int) -> None:
        if place != self._at:
            self._at = place
            known = self.curve is not None and 0 <= place < len(self.curve)
            self.read.emit(self.curve.words(place) if known and self.curve is not None else "")
            self.update()

    def _nearest(self, x: float) -> int:
        """The cut nearest to a pixel; −1 where there is none."""
        if self.curve is None or not len(self.curve):
            return -1
        across = np.array([point.x() for point in self._points(self.curve)])
        return int(np.abs(across - x).argmin())

    def _is_on_handle(self, x: float) -> bool:
        return self._handle is not None and abs(x - self._handle) <= HANDLE_REACH

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_handle(event.position().x()):
            self._dragged = self._nearest(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._nearest(event.position().x())
        if self._dragged >= 0:
            self._dragged = place
        if self._dragged >= 0 or self._is_on_handle(event.position().x()):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            self.unsetCursor()
        self._look_at(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place, self._dragged = self._dragged, -1
        self.update()
        if place >= 0 and self.curve is not None and place != self.curve.made:
            self.cut_wanted.emit(place, True)

    def leaveEvent(self, event: object) -> None:
        self._look_at(-1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._look_at(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from cut to cut; Enter asks for the one that is read, Escape lets go."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._can_cut(self._at):
            self.cut_wanted.emit(self._at, self._may_move)
            return
        if event.key() == Qt.Key.Key_Escape and self._dragged >= 0:
            self._dragged = -1
            self.update()
            return
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step or self.curve is None or not len(self.curve):
            super().keyPressEvent(event)
            return
        start = self._at if self._at >= 0 else max(self.curve.made, self.curve.best, 0) - step
        self._look_at(min(max(start + step, 0), len(self.curve) - 1))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.curve is None:
            return
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        place = self._nearest(event.pos().x()) if by_mouse else self._at
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy values", partial(self.copy_wanted.emit, self.curve))
        if self._can_cut(place):
            name = menu_words(self.curve.name(place))
            if self._may_move:
                menu.addAction(f"Move the threshold to {name}", partial(self.cut_wanted.emit, place, True))
            menu.addAction(f"Cut here, at {name}", partial(self.cut_wanted.emit, place, False))
        menu.popup(event.globalPos())

    def _can_cut(self, place: int) -> bool:
        """Whether a cut may be asked for that the node does not make already."""
        curve = self.curve
        return self._may_cut and curve is not None and 0 <= place < len(curve) and place != curve.made


def _thinned(points: list[QPointF]) -> list[QPointF]:
    """Of many points, the lowest and the highest of each pixel column."""
    if len(points) <= 4 * MOST_DOTS:
        return points
    kept: list[QPointF] = []
    columns: dict[int, list[QPointF]] = {}
    for point in points:
        columns.setdefault(int(point.x()), []).append(point)
    for own in columns.values():
        ends = sorted(own, key=lambda point: point.y())
        kept += sorted([ends[0], ends[-1]], key=lambda point: point.x())
    return kept
