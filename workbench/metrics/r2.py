"""The share of the target's variance that is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, sums_of_rows
from workbench.metrics.rmse import fill_squared_errors
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.squared import explained, fill_deviations
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def errors_and_deviations(part, parts, target, prediction, weight, sums):
    """Write Σ w, Σ w (y − ŷ)², Σ w (y − y₀) and Σ w (y − y₀)² of each block, y₀ the first target."""
    scratch = np.empty((3, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b, e = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        errors, deviations, squares = scratch[0, : e - b], scratch[1, : e - b], scratch[2, : e - b]
        fill_squared_errors(target[b:e], prediction[b:e], weight[w : w + e - b], errors)
        fill_deviations(target[b:e], weight[w : w + e - b], target[0], deviations, squares)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(errors)
        sums[block, 2] = sum_in_eight(deviations)
        sums[block, 3] = sum_in_eight(squares)


def explained_variance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return 1 − Σ w (y − ŷ)² / Σ w (y − mean)²; NaN for a constant target."""
    return explained(*sums_of_rows(errors_and_deviations, target, prediction, weight, team))


METRICS.register(Metric(
    "r2", "R²", unit="share of variance explained", higher_is_better=True, formula=explained_variance,
    tasks=("regression", "binary"), reads="prediction",
    by_blocks=True,
))  # fmt: skip
