"""Root mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel
def squared_errors(part, parts, target, prediction, weight, sums):
    """Write Σ w and Σ w (y − ŷ)² of each block."""
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        total_weight = total = 0.0
        for i in range(block * BLOCK_ROWS, block_end(block, len(target))):
            error = prediction[i] - target[i]
            total_weight += weight[i]
            total += weight[i] * error * error
        sums[block, 0] = total_weight
        sums[block, 1] = total


def root_mean_squared_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return √(Σ w (y − ŷ)² / Σ w)."""
    return float(np.sqrt(mean_of_rows(squared_errors, target, prediction, weight, team)))



METRICS.register(Metric(
    "rmse", "RMSE", unit=TARGET_UNIT, formula=root_mean_squared_error,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
