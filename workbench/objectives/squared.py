"""Half the squared error, ½(y − ŷ)²: the prediction is the mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.objectives.base import OBJECTIVES, Objective
from workbench.objectives.smooth_functions import sum_in_eight
from workbench.threads.parallel import part_begin
from workbench.threads.row_blocks import (
    LOSS_BLOCK_ROWS,
    block_end,
    copy_to,
    ratio,
    sums_of_blocks,
    weight_begin,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.threads.team import Team

# Sums of a block of rows: w·l, w, w |y − ŷ|, and w (y − y₀) and w (y − y₀)², y₀ the first target.
LOSS, WEIGHT, ERROR, DEVIATION, SQUARE = range(5)
N_SQUARE_SUMS = 5


@kernel
def _evaluate_block(target, raw, weight, first, gradients, hessians, of_rows, scratch, sums):
    """Fill one block and its sums; `first` is the y₀ of R²."""
    n = len(raw)
    losses, deviations, squares = scratch[0, :n], scratch[1, :n], scratch[2, :n]
    for i in range(len(raw)):
        hessians[i] = weight[i]
        gradients[i] = weight[i] * (raw[i] - target[i])
    for i in range(len(raw)):
        error = raw[i] - target[i]
        losses[i] = 0.5 * weight[i] * error * error
    copy_to(losses, of_rows)
    sums[LOSS] = sum_in_eight(losses)
    sums[WEIGHT] = sum_in_eight(weight)
    fill_errors(target, raw, weight, losses)
    sums[ERROR] = sum_in_eight(losses)
    fill_deviations(target, weight, first, deviations, squares)
    sums[DEVIATION] = sum_in_eight(deviations)
    sums[SQUARE] = sum_in_eight(squares)


@kernel(allocates=True)
def _evaluate_part(part, parts, target, raw, weight, gradients, hessians, of_rows, sums):
    scratch = np.empty((3, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b = block * LOSS_BLOCK_ROWS
        e = block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        _evaluate_block(
            target[b:e], raw[b:e], weight[w : w + e - b], target[0], gradients[b:e], hessians[b:e],
            of_rows[b:e], scratch, sums[block],
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
    ) -> tuple[float, dict[str, float]]:
        """Fill g = ŷ − y and h = 1, times the weight; return the summed loss, MAE and R²."""
        loss, total_weight, errors, deviation, squares = sums_of_blocks(
            team, N_SQUARE_SUMS, _evaluate_part, target, raw[0], weight, gradients[0], hessians[0], losses
        )
        r2 = explained(total_weight, 2.0 * loss, deviation, squares)
        return loss, {"mae": ratio(errors, total_weight), "r2": r2}

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


@kernel
def fill_errors(target, prediction, weight, out):
    """Fill w |y − ŷ| of every row."""
    for i in range(len(out)):
        out[i] = weight[i] * abs(prediction[i] - target[i])


@kernel
def fill_deviations(target, weight, first, deviations, squares):
    """Fill w (y − y₀) and w (y − y₀)² of every row."""
    for i in range(len(target)):
        distance = target[i] - first
        deviations[i] = weight[i] * distance
        squares[i] = weight[i] * distance * distance


def explained(total_weight: float, errors: float, deviation: float, squares: float) -> float:
    """Return R² from Σ w, Σ w (y − ŷ)², Σ w (y − y₀) and Σ w (y − y₀)²."""
    if not total_weight > 0:
        return float("nan")
    return 1.0 - ratio(errors, squares - deviation * deviation / total_weight)
