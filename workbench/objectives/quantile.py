"""The pinball loss, whose best constant is a quantile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.line_search import weighted_quantile
from workbench.parameters.quantiles import quantile_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams

ONE_LEVEL, SEVERAL = ("pinball", "mae"), ("pinball",)


@dataclass(frozen=True)
class Quantile(ByRows):
    """l = α(y − ŷ) above, (1 − α)(ŷ − y) below; h = 1; the leaf takes the α-quantile of its residuals.

    Of several levels α the losses are added, each of its own raw prediction. Nothing keeps the predictions
    of two levels from crossing; neither does XGBoost.
    """

    levels: tuple[float, ...] = (0.5,)
    metrics: tuple[str, ...] = ONE_LEVEL
    name = "quantile"
    aliases = ("reg:quantileerror", "pinball")
    label = "Quantile"
    searches_leaves: bool = True

    def with_params(self, params: TrainingParams) -> Quantile:
        """Return it for the quantiles that are wanted."""
        return _of_levels(params.quantile_alpha)

    def n_outputs(self, n_classes: int) -> int:
        """One raw prediction a level."""
        return len(self.levels)

    def output_names(self, class_labels: Sequence[object]) -> tuple[str, ...]:
        """Return "quantile 0.1" and so on, where there are several levels."""
        return quantile_names(self.levels) if len(self.levels) > 1 else ()

    def of_output(self, k: int) -> Quantile:
        """Return the loss of one level."""
        return _of_levels(self.levels[k : k + 1])

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return α(y − ŷ) or (1 − α)(ŷ − y)."""
        distance = target - raw
        return np.maximum(self._alpha * distance, (self._alpha - 1.0) * distance)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return 1 − α above the target, −α below or on it, and 1."""
        return np.where(raw > target, 1.0 - self._alpha, -self._alpha), np.ones(len(raw))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted quantile."""
        return weighted_quantile(target, weight, self._alpha)

    def leaf_weight(self, residual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted quantile of the residuals."""
        return weighted_quantile(residual, weight, self._alpha)

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the mean over the levels."""
        return mean_loss / len(self.levels)

    def loss_of_metric(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over the levels."""
        return values * len(self.levels)

    @property
    def _alpha(self) -> float:
        return self.levels[0]


def _of_levels(levels: tuple[float, ...]) -> Quantile:
    return Quantile(levels, SEVERAL if len(levels) > 1 else ONE_LEVEL)


OBJECTIVES.register(Quantile())
