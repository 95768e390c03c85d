"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel
def fill_squared_errors(target, prediction, weight, out):
    """Fill w (y − ŷ)² of every row."""
    for i in range(len(out)):
        error = prediction[i] - target[i]
        out[i] = weight[i] * error * error


@kernel(allocates=True)
def squared_errors(part, parts, target, prediction, weight, sums):
    """Write Σ w and Σ w (y − ŷ)² of each block."""
    scratch = np.empty(LOSS_BLOCK_ROWS)
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b, e = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        errors = scratch[: e - b]
        fill_squared_errors(target[b:e], prediction[b:e], weight[w : w + e - b], errors)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(errors)


def root_mean_squared_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return √(Σ w (y − ŷ)² / Σ w)."""
    return float(np.sqrt(mean_of_rows(squared_errors, target, prediction, weight, team)))


METRICS.register(Metric(
    "rmse", "RMSE", unit=TARGET_UNIT, formula=root_mean_squared_error,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
