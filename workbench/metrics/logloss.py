"""Log loss of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from workbench.metrics.base import METRICS, arrays, ratio
from workbench.objectives.smooth_functions import exp, log1p_of_unit, sum_in_eight

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 4096


@njit(cache=True, nogil=True)
def log_losses(target, raw, weight):
    """Return Σ w [y ln(1+e^−ŷ) + (1−y) ln(1+e^ŷ)]."""
    total = 0.0
    losses = np.empty(BLOCK_ROWS)
    for begin in range(0, len(target), BLOCK_ROWS):
        n = min(BLOCK_ROWS, len(target) - begin)
        for i in range(n):
            x = np.float64(raw[begin + i])
            size = abs(x)
            loss = 0.5 * (size + x) - x * target[begin + i] + log1p_of_unit(exp(-size))
            losses[i] = weight[begin + i] * loss
        total += sum_in_eight(losses, n)
    return total


class LogLoss:
    """−Σ w ln p_y / Σ w, from raw predictions, so that it stays exact where p rounds to 0 or 1."""

    name = "logloss"
    label = "Log loss"
    unit = "per row, lower is better"
    higher_is_better = False
    reads = "raw"
    tasks = ("binary",)
    is_cheap = True

    def value(
        self,
        target: NDArray[np.float64],
        prediction: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
    ) -> float:
        """Return the metric."""
        y, raw, w = arrays(target, prediction, weight)
        return ratio(log_losses(y, raw, w), w.sum())


METRICS.register(LogLoss())
