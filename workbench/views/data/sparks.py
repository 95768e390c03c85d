"""A column's distribution as small bars, numbers over the whole width, categories as narrow ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF

from workbench.views.controls.sparkline import paint_distribution

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPainter

    from workbench.data.statistics import ColumnSummary

NARROW_BAR = 13.0
LEAST_BAR = 3.5  # narrower bars are joined in pairs


def paint_summary(painter: QPainter, rect: QRectF, summary: ColumnSummary | None, color: QColor) -> None:
    """Paint the bars of a summary; nothing where there is none yet."""
    if summary is None or not len(summary.counts):
        return
    most = max(1, int(rect.width() / LEAST_BAR))
    counts = summary.counts
    if summary.is_categorical or len(counts) <= rect.width() / NARROW_BAR:
        counts = counts[: max(1, int(rect.width() / (NARROW_BAR / 2)))]
        rect = QRectF(rect.left(), rect.top(), min(rect.width(), NARROW_BAR * len(counts)), rect.height())
    elif len(counts) > most:
        counts = np.add.reduceat(counts, np.arange(0, len(counts), 2))
    paint_distribution(painter, rect, counts.tolist(), color, base_line=False)
