"""Huber's loss: squared near the target, absolute far from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.line_search import clipped_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class Huber(ByRows):
    """l = ½r² for |r| ≤ δ, δ|r| − ½δ² beyond; g = clip(ŷ − y, ±δ), h = 1; leaves search their weights."""

    slope: float = 1.0
    name = "huber"
    aliases = ("reg:pseudohubererror",)
    label = "Huber"
    metrics = ("huber", "mae", "rmse")
    searches_leaves: bool = True

    def with_params(self, params: TrainingParams) -> Huber:
        """Return it with the slope that is wanted."""
        return Huber(params.huber_slope)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ½r², or δ|r| − ½δ² beyond δ."""
        distance = np.abs(target - raw)
        near = np.minimum(distance, self.slope)
        return near * (distance - 0.5 * near)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the clipped residual with its sign turned, and 1."""
        return np.clip(raw - target, -self.slope, self.slope), np.ones(len(raw))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return what balances the clipped residuals."""
        return clipped_mean(target, weight, self.slope)

    def leaf_weight(self, residual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return what balances the clipped residuals."""
        return clipped_mean(residual, weight, self.slope)


OBJECTIVES.register(Huber())
