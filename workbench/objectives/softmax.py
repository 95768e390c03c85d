"""The cross-entropy of K classes: the predictions are their probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import (
    BLOCK_ROWS,
    OBJECTIVES,
    Objective,
    block_end,
    copy_to,
    evaluate_blocks,
)
from workbench.objectives.smooth_functions import exp, sum_in_eight
from workbench.trees.kernel import kernel
from workbench.trees.kernel_arrays import kernel_array
from workbench.trees.parallel import part_begin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.team import Team

LEAST_HESSIAN = 1e-16
LEAST_SHARE = 1e-6


@kernel
def raise_to(values, out):
    """Raise each of `out` to the value where that is larger."""
    for i in range(len(out)):
        x = np.float64(values[i])
        out[i] = x if x > out[i] else out[i]


@kernel
def _fill_shares(raw, largest, out):
    for i in range(len(out)):
        out[i] = exp(np.float64(raw[i]) - largest[i])


@kernel
def _add_to(values, out):
    for i in range(len(out)):
        out[i] += values[i]


@kernel
def shares_of_block(raw, shares, largest, total):
    """Fill e^(ŷ_k − max), the maximum, and the sum over classes.

    Parameters
    ----------
    raw : ndarray of float32, shape (K, rows)
    shares : ndarray of float64, shape (K, rows)
    largest, total : ndarray of float64, shape (rows,)
    """
    for i in range(len(total)):
        largest[i] = -np.inf
        total[i] = 0.0
    for k in range(len(raw)):
        raise_to(raw[k], largest)
    for k in range(len(raw)):
        _fill_shares(raw[k], largest, shares[k])
        _add_to(shares[k], total)


@kernel
def row_losses(target, raw, weight, largest, total, out):
    """Fill w·l(y, ŷ) = w·(max + ln Σ e^(ŷ_k − max) − ŷ_y); `out` may be `total`."""
    for i in range(len(target)):
        own = np.float64(raw[np.int64(target[i]), i])
        out[i] = weight[i] * (largest[i] + np.log(total[i]) - own)


@kernel
def _fill_gradients(target, k, weight, share, total, out):
    for i in range(len(target)):
        out[i] = weight[i] * (share[i] / total[i] - (1.0 if target[i] == k else 0.0))


@kernel
def _fill_hessians(weight, share, total, out):
    for i in range(len(weight)):
        p = share[i] / total[i]
        h = 2.0 * p * (1.0 - p)
        out[i] = weight[i] * (h if h > LEAST_HESSIAN else LEAST_HESSIAN)


@kernel
def _evaluate_block(target, raw, weight, gradients, hessians, of_rows):
    n_rows = len(target)
    shares = np.empty((len(raw), n_rows))
    largest = np.empty(n_rows)
    total = np.empty(n_rows)
    shares_of_block(raw, shares, largest, total)
    for k in range(len(raw)):
        _fill_gradients(target, k, weight, shares[k], total, gradients[k])
        _fill_hessians(weight, shares[k], total, hessians[k])
    row_losses(target, raw, weight, largest, total, total)
    copy_to(total, of_rows)
    return sum_in_eight(total)


@kernel
def _evaluate_part(part, parts, target, raw, weight, gradients, hessians, of_rows, losses):
    for block in range(part_begin(part, parts, len(losses)), part_begin(part + 1, parts, len(losses))):
        b = block * BLOCK_ROWS
        e = block_end(block, len(target))
        losses[block] = _evaluate_block(
            target[b:e], raw[:, b:e], weight[b:e], gradients[:, b:e], hessians[:, b:e],
            of_rows[b:e],
        )


@kernel
def _probabilities(raw, out):
    n = raw.shape[1]
    for begin in range(0, n, BLOCK_ROWS):
        end = begin + BLOCK_ROWS if begin + BLOCK_ROWS < n else n
        shares = np.empty((len(raw), end - begin))
        largest = np.empty(end - begin)
        total = np.empty(end - begin)
        shares_of_block(raw[:, begin:end], shares, largest, total)
        for k in range(len(raw)):
            for i in range(end - begin):
                out[k, begin + i] = shares[k, i] / total[i]


class Softmax(Objective):
    """l = −ln p_y, g_k = p_k − 1[y = k], h_k = 2 p_k(1 − p_k), at least 1e-16.

    The hessian is XGBoost's, twice the diagonal of the true one: the classes share the step, and
    models come out as XGBoost's with the same parameters.
    """

    name = "softmax"
    aliases = ("multi:softprob", "multi:softmax", "multiclass")
    label = "Softmax"
    task = "multiclass"
    metrics = ("mlogloss", "merror")

    def n_outputs(self, n_classes: int) -> int:
        """One raw prediction a class."""
        return n_classes

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the logarithms of the classes' shares (at least 1e-6), or `base_score` for each.

        A file for XGBoost holds them as one leading tree a class with a single leaf, over a base of 0:
        0 + leaf is exact, so its raw predictions are ours bit for bit.
        """
        if base_score is not None:
            return np.full(n_classes, base_score, np.float32)
        sums = np.bincount(target.astype(np.int64), weights=weight, minlength=n_classes)
        total = sums.sum()
        shares = sums / total if total > 0 else np.full(n_classes, 1.0 / n_classes)
        return np.log(np.maximum(shares, LEAST_SHARE)).astype(np.float32)

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
        """Fill g and h of every class, times the weight; return the summed loss."""
        return evaluate_blocks(team, _evaluate_part, target, raw, weight, gradients, hessians, losses)

    def transform(self, raw: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probabilities of the classes, shape (n, K), without overflow."""
        by_class = kernel_array(np.asarray(raw).T, np.float32)
        out = np.empty(by_class.shape, np.float32)
        _probabilities(by_class, out)
        return out.T


OBJECTIVES.register(Softmax())
