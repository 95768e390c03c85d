"""Counts: half the Poisson deviance, with a logarithmic link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.thresholds import LARGEST_FLOAT32
from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows, exp_of, log_of, positive_mean, refuse_below

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Poisson(ByRows):
    """l = e^ŷ − yŷ + y ln y − y, g = e^ŷ − y, h = e^ŷ; the prediction is the mean e^ŷ."""

    name = "poisson"
    aliases = ("count:poisson",)
    label = "Poisson (counts)"
    metrics = ("poisson_deviance", "rmse", "mae")
    link = "e^ŷ"
    highest_raw: float = float(np.log(LARGEST_FLOAT32))

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse negative targets."""
        refuse_below(target, 0.0, open_=False, objective=self.name)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return half the deviance."""
        own = target * np.log(np.where(target > 0, target, 1.0)) - target
        return np.exp(raw) - target * raw + own

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return e^ŷ − y and e^ŷ."""
        mean = np.exp(raw)
        return mean - target, mean

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the mean."""
        return positive_mean(target, weight)

    def margin(self, prediction: float) -> float:
        """Return its logarithm."""
        return log_of(prediction, self.name)

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the deviance."""
        return 2.0 * mean_loss

    def loss_of_metric(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return half the deviance."""
        return 0.5 * values

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return e^ŷ."""
        return exp_of(raw)


OBJECTIVES.register(Poisson())
