"""Share of misclassified rows of several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.metrics.base import METRICS, Metric, mean_of_rows
from workbench.objectives.base import BLOCK_ROWS, block_end, weight_begin
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel
def raise_to(raw, k, largest, likeliest):
    """Make class k the likeliest of the rows where its raw prediction is above the largest so far."""
    for i in range(len(raw)):
        is_larger = raw[i] > largest[i]
        likeliest[i] = k if is_larger else likeliest[i]
        largest[i] = raw[i] if is_larger else largest[i]


@kernel
def fill_wrong(target, raw, begin, weight, largest, likeliest):
    """Fill `likeliest` with the weight of every row from `begin` on that is another class's, 0 of others."""
    end = begin + len(target)
    for i in range(len(target)):
        largest[i] = raw[0, begin + i]
        likeliest[i] = 0.0
    for k in range(1, len(raw)):
        raise_to(raw[k, begin:end], np.float64(k), largest, likeliest)
    _keep_wrong(target, weight, likeliest)


@kernel
def _keep_wrong(target, weight, likeliest):
    """Put in place of the likeliest class the weight of the row, or 0 where it is the row's own."""
    for i in range(len(target)):
        likeliest[i] = weight[i] if likeliest[i] != target[i] else 0.0


@kernel(allocates=True)
def misclassified(part, parts, target, raw, weight, sums):
    """Write the weight of all rows, and of those whose largest raw prediction, of (K, n), is another's."""
    room = np.empty((2, BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        begin, end = block * BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, begin, len(target))
        largest, likeliest = room[0, : end - begin], room[1, : end - begin]
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
