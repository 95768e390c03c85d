"""The squared error of class shares: raw predictions are probabilities, as leaves of CART hold them.

Over all classes, the loss of the best constant is half the Gini impurity Σ p(1 − p).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.objectives.base import OBJECTIVES
from workbench.objectives.by_rows import ByRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Task

LEAST_LOG_SHARE = 1e-15  # what a share is raised to before its logarithm is taken


class Share(ByRows):
    """l = ½(1[y = class] − p)², g = p − 1[y = class], h = 1: the share of class 1 of two."""

    name = "share"
    aliases: tuple[str, ...] = ("gini",)
    label = "Class share (Gini)"
    task: Task = "binary"
    metrics: tuple[str, ...] = ("error", "logloss", "auc")
    first_metric_is_loss = False

    def __init__(self, counted: float = 1.0) -> None:
        self._counted = counted

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ½(1[y = class] − p)²."""
        return 0.5 * ((target == self._counted) - raw) ** 2

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return p − 1[y = class] and 1."""
        return raw - (target == self._counted), np.ones(len(raw))

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the share of the class."""
        return float(np.average(target == self._counted, weights=weight))

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the shares: an average of them that was rounded up beyond 1 is 1."""
        return np.clip(raw, 0.0, 1.0)

    def log_odds(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return ln(p/(1 − p))."""
        p = np.clip(raw.astype(np.float64), LEAST_LOG_SHARE, 1.0 - LEAST_LOG_SHARE)
        return np.log(p / (1.0 - p)).astype(raw.dtype)


class Shares(Share):
    """The shares of K classes, one raw prediction each."""

    name = "shares"
    aliases = ()
    label = "Class shares (Gini)"
    task: Task = "multiclass"
    metrics = ("merror", "mlogloss")

    def n_outputs(self, n_classes: int) -> int:
        """One raw prediction a class."""
        return n_classes

    def of_output(self, k: int) -> Shares:
        """Return the loss of the k-th class's share."""
        return Shares(float(k))

    def log_odds(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return ln p of each class."""
        return np.log(np.maximum(raw, LEAST_LOG_SHARE))


OBJECTIVES.register(Share())
OBJECTIVES.register(Shares())
