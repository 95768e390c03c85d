"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.metrics.facts import TARGET_UNIT
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def absolute_errors(target, prediction, weight):
    """Return Σ w |y − ŷ|."""
    total = 0.0
    for i in range(len(target)):
        total += weight[i] * abs(prediction[i] - target[i])
    return total


def mean_absolute_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return Σ w |y − ŷ| / Σ w."""
    return ratio(absolute_errors(target, prediction, weight), weight.sum())


METRICS.register(Metric(
    "mae", "Mean absolute error", "MAE", unit=TARGET_UNIT, formula=mean_absolute_error,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
