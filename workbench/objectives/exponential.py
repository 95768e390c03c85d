"""The exponential loss of AdaBoost, for two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.objectives.base import LEAST_SHARE, OBJECTIVES
from workbench.objectives.by_rows import ByRows
from workbench.objectives.logistic import Logistic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Task

_LOGISTIC = Logistic()


class Exponential(ByRows):
    """l = e^(−sŷ) with s = 2y − 1, g = −s·l, h = l; the raw prediction is half the log-odds.

    Friedman, Hastie and Tibshirani 2000, lemma 1: P(y = 1) = 1/(1 + e^(−2ŷ)).
    """

    name = "exponential"
    aliases = ("ada",)
    label = "Exponential (AdaBoost)"
    task: Task = "binary"
    metrics = ("exponential", "error", "logloss", "auc")
    link = "1/(1+e^−2ŷ)"

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return e^(−sŷ)."""
        return np.exp((1.0 - 2.0 * target) * raw)

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return −s·e^(−sŷ) and e^(−sŷ)."""
        loss = self.losses(target, raw)
        return (1.0 - 2.0 * target) * loss, loss

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the share of class 1."""
        share = float(np.average(target, weights=weight))
        return min(max(share, LEAST_SHARE), 1.0 - LEAST_SHARE)

    def margin(self, prediction: float) -> float:
        """Return half the log-odds."""
        if not 0.0 < prediction < 1.0:
            raise WorkbenchError(
                f"base_score is {prediction:g}; for two classes it is a probability between 0 and 1."
            )
        return 0.5 * float(np.log(prediction / (1.0 - prediction)))

    def log_odds(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the log-odds of class 1: twice the raw prediction."""
        return np.float32(2.0) * raw

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the probability of class 1."""
        return _LOGISTIC.transform(self.log_odds(raw))


OBJECTIVES.register(Exponential())
