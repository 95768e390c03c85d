"""Log loss of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.logistic import row_losses, tails
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def log_losses(part, parts, target, raw, weight, sums):
    """Write Σ w and Σ w [y ln(1+e^−ŷ) + (1−y) ln(1+e^ŷ)] of each block."""
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b = block * LOSS_BLOCK_ROWS
        e = block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        z = np.empty(e - b)
        losses = np.empty(e - b)
        tails(raw[b:e], z)
        row_losses(target[b:e], raw[b:e], weight[w : w + e - b], z, losses)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(losses)


def log_loss(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return −Σ w ln p_y / Σ w from raw predictions: exact where p rounds to 0 or 1."""
    return mean_of_rows(log_losses, target, raw, weight, team)


METRICS.register(Metric(
    "logloss", "Log loss", "log loss", formula=log_loss, tasks=("binary",), reads="log_odds",
    by_blocks=True,
))  # fmt: skip
