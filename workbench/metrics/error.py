"""Share of misclassified rows of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@njit(cache=True, nogil=True, error_model="numpy")
def misclassified(target, raw, weight):
    """Return the weight of rows on the wrong side of p = ½; exactly ½ counts as class 0."""
    total = 0.0
    for i in range(len(target)):
        positive = raw[i] > 0.0
        total += weight[i] if positive != (target[i] > 0.5) else 0.0
    return total


class ErrorRate(Metric):
    """Share of rows whose likelier class is not theirs."""

    name = "error"
    label = "Error rate"
    unit = "share of rows, lower is better"
    higher_is_better = False
    reads = "raw"
    tasks = ("binary",)
    is_cheap = True

    def value(
        self,
        target: NDArray[np.float64],
        prediction: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
    ) -> float:
        """Return the metric."""
        y, raw, w = arrays(target, prediction, weight)
        return ratio(misclassified(y, raw, w), w.sum())


METRICS.register(ErrorRate())
