"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.metrics.row_errors import ABSOLUTE, sum_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.threads.team import Team


def mean_absolute_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return Σ w |y − ŷ| / Σ w."""
    return mean_of_rows(sum_errors, target, prediction, weight, team, ABSOLUTE)


METRICS.register(Metric(
    "mae", "Mean absolute error", "MAE", unit=TARGET_UNIT, formula=mean_absolute_error,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
