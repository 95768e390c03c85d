"""Mean deviances of counts and amounts, from predicted means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric
from workbench.threads.row_blocks import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

LEAST_MEAN, LARGEST_MEAN = 1e-12, 3.4e38  # what single precision holds


def poisson_deviance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], _team: Team
) -> float:
    """Return 2 Σ w [y ln(y/μ) − y + μ] / Σ w; NaN where a target is negative."""
    if (target < 0).any():
        return float("nan")
    mean = np.clip(prediction.astype(np.float64), LEAST_MEAN, LARGEST_MEAN)
    own = target * np.log(np.where(target > 0, target / mean, 1.0)) - target + mean
    return ratio(2.0 * float((weight * own).sum()), float(weight.sum()))


def gamma_deviance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], _team: Team
) -> float:
    """Return 2 Σ w [ln(μ/y) + y/μ − 1] / Σ w; NaN where a target is not positive."""
    if (target <= 0).any():
        return float("nan")
    mean = np.clip(prediction.astype(np.float64), LEAST_MEAN, LARGEST_MEAN)
    own = np.log(mean / target) + target / mean - 1.0
    return ratio(2.0 * float((weight * own).sum()), float(weight.sum()))


METRICS.register(Metric(
    "poisson_deviance", "Poisson deviance", formula=poisson_deviance, tasks=("regression",),
    reads="prediction",
))  # fmt: skip
METRICS.register(Metric(
    "gamma_deviance", "Gamma deviance", formula=gamma_deviance, tasks=("regression",), reads="prediction",
))  # fmt: skip
