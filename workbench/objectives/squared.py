"""Half the squared error, ½(y − ŷ)²: the prediction is the mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.objectives.base import (
    BLOCK_ROWS,
    OBJECTIVES,
    Objective,
    block_end,
    copy_to,
    evaluate_blocks,
    weight_begin,
)
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.team import Team


@kernel(allocates=True)
def _evaluate_block(target, raw, weight, gradients, hessians, of_rows):
    losses = np.empty(len(raw))
    for i in range(len(raw)):
        hessians[i] = weight[i]
        gradients[i] = weight[i] * (raw[i] - target[i])
    for i in range(len(raw)):
        error = raw[i] - target[i]
        losses[i] = 0.5 * weight[i] * error * error
    copy_to(losses, of_rows)
    return sum_in_eight(losses)


@kernel
def _evaluate_part(part, parts, target, raw, weight, gradients, hessians, of_rows, losses):
    for block in range(part_begin(part, parts, len(losses)), part_begin(part + 1, parts, len(losses))):
        b = block * BLOCK_ROWS
        e = block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        losses[block] = _evaluate_block(
            target[b:e], raw[b:e], weight[w : w + e - b], gradients[b:e], hessians[b:e],
            of_rows[b:e],
        )


class Squared(Objective):
    """l = ½(y − ŷ)², g = ŷ − y, h = 1."""

    name = "squared"
    aliases = ("reg:squarederror", "squared_error", "regression")
    label = "Squared error"
    task = "regression"
    metrics = ("rmse", "mae", "r2")
    by_blocks = True

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
        losses: NDArray[np.float64],
        team: Team,
    ) -> float:
        """Fill g = ŷ − y and h = 1, times the weight; return the summed loss."""
        return evaluate_blocks(
            team, _evaluate_part, target, raw[0], weight, gradients[0], hessians[0], losses
        )

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the root mean squared error."""
        return float(np.sqrt(2.0 * mean_loss))

    def loss_of_metric(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return ½·rmse²."""
        return 0.5 * values**2

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the raw predictions: the link is the identity."""
        return raw


OBJECTIVES.register(Squared())
