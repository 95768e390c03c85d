"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel
def absolute_errors(part, parts, target, prediction, weight, sums):
    """Write Σ w and Σ w |y − ŷ| of each block."""
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        total_weight = total = 0.0
        for i in range(block * BLOCK_ROWS, block_end(block, len(target))):
            total_weight += weight[i]
            total += weight[i] * abs(prediction[i] - target[i])
        sums[block, 0] = total_weight
        sums[block, 1] = total


def mean_absolute_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return Σ w |y − ŷ| / Σ w."""
    return mean_of_rows(absolute_errors, target, prediction, weight, team)



METRICS.register(Metric(
    "mae", "Mean absolute error", "MAE", unit=TARGET_UNIT, formula=mean_absolute_error,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
