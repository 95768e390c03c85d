"""Marks of many points: ready-made pictures on a screen, which a hand moves, and lines on paper."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPen, QPixmap

from workbench.views.look.theme import theme
from workbench.views.playground.inks import paint_mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

RADIUS_STEPS = 4  # in a pixel
ROOM = 1.25  # of a radius, to the corner that reaches farthest
KEPT = 4096
LOOK_DIGITS = np.array([2**48, 2**16, 1])  # that make one number of a class, a colour of 32 bits and a size


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
    if painter.paintEngine().type() != QPaintEngine.Type.Raster:
        painter.setPen(QPen(edge, 1))
        marks = zip(x.tolist(), y.tolist(), radii.tolist(), labels.tolist(), colors.tolist(), strict=True)
        for across, up, radius, label, color in marks:
            painter.setBrush(QColor(color))
            paint_mark(painter, across, up, radius, label)
        return
    ratio, line = painter.device().devicePixelRatioF(), edge.rgb()
    looks = np.column_stack([labels, colors, np.rint(radii * RADIUS_STEPS)]).astype(np.int64)
    different, which = np.unique(looks @ LOOK_DIGITS, return_index=True, return_inverse=True)[1:]
    pictures = [_picture(*look, line, ratio) for look in looks[different].tolist()]
    half = np.array([picture.width() / 2 for picture in pictures])[which]
    lefts, tops = (np.rint(ratio * at - half).astype(np.int64).tolist() for at in (x, y))
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)  # whole pixels of the screen, which are painted fastest
    for left, top, kind in zip(lefts, tops, which.tolist(), strict=True):
        painter.drawPixmap(left, top, pictures[kind])
    painter.restore()


@lru_cache(maxsize=KEPT)
def _picture(label: int, color: int, size: int, edge: int, ratio: float) -> QPixmap:
    """Return a mark with a radius of `size` steps, its middle in the middle."""
    radius = size / RADIUS_STEPS
    side = 2 * math.ceil((ROOM * radius + 1) * ratio) + 1
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(ratio, ratio)
    painter.setPen(QPen(QColor(edge), 1))
    painter.setBrush(QColor(color))
    paint_mark(painter, side / ratio / 2, side / ratio / 2, radius, label)
    painter.end()
    return picture
