"""Many rows in two directions, as points where they are few and as counted cells where they are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_POINTS = 3000
CELLS = (96, 64)
FAR = 0.001  # share of rows beyond each side that may be left out of the picture
MANY = 2000  # rows, from which on some are


@dataclass(frozen=True, eq=False)
class Plane:
    """What lies where.

    Attributes
    ----------
    x_limits, y_limits : tuple of float
    x, y : ndarray of float64, shape (n,)
        The points; empty where there are too many to be seen.
    cells : ndarray of float64, shape (down, across)
        Weight of the rows in each cell, the lowest first; empty where there are points.
    outside : float
        Weight that lies beyond the limits.
    """

    x_limits: tuple[float, float]
    y_limits: tuple[float, float]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    cells: NDArray[np.float64]
    outside: float = 0.0


def plane(
    x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64] | None = None,
    *, same_limits: bool = False,
) -> Plane:  # fmt: skip
    """Return the picture of some rows, shape (n,); those with a missing value are left out."""
    known = np.isfinite(x) & np.isfinite(y)
    if not known.all():
        x, y, weight = x[known], y[known], None if weight is None else weight[known]
    limits = [_limits(x), _limits(y)]
    if same_limits:
        limits = [(min(limits[0][0], limits[1][0]), max(limits[0][1], limits[1][1]))] * 2
    none = np.empty(0)
    if len(x) <= MOST_POINTS:
        return Plane(limits[0], limits[1], x, y, np.empty((0, 0)))
    cells, _, _ = np.histogram2d(y, x, CELLS[::-1], (limits[1], limits[0]), weights=weight)
    total = float(len(x)) if weight is None else float(weight.sum())
    return Plane(limits[0], limits[1], none, none, cells, max(0.0, total - float(cells.sum())))


def _limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """From the least to the highest; of many, without the farthest of a thousand where they are far off."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if len(values) > MANY:
        near, far = np.quantile(values, (FAR, 1 - FAR)).tolist()
        room = 0.25 * (far - near)
        low, high = (low if low > near - room else near), (high if high < far + room else far)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
