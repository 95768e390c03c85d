"""Few points in place of many: the extremes of each pixel column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def thin(
    x: NDArray[np.float64], y: NDArray[np.float64], columns: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return at most about 2·`columns` points whose line looks the same: low and high of each stretch."""
    stretch = len(x) // max(columns, 1)
    if stretch < 2:
        return x, y
    whole = len(x) // stretch * stretch
    parts = y[:whole].reshape(-1, stretch)
    both = np.empty((len(parts), 2))
    with np.errstate(invalid="ignore"):
        both[:, 0], both[:, 1] = np.fmin.reduce(parts, axis=1), np.fmax.reduce(parts, axis=1)
    both[::2] = both[::2, ::-1]  # high, low, low, high: fewer long strokes
    middle = np.repeat(x[stretch // 2 : whole : stretch], 2)
    return np.append(middle, x[-1]), np.append(both.ravel(), y[-1])


def finite_ends(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the least and the largest finite value, None where there is none."""
    if not len(values):
        return None
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    if not (np.isfinite(low) and np.isfinite(high)):
        finite = values[np.isfinite(values)]
        return finite_ends(finite) if len(finite) else None
    return low, high


def column_max(values: NDArray[np.float64], stretch: int) -> NDArray[np.float64]:
    """Return the largest value of each `stretch` neighbours."""
    if stretch == 1 or not len(values):
        return values
    return np.maximum.reduceat(values, np.arange(0, len(values), stretch))


def smooth(values: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Return the centred moving mean over `window` rounds, over fewer at both ends."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    index = np.arange(len(values))
    reach = np.minimum(np.minimum(index, len(values) - 1 - index), window // 2)
    return (sums[index + reach + 1] - sums[index - reach]) / (2 * reach + 1)
