"""Share of misclassified rows of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def misclassified(target, raw, weight):
    """Return the weight of rows on the wrong side of p = ½; exactly ½ counts as class 0."""
    total = 0.0
    for i in range(len(target)):
        positive = raw[i] > 0.0
        total += weight[i] if positive != (target[i] > 0.5) else 0.0
    return total


def error_rate(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return the share of rows whose likelier class is not theirs."""
    return ratio(misclassified(target, raw, weight), weight.sum())


METRICS.register(Metric(
    "error", "Error rate", "error", unit="share of rows", formula=error_rate, tasks=("binary",),
))  # fmt: skip
