"""The errors of rows, added up: one kernel for the three metrics that take them."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.objectives.squared import fill_deviations, fill_errors
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import LOSS_BLOCK_ROWS, block_end, weight_begin

SQUARED, ABSOLUTE, DEVIATIONS = range(3)  # what is wanted; the last are the first and how targets vary


@kernel
def _fill_squared_errors(target, prediction, weight, out):
    """Fill w (y − ŷ)² of every row."""
    for i in range(len(out)):
        error = prediction[i] - target[i]
        out[i] = weight[i] * error * error


@kernel(allocates=True)
def sum_errors(part, parts, target, prediction, weight, wanted, sums):
    """Write Σ w and Σ w (y − ŷ)² or Σ w |y − ŷ| of each block.

    Where DEVIATIONS are wanted also Σ w (y − y₀) and Σ w (y − y₀)², y₀ the first target.
    """
    scratch = np.empty((3, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b, e = block * LOSS_BLOCK_ROWS, block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        errors, deviations, squares = scratch[0, : e - b], scratch[1, : e - b], scratch[2, : e - b]
        if wanted == ABSOLUTE:
            fill_errors(target[b:e], prediction[b:e], weight[w : w + e - b], errors)
        else:
            _fill_squared_errors(target[b:e], prediction[b:e], weight[w : w + e - b], errors)
        sums[block, 0] = sum_in_eight(weight[w : w + e - b])
        sums[block, 1] = sum_in_eight(errors)
        if wanted == DEVIATIONS:
            fill_deviations(target[b:e], weight[w : w + e - b], target[0], deviations, squares)
            sums[block, 2] = sum_in_eight(deviations)
            sums[block, 3] = sum_in_eight(squares)
