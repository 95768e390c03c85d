"""The confusion matrix: classes as they are, down, and as they were taken, across."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QPushButton

from workbench.number_text import amount, percent
from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import AXIS, BODY, HERO, NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import text_on, theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.predictions.plot import LEFT, NO_ROWS, RIGHT, TOP, PredictionPlot

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from workbench.explain.predictions.confusion import Confusion
    from workbench.views.predictions.plot import Cells

NAME_SHARE = 0.28  # of the width, at most, for the names at the left
HEAD, FOOT = 20, 24
NUMBERS_FROM, SHARES_FROM = 14, 44  # pixels of a cell that can hold its number, and its share
RAMP = 64
WHOLE_NAMES_FROM = 12  # classes: of more, few are named, but these can be read


class MatrixPlot(PredictionPlot):
    """Cells are coloured by their share of the row: the class as it is."""

    title = "Confusion matrix"
    brush = "xy"
    hint = "Click a cell, or drag over several, to select its rows."

    def __init__(self) -> None:
        super().__init__()
        self.matrix: Confusion | None = None
        self._image: QImage | None = None
        self.wrong_button = QPushButton("Select the wrong rows", self)
        set_look(self.wrong_button, fit="tool", flat=True)
        set_tip(self.wrong_button, "Select the rows that are taken for what they are not, in every view")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.wrong_button.sizeHint().width()
        self.wrong_button.setGeometry(LEFT - 8, self.height() - px(22), wide, px(24))

    def show_matrix(self, matrix: Confusion, when: str = "") -> None:
        """Show another matrix; `when` is said with it."""
        self.matrix, self._image = matrix, None
        k = len(matrix.labels)
        self._x_range = self._y_range = (0.0, float(k))
        total = float(matrix.cells.sum())
        self.phrase = f"{amount(matrix.wrong)} of {amount(total)} wrong {when}".strip()
        self.wrong_button.setVisible(matrix.wrong > 0)
        self.say("" if total > 0 else NO_ROWS)

    def wait(self) -> None:
        """Show that another matrix is being counted."""
        self.wrong_button.hide()
        self.say("Counting who is taken for whom.")

    @property
    def plot_rect(self) -> QRectF:
        names = self.matrix.labels if self.matrix else ()
        longest = max((width(name, NOTE) for name in names[:400]), default=20.0)
        left = LEFT + min(longest + 10, self.width() * NAME_SHARE) + 16
        room = QRectF(left, px(TOP) + px(HEAD), max(1.0, self.width() - left - RIGHT), 1)
        room.setBottom(max(room.top() + 1, self.height() - px(FOOT)))
        return room

    @property
    def _cell(self) -> tuple[float, float]:
        plot, k = self.plot_rect, len(self.matrix.labels) if self.matrix else 1
        return plot.width() / k, plot.height() / k

    def cells_between(
        self, left: float, right: float, low: float, high: float
    ) -> tuple[int, int, int, int]:
        """First and last class as they are, first and last as they were taken, of a rectangle."""
        k = len(self.matrix.labels) if self.matrix else 1
        first, last = (min(max(int(np.floor(value)), 0), k - 1) for value in (k - high, k - low))
        begin, end = (min(max(int(np.floor(value)), 0), k - 1) for value in (left, right))
        return first, last, begin, end

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._cursor else Qt.CursorShape.ArrowCursor)

    def point(self, place: tuple[float, float] | None) -> None:
        matrix = self.matrix
        if place is None or matrix is None:
            self.reading = ""
            return
        truth, _, taken, _ = self.cells_between(place[0], place[0], place[1], place[1])
        weight, support = float(matrix.cells[truth, taken]), float(matrix.support[truth])
        share = f", {percent(weight / support, 1)}" if support else ""
        words = "rightly" if truth == taken else f"as {matrix.labels[taken]}"
        self.reading = f"{amount(weight)} of {matrix.labels[truth]} taken {words}{share}"

    def restyle(self) -> None:
        self._image = None
        super().restyle()

    # --- the picture ------------------------------------------------------------------------

    def paint_content(self, painter: QPainter) -> None:
        matrix = self.matrix
        if matrix is None:
            return
        wide, high = self._cell
        if min(wide, high) < 6:
            self._paint_image(painter, matrix)
        else:
            self._paint_cells(painter, matrix)
        self._paint_names(painter, matrix)

    def paint_marks(self, painter: QPainter) -> None:
        if self._cursor is not None and self.matrix is not None:
            self._paint_pointed(painter)

    def _paint_image(self, painter: QPainter, matrix: Confusion) -> None:
        """Many classes: a pixel a cell, the weakest still seen."""
        if self._image is None:
            ramp = np.array([theme().gain(step / (RAMP - 1)).rgb() for step in range(RAMP)], np.uint32)
            shares = np.sqrt(matrix.shares)
            colours = ramp[(shares * (RAMP - 1)).astype(int)]
            colours[matrix.cells == 0] = theme().color("data").rgb()
            colours = np.ascontiguousarray(colours)
            k = len(matrix.labels)
            self._image = QImage(colours.tobytes(), k, k, 4 * k, QImage.Format.Format_RGB32).copy()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(self.plot_rect, self._image)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.plot_rect)

    def _paint_cells(self, painter: QPainter, matrix: Confusion) -> None:
        plot, (wide, high) = self.plot_rect, self._cell
        shares = matrix.shares
        for truth in range(len(matrix.labels)):
            for taken in range(len(matrix.labels)):
                box = QRectF(plot.left() + taken * wide, plot.top() + truth * high, wide, high)
                box = box.adjusted(1, 1, -1, -1)
                weight, share = float(matrix.cells[truth, taken]), float(shares[truth, taken])
                ground = theme().gain(share) if weight else theme().color("panel")
                painter.fillRect(box, ground)
                if wide < NUMBERS_FROM or high < 14 or not weight:
                    continue
                ink = text_on(ground)
                painter.setPen(ink)
                self._write_cell(painter, box, amount(weight), percent(share), truth == taken)

    def _write_cell(self, painter: QPainter, box: QRectF, number: str, share: str, is_right: bool) -> None:
        big = box.width() > 74 and box.height() > SHARES_FROM
        pixels = HERO if big else BODY if box.width() > 34 else AXIS
        if width(number, pixels, is_right) > box.width() - 2:
            return
        font = ui_font(pixels, bold=is_right)
        painter.setFont(font)
        middle = box.center()
        up = 9 if big else 0
        centre = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRectF(box.left(), middle.y() - up - 10, box.width(), 20), centre, number)
        if big:
            painter.setFont(ui_font(NOTE))
            painter.drawText(QRectF(box.left(), middle.y() + 2, box.width(), 18), centre, share)

    def _paint_names(self, painter: QPainter, matrix: Confusion) -> None:
        plot, (wide, high) = self.plot_rect, self._cell
        names = matrix.labels
        step = max(1, int(np.ceil(14 / high)))
        for place in range(0, len(names), step):
            y = plot.top() + (place + step / 2) * high
            if place and y > plot.bottom() - 4:  # it would lie on the one before
                break
            y = min(y, plot.bottom() - 6)
            write(painter, names[place], plot.left() - 8, y, pixels=NOTE, token="text2",
                  align="right", most=plot.left() - LEFT - 20, is_name=True)
        widest = max((width(name, NOTE) for name in names[:100]), default=0.0) + 4
        room = widest if len(names) > WHOLE_NAMES_FROM else min(24.0, widest)
        step = max(1, int(np.ceil(min(room, plot.width() / 2) / wide)))
        for place in range(0, len(names), step):
            x = plot.left() + (place + 0.5) * wide
            write(painter, names[place], x, plot.top() - px(9), pixels=NOTE, token="text2", align="centre",
                  most=step * wide - 4, is_name=True)
        painter.save()
        painter.translate(LEFT - 2, plot.center().y())
        painter.rotate(-90)
        write(painter, "is", 0, 0, align="centre")
        painter.restore()
        write(painter, "taken for", plot.right(), self.height() - px(FOOT) / 2 + 1, align="right")

    def _paint_pointed(self, painter: QPainter) -> None:
        assert self._cursor is not None
        x, y = self.value_at(self._cursor)
        truth, _, taken, _ = self.cells_between(x, x, y, y)
        plot, (wide, high) = self.plot_rect, self._cell
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().color("text1"), 1.5))
        corner = QPointF(plot.left() + taken * wide, plot.top() + truth * high)
        painter.drawRect(QRectF(corner.x(), corner.y(), max(wide, 3.0), max(high, 3.0)))

    def values(self) -> Cells:
        if self.matrix is None or self.sentence:
            return []
        lines = zip(self.matrix.labels, self.matrix.cells.tolist(), strict=True)
        return [("is \\ taken for", *self.matrix.labels), *((name, *cells) for name, cells in lines)]
