"""Mean absolute percentage error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric
from workbench.threads.row_blocks import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

LEAST_SIZE = float(np.finfo(np.float64).eps)  # by which scikit-learn divides where a target is less


def mean_absolute_percentage_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], _team: Team
) -> float:
    """Return Σ w |y − ŷ| / |y| / Σ w, a share; NaN where a target is 0."""
    size = np.abs(target)
    if zeros(target, weight):
        return math.nan
    size = np.maximum(size, LEAST_SIZE)  # of rows that weigh nothing
    return ratio(float((weight * np.abs(target - prediction) / size).sum()), float(weight.sum()))


def zeros(target: NDArray[np.float64], weight: NDArray[np.float64] | None) -> int:
    """Return of how many rows that weigh something the target is 0, as good as."""
    are_zero = np.abs(target) < LEAST_SIZE
    return int((are_zero if weight is None else are_zero & (weight > 0)).sum())


METRICS.register(Metric(
    "mape", "Mean absolute percentage error", "MAPE", unit="share of the target",
    formula=mean_absolute_percentage_error, tasks=("regression",), reads="prediction",
))  # fmt: skip
