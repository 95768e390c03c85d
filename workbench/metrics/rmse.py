"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True, nogil=True, error_model="numpy")
def squared_errors(target, prediction, weight):
    """Return Σ w (y − ŷ)²."""
    total = 0.0
    for i in range(len(target)):
        error = prediction[i] - target[i]
        total += weight[i] * error * error
    return total


class RootMeanSquaredError(Metric):
    """√(Σ w (y − ŷ)² / Σ w)."""

    name = "rmse"
    label = "RMSE"
    unit = "in units of the target, lower is better"
    higher_is_better = False
    reads = "prediction"
    tasks = ("regression", "binary")
    is_cheap = True

    def value(
        self,
        target: NDArray[np.float64],
        prediction: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
    ) -> float:
        """Return the metric."""
        y, p, w = arrays(target, prediction, weight)
        return float(np.sqrt(ratio(squared_errors(y, p, w), w.sum())))


METRICS.register(RootMeanSquaredError())
