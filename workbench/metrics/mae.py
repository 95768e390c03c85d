"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@njit(cache=True, nogil=True, error_model="numpy")
def absolute_errors(target, prediction, weight):
    """Return Σ w |y − ŷ|."""
    total = 0.0
    for i in range(len(target)):
        total += weight[i] * abs(prediction[i] - target[i])
    return total


class MeanAbsoluteError(Metric):
    """Σ w |y − ŷ| / Σ w."""

    name = "mae"
    label = "Mean absolute error"
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
        return ratio(absolute_errors(y, p, w), w.sum())


METRICS.register(MeanAbsoluteError())
