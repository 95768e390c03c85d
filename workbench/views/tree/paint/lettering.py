"""Words that every frame writes again: laid out once, and then only placed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QStaticText, QTransform

from workbench.views.look.fonts import plain_font

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

KEPT = 4096  # lines
LEFT, RIGHT, MIDDLE = (
    int(side | Qt.AlignmentFlag.AlignVCenter)
    for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter))
BEFORE = {LEFT: 0.0, MIDDLE: 0.5, RIGHT: 1.0}  # share of the free room that is before the words


class Lettering:
    """Takes words, and writes those of one font and colour together; those of one thread."""

    def __init__(self, *, exact: bool = False) -> None:
        self._exact = exact  # for paper, which no frame follows
        self._kept = lru_cache(KEPT)(_laid_out)
        self._lines: dict[tuple[int, bool, int], list[tuple[QRectF, int, str]]] = {}

    def add(
        self, rect: QRectF, text: str, pixels: int, color: QColor, side: int = MIDDLE, *, bold: bool = False
    ) -> None:
        """Take a line that stands at half the height of `rect`."""
        if text:
            self._lines.setdefault((pixels, bold, color.rgba()), []).append((rect, side, text))

    def write(self, painter: QPainter) -> None:
        """Write all that was taken."""
        for (pixels, bold, color), lines in self._lines.items():
            painter.setFont(font(pixels, bold))
            painter.setPen(QColor.fromRgba(color))
            for rect, side, text in lines:
                if self._exact:
                    painter.drawText(rect, side, text)
                    continue
                words, width, height = self._kept(text, pixels, bold)
                left = rect.left() + (rect.width() - width) * BEFORE[side]
                painter.drawStaticText(QPointF(left, rect.top() + (rect.height() - height) / 2), words)
        self._lines.clear()


def font(pixels: int, bold: bool) -> QFont:
    """Return the interface font in just so many pixels."""
    return plain_font(pixels, bold=bold)


def _laid_out(text: str, pixels: int, bold: bool) -> tuple[QStaticText, float, float]:
    """Return a line with its width and height."""
    words = QStaticText()
    words.setTextFormat(Qt.TextFormat.PlainText)
    words.setText(text)
    words.prepare(QTransform(), font(pixels, bold))
    return words, words.size().width(), words.size().height()
