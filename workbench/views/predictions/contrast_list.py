"""Columns in which selected rows differ most from the rest: two distributions over one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.number_text import figure, percent
from workbench.views.curves.ink import write
from workbench.views.look.fonts import NOTE
from workbench.views.look.scale import px
from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from workbench.explain.predictions.column_contrast import ColumnContrast

HIGH, MARGIN, BARS = 74, 14, 34


class ContrastList(QWidget):
    """The selected rows in accent, the rest in grey; a click selects the column."""

    column_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.contrasts: tuple[ColumnContrast, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Columns of the selected rows against the rest")

    def show_contrasts(self, contrasts: Sequence[ColumnContrast]) -> None:
        """Show other columns."""
        self.contrasts = tuple(contrasts)
        told = (f"{one.name}: {percent(one.distance)} apart" for one in contrasts)
        self.setAccessibleDescription(", ".join(told))
        self.setFixedHeight(max(1, px(HIGH) * len(self.contrasts)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, px(HIGH) * len(self.contrasts))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = int(event.position().y() // px(HIGH))
        if event.button() == Qt.MouseButton.LeftButton and place < len(self.contrasts):
            self.column_chosen.emit(self.contrasts[place].name)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, contrast in enumerate(self.contrasts):
            room = QRectF(MARGIN, place * px(HIGH), self.width() - 2 * MARGIN, px(HIGH))
            if room.intersects(QRectF(event.rect())):  # few of them are seen at once
                self._paint_contrast(painter, contrast, room)
        painter.end()

    def _paint_contrast(self, painter: QPainter, contrast: ColumnContrast, room: QRectF) -> None:
        y = room.top() + px(11)
        told = _told(contrast)
        taken = write(painter, told, room.right(), y, token="text2", align="right", most=room.width() * 0.6)
        write(painter, contrast.name, room.left(), y, pixels=NOTE, token="text1", bold=True,
              most=room.width() - taken - 10)
        bars = QRectF(room.left(), y + px(9), room.width(), px(BARS))
        highest = float(max(contrast.own.max(initial=0), contrast.rest.max(initial=0))) or 1.0
        for values, is_own in ((contrast.rest, False), (contrast.own, True)):
            self._paint_steps(painter, values / highest, bars, is_own)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawLine(bars.bottomLeft(), bars.bottomRight())
        self._paint_ends(painter, contrast, bars)

    def _paint_steps(
        self, painter: QPainter, heights: NDArray[np.float64], bars: QRectF, is_own: bool
    ) -> None:
        x = bars.left() + np.repeat(np.arange(len(heights) + 1), 2)[1:-1] * (bars.width() / len(heights))
        y = bars.bottom() - np.repeat(heights, 2) * bars.height()
        points = [QPointF(*place) for place in zip(x.tolist(), y.tolist(), strict=True)]
        area = QPolygonF([QPointF(bars.left(), bars.bottom()), *points, QPointF(bars.right(), bars.bottom())])
        if is_own:
            painter.setBrush(theme().color("accent", 0.22))
            painter.setPen(QPen(theme().color("accent"), 1.5))
        else:
            painter.setBrush(theme().color("ctl", 0.30))
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(area)

    def _paint_ends(self, painter: QPainter, contrast: ColumnContrast, bars: QRectF) -> None:
        y = bars.bottom() + px(8)
        if contrast.names:
            wide = bars.width() / len(contrast.names)
            for place, name in enumerate(contrast.names):
                middle = bars.left() + (place + 0.5) * wide
                write(painter, name, middle, y, align="centre", most=wide - 3)
        else:
            write(painter, figure(float(contrast.edges[0]), 3), bars.left(), y)
            write(painter, figure(float(contrast.edges[-1]), 3), bars.right(), y, align="right")


def _told(contrast: ColumnContrast) -> str:
    """The difference in words: the medians, or the category that is most over-represented."""
    if not contrast.names:
        return f"{figure(contrast.middle, 3)}, else {figure(contrast.rest_middle, 3)}"
    place = int((contrast.own - contrast.rest).argmax())
    own, rest = percent(float(contrast.own[place])), percent(float(contrast.rest[place]))
    return f"{contrast.names[place]} {own}, else {rest}"
