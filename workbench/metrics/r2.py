"""The share of the target's variance that is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.metrics.base import METRICS, Metric, sums_of_rows
from workbench.metrics.row_errors import DEVIATIONS, sum_errors
from workbench.objectives.squared import explained

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.threads.team import Team


def explained_variance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return 1 − Σ w (y − ŷ)² / Σ w (y − mean)²; NaN for a constant target."""
    return explained(*sums_of_rows(sum_errors, target, prediction, weight, team, DEVIATIONS))


METRICS.register(Metric(
    "r2", "R²", unit="share of variance explained", higher_is_better=True, formula=explained_variance,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
