"""Log loss of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric, ratio
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.objectives.logistic import row_losses, tails
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
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


def log_loss(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64]
) -> float:
    """Return −Σ w ln p_y / Σ w from raw predictions: exact where p rounds to 0 or 1."""
    return ratio(log_losses(target, raw, weight), weight.sum())


METRICS.register(Metric(
    "logloss", "Log loss", "log loss", formula=log_loss, tasks=("binary",),
))  # fmt: skip
