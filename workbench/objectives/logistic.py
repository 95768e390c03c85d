"""The logistic loss of two classes, y in {0, 1}: the prediction is the probability of class 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import real_array
from workbench.objectives.base import LEAST_HESSIAN, LEAST_SHARE, OBJECTIVES, Objective
from workbench.objectives.smooth_functions import exp, log1p_of_unit, sum_in_eight
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

# Sums of a block of rows.
LOSS, WEIGHT, WRONG = range(3)
N_LOSS_SUMS = 3


@kernel
def tails(raw, out):
    """Fill z = e^−|ŷ|, from which p, h and the loss follow without overflow."""
    for i in range(len(raw)):
        out[i] = exp(-abs(np.float64(raw[i])))


@kernel
def row_losses(target, raw, weight, z, out):
    """Fill w·l(y, ŷ) = w·(max(ŷ, 0) − yŷ + ln(1 + z))."""
    for i in range(len(raw)):
        x = np.float64(raw[i])
        out[i] = weight[i] * (0.5 * (abs(x) + x) - x * target[i] + log1p_of_unit(z[i]))


@kernel
def _fill_inverses(z, out):
    for i in range(len(z)):
        out[i] = 1.0 / (1.0 + z[i])


@kernel
def _fill_gradients(target, raw, weight, z, inverse, out):
    for i in range(len(raw)):
        p = (1.0 if raw[i] >= 0.0 else z[i]) * inverse[i]
        out[i] = weight[i] * (p - target[i])


@kernel
def _fill_hessians(weight, z, inverse, out):
    for i in range(len(z)):
        h = z[i] * inverse[i] * inverse[i]
        out[i] = weight[i] * (h if h > LEAST_HESSIAN else LEAST_HESSIAN)


@kernel
def _evaluate_block(target, raw, weight, gradients, hessians, of_rows, scratch, sums):
    """Fill one block and its sums. Few arrays a loop: with more, a compiler gives up proving them apart."""
    n = len(raw)
    z, inverse, losses = scratch[0, :n], scratch[1, :n], scratch[2, :n]
    tails(raw, z)
    _fill_inverses(z, inverse)
    row_losses(target, raw, weight, z, losses)
    _fill_gradients(target, raw, weight, z, inverse, gradients)
    _fill_hessians(weight, z, inverse, hessians)
    copy_to(losses, of_rows)
    sums[LOSS] = sum_in_eight(losses)
    sums[WEIGHT] = sum_in_eight(weight)
    fill_wrong(target, raw, weight, losses)
    sums[WRONG] = sum_in_eight(losses)


@kernel(allocates=True)
def _evaluate_part(part, parts, target, raw, weight, gradients, hessians, of_rows, sums):
    scratch = np.empty((3, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b = block * LOSS_BLOCK_ROWS
        e = block_end(block, len(target))
        w = weight_begin(weight, b, len(target))
        _evaluate_block(
            target[b:e], raw[b:e], weight[w : w + e - b], gradients[b:e], hessians[b:e],
            of_rows[b:e], scratch, sums[block],
        )


@kernel
def _probabilities(raw, out):
    for i in range(len(raw)):
        z = exp(-abs(np.float64(raw[i])))
        out[i] = (1.0 if raw[i] >= 0.0 else z) / (1.0 + z)


class Logistic(Objective):
    """l = y ln(1+e^−ŷ) + (1−y) ln(1+e^ŷ), g = p − y, h = p(1−p), at least 1e-16 as in XGBoost."""

    name = "logistic"
    aliases = ("binary:logistic", "binary", "log_loss")
    label = "Logistic"
    task = "binary"
    metrics = ("logloss", "error", "auc")
    link = "1/(1+e^−ŷ)"
    by_blocks = True

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the log-odds of class 1, or of `base_score`.

        The share is rounded to float32 first and its log-odds are taken in float32, as XGBoost does
        with the `base_score` of a file. Shares are held to 1e-6 … 1 − 1e-6.
        """
        if base_score is None:
            total = len(target) if weight is None else weight.sum()
            share = float(np.average(target, weights=weight)) if total > 0 else 0.5
            base_score = min(max(share, LEAST_SHARE), 1.0 - LEAST_SHARE)
        elif not 0.0 < base_score < 1.0:
            raise WorkbenchError(
                f"base_score is {base_score:g}; for two classes it is a probability between 0 and 1."
            )
        share32 = np.float32(base_score)
        return np.array([-np.log(np.float32(1.0) / share32 - np.float32(1.0))], np.float32)

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
        """Fill g = p − y and h = p(1−p), times the weight; return the summed loss, and the error rate."""
        loss, total_weight, wrong = sums_of_blocks(
            team, N_LOSS_SUMS, _evaluate_part, target, raw[0], weight, gradients[0], hessians[0], losses
        )
        return loss, {"error": ratio(wrong, total_weight)}

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the probability of class 1, 1/(1+e^−ŷ), without overflow."""
        raw = real_array(raw)
        out = np.empty_like(raw)
        _probabilities(raw, out)
        return out


OBJECTIVES.register(Logistic())


@kernel
def fill_wrong(target, raw, weight, out):
    """Fill the weight of every row on the wrong side of p = ½, 0 of others."""
    for i in range(len(out)):
        out[i] = weight[i] if (raw[i] > 0.0) != (target[i] > 0.5) else 0.0
