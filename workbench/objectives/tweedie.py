"""Amounts that are often zero: half the Tweedie deviance, with a logarithmic link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import refuse_below
from workbench.objectives.poisson import Poisson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class Tweedie(Poisson):
    """Variance μ^p with 1 < p < 2: l = μ^(2−p)/(2−p) − yμ^(1−p)/(1−p) + y^(2−p)/((1−p)(2−p)), μ = e^ŷ."""

    power: float = 1.5
    name = "tweedie"
    aliases = ("reg:tweedie",)
    label = "Tweedie (amounts, many zero)"
    metrics = ("tweedie_deviance", "rmse", "mae")

    def with_params(self, params: TrainingParams) -> Tweedie:
        """Return it with the power that is wanted."""
        return Tweedie(params.tweedie_variance_power)

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse negative targets."""
        refuse_below(target, 0.0, open_=False, objective=self.name)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return half the deviance."""
        a, b = 1.0 - self.power, 2.0 - self.power
        return np.exp(b * raw) / b - _times(target, np.exp(a * raw)) / a + target**b / (a * b)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return e^((2−p)ŷ) − y e^((1−p)ŷ) and its slope."""
        a, b = 1.0 - self.power, 2.0 - self.power
        own, mean = _times(target, np.exp(a * raw)), np.exp(b * raw)
        return mean - own, b * mean - a * own


def _times(target: NDArray[np.float64], factor: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return y·factor, which is 0 of a target of 0, also where the factor is beyond all numbers."""
    return np.multiply(target, factor, out=np.zeros(len(target)), where=target > 0.0)


OBJECTIVES.register(Tweedie())
