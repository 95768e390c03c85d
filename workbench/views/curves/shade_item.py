"""A band between two curves, as one polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

if TYPE_CHECKING:
    from numpy.typing import NDArray

BELOW = -10  # all lines and bars


class ShadeItem(QGraphicsPolygonItem):
    """Stands below what else is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.setPen(Qt.PenStyle.NoPen)
        self.setZValue(BELOW)

    def show_band(
        self, x: NDArray[np.floating], low: NDArray[np.floating], high: NDArray[np.floating], color: QColor
    ) -> None:
        """Show the band between two heights; points where either is NaN are left out."""
        import pyqtgraph as pg

        known = np.isfinite(low) & np.isfinite(high)
        x, low, high = x[known], low[known], high[known]
        polygon = QPolygonF()
        if len(x):
            around = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
            polygon = pg.functions.arrayToQPolygonF(*around)
        self.setPolygon(polygon)
        self.setBrush(color)
