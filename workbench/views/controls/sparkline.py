"""Distributions as small bars on a base line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from workbench.views.look.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST_BAR = 16.0


def paint_distribution(
    painter: QPainter,
    rect: QRectF,
    counts: Sequence[float],
    color: QColor | Sequence[QColor],
    gap: float = 1.0,
    *,
    base_line: bool = True,
    align_right: bool = False,
) -> None:
    """Paint `counts` as bars that stand on the bottom of `rect`; the highest fills it.

    A single colour, or one a bar. Few bars stay narrow and start at the left, or end at the right.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    for index, bar in enumerate(distribution_bars(rect, counts, gap, align_right=align_right)):
        painter.fillRect(bar, color if isinstance(color, QColor) else color[index])
    if base_line:
        painter.setPen(QPen(theme().color("line2"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    painter.restore()


def distribution_bars(
    rect: QRectF, counts: Sequence[float], gap: float = 1.0, *, align_right: bool = False
) -> list[QRectF]:
    """Return the rectangle of each bar, so that others can paint or hit them."""
    if not len(counts):
        return []
    pitch = min(rect.width() / len(counts), WIDEST_BAR + gap)
    left = rect.right() - pitch * len(counts) if align_right else rect.left()
    highest = max(max(counts), 1e-300)
    gap = gap if pitch > 2 * gap else 0.0
    bars = []
    for index, count in enumerate(counts):
        height = rect.height() * count / highest
        if count > 0:
            height = max(height, 1.0)
        x = left + pitch * index
        bars.append(QRectF(x, rect.bottom() - height, pitch - gap, height))
    return bars
