"""Share of misclassified rows of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.logistic import fill_wrong
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def misclassified(part, parts, target, raw, weight, sums):
    """Write the weight of all rows, and of those on the wrong side of p = ½; exactly ½ is class 0."""
    scratch = np.empty(LOSS_BLOCK_ROWS)
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b, e = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        wrong = scratch[: e - b]
        fill_wrong(target[b:e], raw[b:e], weight[w : w + e - b], wrong)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(wrong)


def error_rate(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return the share of rows whose likelier class is not theirs."""
    return mean_of_rows(misclassified, target, raw, weight, team)


METRICS.register(Metric(
    "error", "Error rate", "error", unit="share of rows", formula=error_rate, tasks=("binary",),
    reads="log_odds",
    by_blocks=True,
))  # fmt: skip
