"""Log loss of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.softmax import row_losses, shares_of_block
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
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


def log_loss(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return −Σ w ln p_y / Σ w from raw predictions."""
    return ratio(class_log_losses(target, raw, weight), weight.sum())


METRICS.register(Metric(
    "mlogloss", "Log loss", "log loss", formula=log_loss, tasks=("multiclass",),
))  # fmt: skip
