"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.metrics.row_errors import SQUARED, sum_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


def root_mean_squared_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return √(Σ w (y − ŷ)² / Σ w)."""
    return float(np.sqrt(mean_of_rows(sum_errors, target, prediction, weight, team, SQUARED)))


METRICS.register(Metric(
    "rmse", "RMSE", unit=TARGET_UNIT, formula=root_mean_squared_error,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
