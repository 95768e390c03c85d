"""Marks of many points: ready-made pictures on a screen, painted in one call, and lines on paper."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPen, QPixmap
from shiboken6 import Shiboken

from workbench.views.look.theme import theme
from workbench.views.playground.inks import paint_mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

RADIUS_STEPS = 4  # in a pixel
ROOM = 1.25  # of a radius, to the corner that reaches farthest
KEPT = 4096
SHEET_WIDTH = 1024  # pixels
PART_NUMBERS = 10  # of a part of a picture, to Qt: middle, left and top, size, then what follows
WHOLE = (1.0, 1.0, 0.0, 1.0)  # not scaled, not turned, opaque
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
    ratio = painter.device().devicePixelRatioF()
    sheet = _sheet(edge.rgb(), ratio)
    looks = np.column_stack([labels, colors, np.rint(radii * RADIUS_STEPS)]).astype(np.int64)
    different, which = np.unique(looks @ LOOK_DIGITS, return_index=True, return_inverse=True)[1:]
    lefts, tops, sides = sheet.places([tuple(look) for look in looks[different].tolist()])[which].T
    parts = np.empty((len(x), PART_NUMBERS))
    for column, at in enumerate((x, y)):
        parts[:, column] = np.rint(ratio * at - sides / 2) + sides / 2
    parts[:, 2:6] = np.stack([lefts, tops, sides, sides], axis=1)
    parts[:, 6:] = WHOLE
    if len(parts):
        painter.save()
        painter.scale(1 / ratio, 1 / ratio)  # whole pixels of the screen, which are painted fastest
        first: Any = Shiboken.wrapInstance(parts.ctypes.data, QPainter.PixmapFragment)
        painter.drawPixmapFragments(first, len(parts), sheet.picture)
        painter.restore()


@lru_cache(maxsize=2)
def _sheet(edge: int, ratio: float) -> _Sheet:
    return _Sheet(edge, ratio)


class _Sheet:
    """Ready-made marks in rows, each painted the first time that it is asked for."""

    def __init__(self, edge: int, ratio: float) -> None:
        self._edge, self._ratio = edge, ratio
        self._clear()

    def _clear(self) -> None:
        self.picture = _blank(SHEET_WIDTH, SHEET_WIDTH // 8)
        self._known: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        self._left = self._top = self._below = 0

    def places(self, looks: list[tuple[int, int, int]]) -> NDArray[np.int64]:
        """Return left, top and side of marks, in pixels of the sheet, shape (n, 3).

        A look is the class, the colour as QRgb and the radius in steps.
        """
        if len(self._known) > KEPT:
            self._clear()
        for look in looks:
            if look not in self._known:
                self._known[look] = self._add(*look)
        return np.array([self._known[look] for look in looks], np.int64).reshape(-1, 3)

    def _add(self, label: int, color: int, size: int) -> tuple[int, int, int]:
        mark = _mark(label, color, size, self._edge, self._ratio)
        side = mark.width()
        if self._left + side > self.picture.width():
            self._left, self._top = 0, self._below
        if self._top + side > self.picture.height():
            smaller = self.picture
            self.picture = _blank(smaller.width(), 2 * smaller.height() + side)
            _lay(self.picture, 0, 0, smaller)
        _lay(self.picture, self._left, self._top, mark)
        place = self._left, self._top, side
        self._left, self._below = self._left + side, max(self._below, self._top + side)
        return place


def _mark(label: int, color: int, size: int, edge: int, ratio: float) -> QPixmap:
    """Return a mark with a radius of `size` steps, its middle in the middle."""
    radius = size / RADIUS_STEPS
    side = 2 * math.ceil((ROOM * radius + 1) * ratio) + 1
    picture = _blank(side, side)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(color))
        paint_mark(painter, side / ratio / 2, side / ratio / 2, radius, label)
    return picture


def _blank(wide: int, high: int) -> QPixmap:
    picture = QPixmap(wide, high)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _lay(on: QPixmap, left: int, top: int, picture: QPixmap) -> None:
    with QPainter(on) as painter:
        painter.drawPixmap(left, top, picture)
