"""Many lines in one call: Qt reads their ends from an array, without an object for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF
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
