"""Share of misclassified rows of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def misclassified(target, raw, weight):
    """Return the weight of rows whose largest raw prediction, shape (K, n), is not of their class."""
    total = 0.0
    for i in range(len(target)):
        best = 0
        for k in range(1, len(raw)):
            best = k if raw[k, i] > raw[best, i] else best
        total += weight[i] if best != target[i] else 0.0
    return total


def error_rate(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return the share of rows whose likeliest class is not theirs; of equals, the first class."""
    return ratio(misclassified(target, raw, weight), weight.sum())


METRICS.register(Metric(
    "merror", "Error rate", "error", unit="share of rows", formula=error_rate, tasks=("multiclass",),
))  # fmt: skip
