"""The share of the target's variance that is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.metrics.rmse import squared_errors
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def squared_deviations(target, weight):
    """Return Σ w (y − mean)²."""
    total_weight = 0.0
    total = 0.0
    for i in range(len(target)):
        total_weight += weight[i]
        total += weight[i] * target[i]
    mean = total / total_weight if total_weight > 0.0 else 0.0
    deviations = 0.0
    for i in range(len(target)):
        deviations += weight[i] * (target[i] - mean) ** 2
    return deviations


def explained_variance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return 1 − Σ w (y − ŷ)² / Σ w (y − mean)²; NaN for a constant target."""
    unexplained = squared_errors(target, prediction, weight)
    return 1.0 - ratio(unexplained, squared_deviations(target, weight))


METRICS.register(Metric(
    "r2", "R²", unit="share of variance explained", higher_is_better=True, formula=explained_variance,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
