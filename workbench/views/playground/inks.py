"""Colours and marks of classes and predictions, from the tokens."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPolygonF

from workbench.views.look.theme import DARK, LIGHT, theme

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIDDLE = 0.52  # of the ramp, for surfaces behind points
STEPS = 257
ENDS = (-1.0, 0.75)  # of the ramp, for two classes
PALEST, DEEPEST = 0.10, 0.42  # of a class's colour, by how sure the model is
CORNERS = ((3, -90.0), (4, 0.0), (5, -90.0))  # of marks after circle and square; and their first angles


def class_color(index: int, n_classes: int) -> QColor:
    """Colour of a class's points: the ends of the weight ramp for two, categories for more."""
    return theme().weight(ENDS[min(index, 1)]) if n_classes <= 2 else theme().category(index)


def value_color(share: float) -> QColor:
    """Colour of a number's point, from −1 to 1."""
    return theme().weight(share)


@lru_cache(maxsize=2)
def _surface(name: str) -> NDArray[np.uint32]:
    ramp = DARK if name == "dark" else LIGHT
    return ramp.weights(np.linspace(-MIDDLE, MIDDLE, STEPS))


def surface_colors(shares: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Colours of a surface whose values are from −1 to 1."""
    steps = np.rint((np.clip(shares, -1, 1) + 1) / 2 * (STEPS - 1)).astype(np.int64)
    return _surface(theme().name)[steps]


def class_colors(values: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Colours of regions of K classes from their probabilities, shape (K, …): deeper where it is surer."""
    first, n_classes = values.argmax(axis=0), len(values)
    sure = (values.max(axis=0) - 1 / n_classes) / (1 - 1 / n_classes)
    alpha = PALEST + (DEEPEST - PALEST) * np.clip(sure, 0, 1)
    over = np.array([_parts(theme().category(index)) for index in range(n_classes)])[first]
    under = np.array(_parts(theme().color("data")))
    mixed = np.rint(over * alpha[..., None] + under * (1 - alpha[..., None])).astype(np.uint32)
    return np.uint32(0xFF000000) | mixed[..., 0] << 16 | mixed[..., 1] << 8 | mixed[..., 2]


def _parts(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def paint_mark(painter: QPainter, x: float, y: float, radius: float, label: int) -> None:
    """Paint the mark of a class with the painter's pen and brush: circle, square, then other shapes."""
    if label == 0:
        painter.drawEllipse(QPointF(x, y), radius, radius)
    elif label == 1:
        half = 0.89 * radius
        painter.drawRect(QRectF(x - half, y - half, 2 * half, 2 * half))
    else:
        corners, first = CORNERS[(label - 2) % len(CORNERS)]
        angles = [math.radians(first + 360 * turn / corners) for turn in range(corners)]
        size = 1.25 * radius
        ends = [QPointF(x + size * math.cos(angle), y + size * math.sin(angle)) for angle in angles]
        painter.drawPolygon(QPolygonF(ends))
