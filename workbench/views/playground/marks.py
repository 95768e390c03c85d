"""Marks of many points: ready-made pictures on a screen, which a hand moves, and lines on paper."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPen, QPixmap

from workbench.views.look.theme import theme
from workbench.views.playground.inks import paint_mark

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RADIUS_STEPS = 4  # in a pixel
ROOM = 1.25  # of a radius, to the corner that reaches farthest
KEPT = 4096


def paint_marks(
    painter: QPainter, x: NDArray[np.float64], y: NDArray[np.float64], radii: NDArray[np.float64],
    labels: NDArray[np.int64], colors: NDArray[np.uint32],
) -> None:
    """Paint a mark a point, the first below the others.

    Parameters
    ----------
    x, y, radii : ndarray of float64, shape (n,)
        In pixels; finite.
    labels : ndarray of int64, shape (n,)
        The class, which gives the shape.
    colors : ndarray of uint32, shape (n,)
        As QRgb.
    """
    edge = theme().color("data")
    marks = zip(x.tolist(), y.tolist(), radii.tolist(), labels.tolist(), colors.tolist(), strict=True)
    if painter.paintEngine().type() != QPaintEngine.Type.Raster:
        painter.setPen(QPen(edge, 1))
        for across, up, radius, label, color in marks:
            painter.setBrush(QColor(color))
            paint_mark(painter, across, up, radius, label)
        return
    ratio, line = painter.device().devicePixelRatioF(), edge.rgb()
    for across, up, radius, label, color in marks:
        mark, middle = _picture(label, color, line, round(radius * RADIUS_STEPS), ratio)
        painter.drawPixmap(QPointF(across - middle, up - middle), mark)


@lru_cache(maxsize=KEPT)
def _picture(label: int, color: int, edge: int, size: int, ratio: float) -> tuple[QPixmap, float]:
    """Return a mark, its radius in `RADIUS_STEPS`, and the pixels from its corner to its middle."""
    radius = size / RADIUS_STEPS
    side = 2 * math.ceil((ROOM * radius + 1) * ratio) + 1
    picture = QPixmap(side, side)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(edge), 1))
    painter.setBrush(QColor(color))
    middle = side / ratio / 2
    paint_mark(painter, middle, middle, radius, label)
    painter.end()
    return picture, middle
