"""An objective written with numpy: what a loss is for rows, and the rest follows.

Such a file has no kernel: nothing is compiled for it, and it is short. It takes some times as long as one in
numba, which is little beside growing a tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.kernels.kernel_arrays import real_array
from workbench.objectives.base import Objective
from workbench.objectives.wrong_target import WrongTarget
from workbench.threads.row_blocks import copy_to

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Task
    from workbench.threads.team import Team

DERIVED_AT_ONCE = 16_384


class ByRows(Objective):
    """A loss given row by row: of one raw prediction, or the sum over several that have each their own."""

    task: Task = "regression"

    def losses(self, target: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return l(y, ŷ) of each row, shape (n,)."""
        raise NotImplementedError

    def derivatives(
        self, target: NDArray[np.float64], raw: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return g and h of each row, shape (n,)."""
        raise NotImplementedError

    def best_constant(self, target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """Return the prediction, on the output scale, with the least loss if it is the same for all rows."""
        raise NotImplementedError

    def margin(self, prediction: float) -> float:
        """Return the raw prediction of a prediction: the link."""
        return prediction

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the margin of the best constant, or of `base_score`, for each output."""
        weight = np.ones(len(target)) if weight is None else weight
        outputs = [self.of_output(k) for k in range(self.n_outputs(n_classes))]
        scores = [
            base_score if base_score is not None else o.best_constant(target, weight) if weight.any() else 0.0
            for o in outputs
        ]
        return np.array([self.margin(score) for score in scores], np.float32)

    def of_output(self, k: int) -> ByRows:
        """Return the loss of the k-th raw prediction of a row."""
        return self

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
        """Fill g and h, times the weight; return the summed loss. Some rows at a time, on one thread."""
        total = 0.0
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for b in range(0, len(target), DERIVED_AT_ONCE):
                part = slice(b, b + DERIVED_AT_ONCE)
                y, w = target[part], weight[part]
                own = np.zeros(len(y))
                for k in range(len(raw)):
                    output, x = self.of_output(k), raw[k, part].astype(np.float64)
                    g, h = output.derivatives(y, x)
                    np.multiply(g, w, out=gradients[k, part])
                    np.multiply(h, w, out=hessians[k, part])
                    own += output.losses(y, x) * w
                copy_to(own, losses[part])
                total += float(own.sum())
        return total, {}

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the raw predictions: the link is the identity unless another is given."""
        return raw


def refuse_below(target: NDArray[np.float64], least: float, *, open_: bool, objective: str) -> None:
    """Refuse targets below what the objective can have."""
    wrong = target <= least if open_ else target < least
    if wrong.any():
        allowed = f"above {least:g}" if open_ else f"of {least:g} or more"
        raise WrongTarget(f"The objective '{objective}' needs targets {allowed}", wrong, target)


def positive_mean(target: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Return the weighted mean of a target, at least 1e-6: what a logarithm can be taken of."""
    return max(float(np.average(target, weights=weight)), 1e-6)


def log_of(prediction: float, objective: str) -> float:
    """Return the logarithm of a mean."""
    if not prediction > 0.0:
        raise WorkbenchError(f"base_score is {prediction:g}; for '{objective}' it is a mean above 0.")
    return float(np.log(prediction))


def exp_of(raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Return e**ŷ: of singles in float32, as XGBoost does."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(real_array(raw)))
