"""Text in a formula, of which the widths are remembered."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from workbench.views.look.theme import theme

ADVANCES = 2048  # widths that are remembered


@lru_cache(ADVANCES)
def advance(font: QFont, text: str) -> float:
    """Width of a text."""
    return QFontMetricsF(font).horizontalAdvance(text)


def write(painter: QPainter, font: QFont, text: str, x: float, y: float, tone: str = "text1") -> None:
    """Write a text with its base line at y."""
    painter.setFont(font)
    painter.setPen(theme().color(tone))
    painter.drawText(QPointF(x, y), text)
