"""A pattern as a tile: its points, small, and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy

from workbench.views.curves.ink import width, write
from workbench.views.look.fonts import AXIS
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.look.tool_tip import set_tip
from workbench.views.playground.inks import class_color

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from workbench.session.playground.patterns import Pattern

HEIGHT, WORDS, MARGIN = 66, 18, 8
SHOWN, NOISE = 44, 0.05
DOT = 1.7
SMALLEST = 8  # pixels of a name that has little room


class PatternTile(QPushButton):
    """Checked while the drawing began with it."""

    def __init__(self, pattern: Pattern) -> None:
        super().__init__()
        self.pattern = pattern
        self.setCheckable(True)
        set_look(self, fit="tile")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(pattern.label)
        set_tip(self, f"Begin with {pattern.label.lower()}")
        self._shown = pattern.draw(SHOWN, NOISE if pattern.kind == "plane" else 0.12, 1)

    def sizeHint(self) -> QSize:
        return QSize(80, px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(56, px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -WORDS - 4)
        drawn = self._shown
        left, right, low, high = drawn.limits
        x = area.left() + (drawn.x - left) / (right - left) * area.width()
        y = area.bottom() - (drawn.y - low) / (high - low) * area.height()
        painter.setPen(Qt.PenStyle.NoPen)
        for place, label in enumerate(drawn.label.tolist()):
            painter.setBrush(class_color(label, 2) if not drawn.is_line else theme().color("train"))
            at = QPointF(float(x[place]), float(y[place]))
            if label:
                painter.drawRect(QRectF(at.x() - DOT, at.y() - DOT, 2 * DOT, 2 * DOT))
            else:
                painter.drawEllipse(at, DOT, DOT)
        if self.isChecked():
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        name, is_bold, room = self.pattern.label, self.isChecked(), self.width() - 6
        fitting = (pixels for pixels in range(AXIS, SMALLEST, -1) if width(name, pixels, is_bold) <= room)
        write(painter, name, self.width() / 2, self.height() - WORDS / 2 - 3, align="centre",
              pixels=next(fitting, SMALLEST), token="accent" if is_bold else "text2", bold=is_bold, most=room)

