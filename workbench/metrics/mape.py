"""Mean absolute percentage error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric
from workbench.threads.row_blocks import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

LEAST_SIZE = float(np.finfo(np.float64).eps)  # as in scikit-learn


def mean_absolute_percentage_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], _team: Team
) -> float:
    """Return Σ w |y − ŷ| / |y| / Σ w, a share; |y| is held to the least that float64 can tell from 0."""
    size = np.maximum(np.abs(target), LEAST_SIZE)
    return ratio(float((weight * np.abs(target - prediction) / size).sum()), float(weight.sum()))


METRICS.register(Metric(
    "mape", "Mean absolute percentage error", "MAPE", unit="share of the target",
    formula=mean_absolute_percentage_error, tasks=("regression",), reads="prediction",
))  # fmt: skip
