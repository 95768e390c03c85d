"""Log loss of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from workbench.metrics.base import METRICS, arrays, ratio
from workbench.objectives.softmax import shares_of_block

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 1024


@njit(cache=True, nogil=True)
def class_log_losses(target, raw, weight):
    """Return −Σ w ln p_y from raw predictions of shape (K, n)."""
    shares = np.empty((len(raw), BLOCK_ROWS))
    largest = np.empty(BLOCK_ROWS)
    total = np.empty(BLOCK_ROWS)
    loss = 0.0
    for begin in range(0, len(target), BLOCK_ROWS):
        end = min(len(target), begin + BLOCK_ROWS)
        shares_of_block(raw, begin, end, shares, largest, total)
        for i in range(end - begin):
            own = np.float64(raw[np.int64(target[begin + i]), begin + i])
            loss += weight[begin + i] * (largest[i] + np.log(total[i]) - own)
    return loss


class MultiLogLoss:
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
