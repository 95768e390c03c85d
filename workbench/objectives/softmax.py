"""The cross-entropy of K classes: the predictions are their probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import real_array
from workbench.objectives.base import LEAST_HESSIAN, LEAST_SHARE, OBJECTIVES, Objective
from workbench.objectives.logistic import LOSS, N_LOSS_SUMS, WEIGHT, WRONG
from workbench.objectives.smooth_functions import exp, log_from_one, sum_in_eight
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

    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team

HESSIANS = {"bound": 2.0, "diagonal": 1.0}  # times p(1 − p)


@kernel
def raise_to(values, out):
    """Raise each of `out` to the value where that is larger."""
    for i in range(len(out)):
        x = np.float64(values[i])
        out[i] = x if x > out[i] else out[i]


@kernel
def _fill_shares(raw, largest, share, total):
    for i in range(len(share)):
        share[i] = exp(np.float64(raw[i]) - largest[i])
    for i in range(len(share)):
        total[i] += share[i]


@kernel
def shares_of_block(raw, b, e, shares, largest, total):
    """Fill e^(ŷ_k − max), the maximum, and the sum over classes, for rows b … e−1.

    Parameters
    ----------
    raw : ndarray of float32, shape (K, n)
    shares : ndarray of float64, shape (K, >= e - b)
    largest, total : ndarray of float64, shape (e - b,)
    """
    for i in range(len(total)):
        largest[i] = -np.inf
        total[i] = 0.0
    for k in range(len(raw)):
        raise_to(raw[k, b:e], largest)
    for k in range(len(raw)):
        _fill_shares(raw[k, b:e], largest, shares[k, : e - b], total)


@kernel
def row_losses(target, raw, b, weight, largest, total, out):
    """Fill w·l(y, ŷ) = w·(max + ln Σ e^(ŷ_k − max) − ŷ_y) of the rows from b on."""
    for i in range(len(target)):
        out[i] = np.float64(raw[np.int64(target[i]), np.uint64(b + i)])
    for i in range(len(target)):
        out[i] = weight[i] * (largest[i] + log_from_one(total[i]) - out[i])


@kernel
def _invert(total, out):
    for i in range(len(total)):
        out[i] = 1.0 / total[i]


@kernel
def _fill_gradients(target, k, weight, share, inverse, out):
    for i in range(len(target)):
        out[i] = weight[i] * (share[i] * inverse[i] - (1.0 if target[i] == k else 0.0))


@kernel
def _fill_hessians(factor, weight, share, inverse, out):
    for i in range(len(weight)):
        p = share[i] * inverse[i]
        h = factor * p * (1.0 - p)
        out[i] = weight[i] * (h if h > LEAST_HESSIAN else LEAST_HESSIAN)


@kernel(allocates=True)
def _evaluate_part(part, parts, target, raw, weight, factor, gradients, hessians, of_rows, sums):
    shares = np.empty((len(raw), LOSS_BLOCK_ROWS))
    scratch = np.empty((4, LOSS_BLOCK_ROWS))
    for block in range(part_begin(part, parts, len(sums)), part_begin(part + 1, parts, len(sums))):
        b = block * LOSS_BLOCK_ROWS
        e = block_end(block, len(target))
        n = e - b
        w = weight_begin(weight, b, len(target))
        largest, total, inverse, loss = scratch[0, :n], scratch[1, :n], scratch[2, :n], scratch[3, :n]
        shares_of_block(raw, b, e, shares, largest, total)
        _invert(total, inverse)
        for k in range(len(raw)):
            _fill_gradients(target[b:e], k, weight[w : w + n], shares[k, :n], inverse, gradients[k, b:e])
            _fill_hessians(factor, weight[w : w + n], shares[k, :n], inverse, hessians[k, b:e])
        row_losses(target[b:e], raw, b, weight[w : w + n], largest, total, loss)
        copy_to(loss, of_rows[b:e])
        sums[block, LOSS] = sum_in_eight(loss)
        sums[block, WEIGHT] = sum_in_eight(weight[w : w + e - b])
        fill_wrong(target[b:e], raw, b, weight[w : w + e - b], largest, loss)
        sums[block, WRONG] = sum_in_eight(loss)


@kernel(allocates=True)
def _probabilities(raw, out):
    shares = np.empty((len(raw), LOSS_BLOCK_ROWS))
    scratch = np.empty((2, LOSS_BLOCK_ROWS))
    n = raw.shape[1]
    for b in range(0, n, LOSS_BLOCK_ROWS):
        e = b + LOSS_BLOCK_ROWS if b + LOSS_BLOCK_ROWS < n else n
        largest, total = scratch[0, : e - b], scratch[1, : e - b]
        shares_of_block(raw, b, e, shares, largest, total)
        for k in range(len(raw)):
            own = out[k, b:e]
            for i in range(len(own)):
                own[i] = shares[k, i] / total[i]


@dataclass(frozen=True)
class Softmax(Objective):
    """l = −ln p_y, g_k = p_k − 1[y = k], h_k = `factor` p_k(1 − p_k), at least 1e-16.

    The true hessian of a row is diag(p) − ppᵀ. Its diagonal (factor 1) is what a class sees that steps
    alone; twice that (factor 2, XGBoost's) bounds the whole from above, since by Gershgorin's circles
    2 diag(p(1 − p)) − diag(p) + ppᵀ has no negative eigenvalue: all classes may step together.
    """

    factor: float = HESSIANS["bound"]
    name = "softmax"
    aliases = ("multi:softprob", "multi:softmax", "multiclass")
    label = "Softmax"
    task = "multiclass"
    metrics = ("mlogloss", "merror")
    by_blocks = True
    link = "softmax"

    def with_params(self, params: TrainingParams) -> Softmax:
        """Return it with the hessian that is wanted."""
        return Softmax(HESSIANS[params.softmax_hessian])

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
    ) -> tuple[float, dict[str, float]]:
        """Fill g and h of every class, times the weight; return the summed loss, and the error rate."""
        loss, total_weight, wrong = sums_of_blocks(
            team, N_LOSS_SUMS, _evaluate_part, target, raw, weight, self.factor, gradients, hessians, losses
        )
        return loss, {"merror": ratio(wrong, total_weight)}

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the probabilities of the classes, shape (n, K), without overflow."""
        by_class = real_array(np.asarray(raw).T)
        out = np.empty_like(by_class)
        _probabilities(by_class, out)
        return out.T


OBJECTIVES.register(Softmax())


@kernel
def raise_likeliest(raw, k, largest, likeliest):
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
        raise_likeliest(raw[k, begin:end], np.float64(k), largest, likeliest)
    _keep_wrong(target, weight, likeliest)


@kernel
def _keep_wrong(target, weight, likeliest):
    """Put in place of the likeliest class the weight of the row, or 0 where it is the row's own."""
    for i in range(len(target)):
        likeliest[i] = weight[i] if likeliest[i] != target[i] else 0.0
