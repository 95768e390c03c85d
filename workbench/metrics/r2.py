"""The share of the target's variance that is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio
from workbench.metrics.rmse import squared_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@njit(cache=True, nogil=True, error_model="numpy")
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


class ExplainedVariance(Metric):
    """1 − Σ w (y − ŷ)² / Σ w (y − mean)²; not defined for a constant target."""

    name = "r2"
    label = "R²"
    unit = "share of the variance, higher is better"
    higher_is_better = True
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
        return float(1.0 - ratio(squared_errors(y, p, w), squared_deviations(y, w)))


METRICS.register(ExplainedVariance())
