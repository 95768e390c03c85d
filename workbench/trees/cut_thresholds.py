"""The threshold of a cut: between two neighbours among the values, or beyond all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.thresholds import EXACT_EDGE, HIGHEST_THRESHOLD

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def threshold_between(below, above):
    """Return a float32 threshold t with below < t <= above, midway where float32 has such a number."""
    middle = np.float32((np.float64(below) + np.float64(above)) * 0.5)
    return above if middle <= below else middle


def thresholds_between(below: NDArray[np.float32], above: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the `threshold_between` of each pair."""
    middle = ((below.astype(np.float64) + above.astype(np.float64)) / 2).astype(np.float32)
    return np.where(middle <= below, above, middle).astype(np.float32)


@kernel
def threshold_above(largest):
    """Return the threshold that parts all present values from the missing ones, as XGBoost's exact has it."""
    edge = np.float64(largest + (abs(largest) + EXACT_EDGE))
    return np.float32(edge if edge < HIGHEST_THRESHOLD else HIGHEST_THRESHOLD)


@kernel
def threshold_below(smallest):
    """Return the threshold that sends all present values right, as XGBoost's exact has it."""
    edge = np.float64(smallest - (abs(smallest) + EXACT_EDGE))
    return np.float32(edge if edge > -HIGHEST_THRESHOLD else -HIGHEST_THRESHOLD)


def last_edge(largest: np.float32) -> np.float32:
    """Return the upper edge of the last bin, well above the largest value, as XGBoost's last cut."""
    edge = float(largest) + abs(float(largest)) + 1e-5
    return np.float32(min(edge, HIGHEST_THRESHOLD))
