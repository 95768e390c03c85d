"""A row of a list that is pressed like a button; what stands in it is painted by its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.errors import one_line
from workbench.views.look.focus_ring import by_keyboard
from workbench.views.look.fonts import BODY, ui_font
from workbench.views.look.scale import px
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPaintEvent


class ListButton(QPushButton):
    """Fixed height, hairline below, ground by hover and press; override `paint_content`."""

    def __init__(self, height: int, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ring = False
        self._height = height
        self._first = False
        self.setFixedHeight(px(height))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        set_tip(self, name)

    def set_height(self, height: int) -> None:
        """Stand higher or lower."""
        self._height = height
        self.setFixedHeight(px(height))

    def set_first(self, first: bool) -> None:
        """Draw a hairline above too, as at the head of a list."""
        self._first = first
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, px(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, px(self._height))

    def paint_content(self, painter: QPainter, rect: QRectF) -> None:
        """Paint what the row tells."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(0, 0, 0, -1)
        if self.isDown() or self.underMouse():
            painter.fillRect(area, theme().color("press" if self.isDown() else "hover"))
        painter.fillRect(QRectF(0, area.bottom(), area.width(), 1), theme().color("line"))
        if self._first:
            painter.fillRect(QRectF(0, 0, area.width(), 1), theme().color("line"))
        self.paint_content(painter, area)
        if self._ring:
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(1, 1, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = by_keyboard(self, event.reason())
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)


def write(
    painter: QPainter, place: QRectF, text: str, token: str = "text1", pixels: int = BODY,
    *, bold: bool = False, right: bool = False,
) -> None:
    """Paint one line of text, elided to `place`, centred in its height."""
    font = ui_font(pixels, bold=bold)
    shown = QFontMetrics(font).elidedText(one_line(text), Qt.TextElideMode.ElideRight, int(place.width()))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(theme().color(token))
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)
