"""Share of misclassified rows of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.softmax import fill_wrong
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team


@kernel(allocates=True)
def misclassified(part, parts, target, raw, weight, sums):
    """Write the weight of all rows, and of those whose largest raw prediction, of (K, n), is another's."""
    scratch = np.empty((2, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        begin, end = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, begin, len(target))
        largest, likeliest = scratch[0, : end - begin], scratch[1, : end - begin]
        fill_wrong(target[begin:end], raw, begin, weight[w : w + end - begin], largest, likeliest)
        sums[block, 0] = sum_in_eight(weight[w : w + end - begin])
        sums[block, 1] = sum_in_eight(likeliest)


def error_rate(
    target: NDArray[np.float64], raw: NDArray[np.float32], weight: NDArray[np.float64], team: Team
) -> float:
    """Return the share of rows whose likeliest class is not theirs; of equals, the first class."""
    return mean_of_rows(misclassified, target, raw, weight, team)


METRICS.register(Metric(
    "merror", "Error rate", "error", unit="share of rows", formula=error_rate, tasks=("multiclass",),
    by_blocks=True,
))  # fmt: skip
