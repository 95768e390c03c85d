"""The pinball loss, whose best constant is a quantile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.line_search import weighted_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class Quantile(ByRows):
    """l = α(y − ŷ) above, (1 − α)(ŷ − y) below; h = 1; the leaf takes the α-quantile of its residuals."""

    alpha: float = 0.5
    name = "quantile"
    aliases = ("reg:quantileerror", "pinball")
    label = "Quantile"
    metrics = ("pinball", "mae")
    searches_leaves: bool = True

    def with_params(self, params: TrainingParams) -> Quantile:
        """Return it for the quantile that is wanted."""
        return Quantile(params.quantile_alpha)

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return α(y − ŷ) or (1 − α)(ŷ − y)."""
        distance = target - raw
        return np.maximum(self.alpha * distance, (self.alpha - 1.0) * distance)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return 1 − α above the target, −α below or on it, and 1."""
        return np.where(raw > target, 1.0 - self.alpha, -self.alpha), np.ones(len(raw))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted quantile."""
        return weighted_quantile(target, weight, self.alpha)

    def leaf_weight(self, residual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted quantile of the residuals."""
        return weighted_quantile(residual, weight, self.alpha)


OBJECTIVES.register(Quantile())
