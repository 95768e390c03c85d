"""Share of misclassified rows of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@njit(cache=True, nogil=True, error_model="numpy")
def misclassified(target, raw, weight):
    """Return the weight of rows whose largest raw prediction, shape (K, n), is not of their class."""
    total = 0.0
    for i in range(len(target)):
        best = 0
        for k in range(1, len(raw)):
            best = k if raw[k, i] > raw[best, i] else best
        total += weight[i] if best != target[i] else 0.0
    return total


class MultiErrorRate(Metric):
    """Share of rows whose likeliest class is not theirs; of equals, the first class."""

    name = "merror"
    label = "Error rate"
    unit = "share of rows, lower is better"
    higher_is_better = False
    reads = "raw"
    tasks = ("multiclass",)
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


METRICS.register(MultiErrorRate())
