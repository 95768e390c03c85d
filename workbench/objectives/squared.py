"""Half the squared error, ½(y − ŷ)²: the prediction is the mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit, prange

from workbench.objectives.base import BLOCK_ROWS, OBJECTIVES
from workbench.objectives.smooth_functions import sum_in_eight

if TYPE_CHECKING:
    from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def _evaluate_block(target, raw, weight, gradients, hessians, begin, end):
    losses = np.empty(end - begin)
    for i in range(begin, end):
        error = raw[i] - target[i]
        gradients[i] = weight[i] * error
        hessians[i] = weight[i]
        losses[i - begin] = 0.5 * weight[i] * error * error
    return sum_in_eight(losses, end - begin)


@njit(cache=True, nogil=True, parallel=True)
def _evaluate(target, raw, weight, gradients, hessians, threads):
    n = len(target)
    n_blocks = (n + BLOCK_ROWS - 1) // BLOCK_ROWS
    losses = np.empty(n_blocks)
    if threads == 1:
        for block in range(n_blocks):
            begin = block * BLOCK_ROWS
            end = min(n, begin + BLOCK_ROWS)
            losses[block] = _evaluate_block(target, raw, weight, gradients, hessians, begin, end)
    else:
        for block in prange(n_blocks):
            begin = np.int64(block) * BLOCK_ROWS
            end = min(n, begin + BLOCK_ROWS)
            losses[block] = _evaluate_block(target, raw, weight, gradients, hessians, begin, end)
    return sum_in_eight(losses, n_blocks)


class Squared:
    """l = ½(y − ŷ)², g = ŷ − y, h = 1."""

    name = "squared"
    aliases = ("reg:squarederror", "squared_error", "regression")
    label = "Squared error"
    task = "regression"
    metrics = ("rmse", "mae", "r2")

    def n_outputs(self, n_classes: int) -> int:
        """One raw prediction a row."""
        return 1

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the weighted mean of the target, or `base_score`."""
        if base_score is None:
            total = len(target) if weight is None else weight.sum()
            base_score = float(np.average(target, weights=weight)) if total > 0 else 0.0
        return np.array([base_score], np.float32)

    def evaluate(
        self,
        target: NDArray[np.float64],
        raw: NDArray[np.float32],
        weight: NDArray[np.float64],
        gradients: NDArray[np.float64],
        hessians: NDArray[np.float64],
        threads: int,
    ) -> float:
        """Fill g = ŷ − y and h = 1, times the weight; return the summed loss."""
        return float(_evaluate(target, raw[0], weight, gradients[0], hessians[0], threads))

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the root mean squared error."""
        return float(np.sqrt(2.0 * mean_loss))

    def transform(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the raw predictions: the link is the identity."""
        return raw


OBJECTIVES.register(Squared())
