"""The share of the target's variance that is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, ratio, sums_of_rows
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel
def errors_and_deviations(part, parts, target, prediction, weight, sums):
    """Write Σ w, Σ w (y − ŷ)², Σ w (y − y₀) and Σ w (y − y₀)² of each block, y₀ the first target."""
    first = target[0]
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        total_weight = errors = deviation = squares = 0.0
        for i in range(block * BLOCK_ROWS, block_end(block, len(target))):
            error = prediction[i] - target[i]
            distance = target[i] - first
            total_weight += weight[i]
            errors += weight[i] * error * error
            deviation += weight[i] * distance
            squares += weight[i] * distance * distance
        sums[block, 0] = total_weight
        sums[block, 1] = errors
        sums[block, 2] = deviation
        sums[block, 3] = squares


def explained_variance(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return 1 − Σ w (y − ŷ)² / Σ w (y − mean)²; NaN for a constant target."""
    total_weight, errors, deviation, squares = sums_of_rows(
        errors_and_deviations, target, prediction, weight, team
    )
    if not total_weight > 0:
        return float("nan")
    return 1.0 - ratio(errors, squares - deviation * deviation / total_weight)



METRICS.register(Metric(
    "r2", "R²", unit="share of variance explained", higher_is_better=True, formula=explained_variance,
    tasks=("regression", "binary"), reads="prediction",
))  # fmt: skip
