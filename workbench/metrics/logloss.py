"""Log loss of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.objectives.logistic import row_losses, tails
from workbench.objectives.smooth_functions import sum_in_eight

if TYPE_CHECKING:
    from numpy.typing import NDArray

@njit(cache=True, nogil=True, error_model="numpy")
def log_losses(target, raw, weight):
    """Return Σ w [y ln(1+e^−ŷ) + (1−y) ln(1+e^ŷ)]."""
    total = 0.0
    for b in range(0, len(target), BLOCK_ROWS):
        e = block_end(b // BLOCK_ROWS, len(target))
        z = np.empty(e - b)
        losses = np.empty(e - b)
        tails(raw[b:e], z)
        row_losses(target[b:e], raw[b:e], weight[b:e], z, losses)
        total += sum_in_eight(losses)
    return total


class LogLoss(Metric):
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
