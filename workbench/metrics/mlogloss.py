"""Log loss of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.softmax import row_losses, shares_of_block
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def class_log_losses(part, parts, target, raw, weight, sums):
    """Write Σ w and −Σ w ln p_y of each block, from raw predictions of shape (K, n)."""
    shares = np.empty((len(raw), LOSS_BLOCK_ROWS))
    scratch = np.empty((3, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b = block * LOSS_BLOCK_ROWS
        e = block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        largest, total, losses = scratch[0, : e - b], scratch[1, : e - b], scratch[2, : e - b]
        shares_of_block(raw, b, e, shares, largest, total)
        row_losses(target[b:e], raw, b, weight[w : w + e - b], largest, total, losses)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(losses)


def log_loss(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return −Σ w ln p_y / Σ w from raw predictions."""
    return mean_of_rows(class_log_losses, target, raw, weight, team)


METRICS.register(Metric(
    "mlogloss", "Log loss", "log loss", formula=log_loss, tasks=("multiclass",), reads="log_odds",
    by_blocks=True,
))  # fmt: skip
