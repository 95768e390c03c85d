"""Mean absolute error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.metrics.facts import TARGET_UNIT
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.squared import fill_errors
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def absolute_errors(part, parts, target, prediction, weight, sums):
    """Write Σ w and Σ w |y − ŷ| of each block."""
    scratch = np.empty(LOSS_BLOCK_ROWS)
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b, e = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        errors = scratch[: e - b]
        fill_errors(target[b:e], prediction[b:e], weight[w : w + e - b], errors)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(errors)


def mean_absolute_error(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return Σ w |y − ŷ| / Σ w."""
    return mean_of_rows(absolute_errors, target, prediction, weight, team)


METRICS.register(Metric(
    "mae", "Mean absolute error", "MAE", unit=TARGET_UNIT, formula=mean_absolute_error,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
