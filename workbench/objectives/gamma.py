"""Positive amounts: half the gamma deviance, with a logarithmic link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import refuse_below
from workbench.objectives.poisson import Poisson

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Gamma(Poisson):
    """l = ŷ + y e^−ŷ − 1 − ln y, g = 1 − y e^−ŷ, h = y e^−ŷ; the prediction is the mean e^ŷ."""

    name = "gamma"
    aliases = ("reg:gamma",)
    label = "Gamma (amounts)"
    metrics = ("gamma_deviance", "rmse", "mae")

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse targets that are not positive."""
        refuse_below(target, 0.0, open_=True, objective=self.name)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return half the deviance."""
        return raw + target * np.exp(-raw) - 1.0 - np.log(target)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return 1 − y e^−ŷ and y e^−ŷ."""
        share = target * np.exp(-raw)
        return 1.0 - share, share


OBJECTIVES.register(Gamma())
