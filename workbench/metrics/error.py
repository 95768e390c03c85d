"""Share of misclassified rows of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.base import BLOCK_ROWS, block_end
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel
def misclassified(part, parts, target, raw, weight, sums):
    """Write the weight of all rows, and of those on the wrong side of p = ½; exactly ½ is class 0."""
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        total_weight = total = 0.0
        for i in range(block * BLOCK_ROWS, block_end(block, len(target))):
            total_weight += weight[i]
            total += weight[i] if (raw[i] > 0.0) != (target[i] > 0.5) else 0.0
        sums[block, 0] = total_weight
        sums[block, 1] = total


def error_rate(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return the share of rows whose likelier class is not theirs."""
    return mean_of_rows(misclassified, target, raw, weight, team)



METRICS.register(Metric(
    "error", "Error rate", "error", unit="share of rows", formula=error_rate, tasks=("binary",),
))  # fmt: skip
