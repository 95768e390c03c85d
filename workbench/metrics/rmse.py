"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.metrics.facts import TARGET_UNIT
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def squared_errors(target, prediction, weight):
    """Return Σ w (y − ŷ)²."""
    total = 0.0
    for i in range(len(target)):
        error = prediction[i] - target[i]
        total += weight[i] * error * error
    return total


def root_mean_squared_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return √(Σ w (y − ŷ)² / Σ w)."""
    return float(np.sqrt(ratio(squared_errors(target, prediction, weight), weight.sum())))


METRICS.register(Metric(
    "rmse", "RMSE", unit=TARGET_UNIT, formula=root_mean_squared_error,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
