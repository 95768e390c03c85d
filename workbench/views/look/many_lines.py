"""Many lines in one call: Qt reads their ends from an array, without an object for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter


def draw_lines(painter: QPainter, ends: NDArray[np.float64]) -> None:
    """Draw lines with the painter's pen.

    Parameters
    ----------
    ends : ndarray of float64, shape (n, 4)
        x and y of where each begins, and of where it ends.
    """
    ends = np.ascontiguousarray(ends, np.float64)
    if len(ends):
        first: Any = Shiboken.wrapInstance(ends.ctypes.data, QLineF)
        painter.drawLines(first, len(ends))


def draw_points(painter: QPainter, places: NDArray[np.float64]) -> None:
    """Draw points as dots of the painter's pen; `places` has shape (n, 2), x and y."""
    places = np.ascontiguousarray(places, np.float64)
    if len(places):
        first: Any = Shiboken.wrapInstance(places.ctypes.data, QPointF)
        painter.drawPoints(first, len(places))


def line_ends(across: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strokes of lines through points at `across`, shape (m,); a row of `heights` is a line."""
    parts = np.broadcast_arrays(across[:-1], heights[:, :-1], across[1:], heights[:, 1:])
    return np.stack(parts, axis=-1).reshape(-1, 4)


def stair_ends(
    lefts: NDArray[np.float64], rights: NDArray[np.float64], heights: NDArray[np.float64], *,
    joined: bool = True,
) -> NDArray[np.float64]:
    """Return the strokes of stairs, those of one height as one; a row of `heights`, shape (n, m), is a line.

    `lefts` and `rights`, shape (m,), are the ends of steps; `joined` ones have strokes between them too.
    """
    begins = np.ones(heights.shape, bool)
    begins[:, 1:] = not joined
    begins[:, 1:] |= heights[:, 1:] != heights[:, :-1]
    step, height = np.nonzero(begins)[1], heights[begins]
    last = np.append(step[1:], 0) - 1  # before the next stretch; −1 where that is of another line
    flat = np.stack([lefts[step], height, rights[last], height], axis=1)
    if not joined:
        return flat
    later = np.flatnonzero(step > 0)
    upright = np.stack([lefts[step[later]], height[later - 1], lefts[step[later]], height[later]], axis=1)
    return np.concatenate([flat, upright])
