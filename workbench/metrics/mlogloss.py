"""Log loss of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from workbench.metrics.base import METRICS, Metric, arrays, ratio
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.softmax import row_losses, shares_of_block

if TYPE_CHECKING:
    from numpy.typing import NDArray

@njit(cache=True, nogil=True, error_model="numpy")
def class_log_losses(target, raw, weight):
    """Return −Σ w ln p_y from raw predictions of shape (K, n)."""
    loss = 0.0
    for b in range(0, len(target), BLOCK_ROWS):
        e = block_end(b // BLOCK_ROWS, len(target))
        shares = np.empty((len(raw), e - b))
        largest = np.empty(e - b)
        total = np.empty(e - b)
        shares_of_block(raw[:, b:e], shares, largest, total)
        row_losses(target[b:e], raw[:, b:e], weight[b:e], largest, total, total)
        loss += sum_in_eight(total)
    return loss


class MultiLogLoss(Metric):
    """−Σ w ln p_y / Σ w, from raw predictions."""

    name = "mlogloss"
    label = "Log loss"
    unit = "per row, lower is better"
    higher_is_better = False
    reads = "raw"
    tasks = ("multiclass",)
    is_cheap = True

    def value(
        self,
        target: NDArray[np.float64],
        prediction: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
    ) -> float:
        """Return the metric."""
        y, raw, w = arrays(target, prediction, weight)
        return ratio(class_log_losses(y, raw, w), w.sum())


METRICS.register(MultiLogLoss())
