"""The absolute error: a tree follows the signs of the residuals, a leaf takes their median."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.line_search import weighted_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Absolute(ByRows):
    """l = |y − ŷ|, g = sign(ŷ − y), h = 1; the leaf's weight is the median residual (Friedman 2001)."""

    name = "absolute"
    aliases = ("reg:absoluteerror", "absolute_error", "regression_l1", "mae", "lad")
    label = "Absolute error"
    metrics = ("mae", "rmse", "r2")
    searches_leaves: bool = True

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return |y − ŷ|."""
        return np.abs(target - raw)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return sign(ŷ − y) and 1."""
        return np.sign(raw - target), np.ones(len(raw))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted median."""
        return weighted_quantile(target, weight, 0.5)

    def leaf_weight(self, residual: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the weighted median of the residuals."""
        return weighted_quantile(residual, weight, 0.5)


OBJECTIVES.register(Absolute())
