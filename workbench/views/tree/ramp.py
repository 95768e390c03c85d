"""The colours of leaf weights with their limits."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from workbench.views.fonts import AXIS, ui_font
from workbench.views.numbers import figure, fixed
from workbench.views.theme import theme


class WeightRamp(QWidget):
    """The colours of leaf weights with their limits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._limit, self._ends = 1.0, ("", "")
        self.setFixedHeight(30)
        self.setAccessibleName("Colours of leaf weights")

    def show_limit(self, limit: float, ends: tuple[str, str]) -> None:
        """Show other limits; `ends` are the classes to which the two sides push."""
        if (limit, ends) != (self._limit, self._ends):
            self._limit, self._ends = limit, ends
            self.setAccessibleDescription(" to ".join(self._words()[::2]))
            self.update()

    def _words(self) -> tuple[str, str, str]:
        number = fixed(self._limit, 1) if 0.95 <= self._limit < 1000 else figure(self._limit, 2)
        return f"−{number} {self._ends[0]}".strip(), "0", f"+{number} {self._ends[1]}".strip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        bar = QRectF(0.5, 0.5, self.width() - 1, 11)
        ramp = QLinearGradient(bar.topLeft(), bar.topRight())
        stops = theme().weight_ramp
        for index, stop in enumerate(stops):
            ramp.setColorAt(index / (len(stops) - 1), stop)
        painter.fillRect(bar, ramp)
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawRect(bar)
        painter.setFont(ui_font(AXIS))
        painter.setPen(theme().color("text3"))
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        room = QRectF(0, 14, self.width(), 16)
        widest = round(room.width() * 0.42)
        for side, words in zip(sides, self._words(), strict=True):
            shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, widest)
            painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter), shown)


