"""A loss as Friedman's gradient boosting sees it: trees by least squares, then each leaf's own line search.

Friedman, Greedy function approximation (2001): algorithm 1 for any loss; 3, 4 and 5 for the absolute error,
Huber's M-regression and two classes; 6 for K classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.objectives.absolute import Absolute
from workbench.objectives.base import Objective
from workbench.objectives.huber import Huber
from workbench.objectives.line_search import by_leaf, one_huber_step, quotients_by_leaf, weighted_quantile
from workbench.objectives.quantile import Quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.objectives.line_search import SearchedRows
    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team

# Second derivatives of rows from their pseudo-residuals r = −g; of classes |r|(1 − |r|) = p(1 − p).
CURVATURES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "squared": np.ones_like,
    "logistic": lambda r: np.abs(r) * (1.0 - np.abs(r)),
    "softmax": lambda r: np.abs(r) * (1.0 - np.abs(r)),
    "exponential": np.abs,
}


class PseudoResiduals(Objective):
    """g stays, h is 1, both times the row's weight, so that a tree fits −g by least squares.

    Leaves then take their own step. squared: the mean residual. absolute, quantile: the quantile of the
    residuals, the lower of two. huber: one step from their median. logistic, exponential: one Newton step,
    Σr/Σh, with the second derivative h of the loss; softmax: (K − 1)/K of it. A residual of 0 counts as one
    above 0 under absolute, so that every row pulls.

    With `huber_quantile` the residuals of huber are clipped at this quantile of their sizes, anew each
    round; the loss that is reported keeps `huber_slope`.

    Parameters
    ----------
    loss : Objective
    params : TrainingParams
    """

    searches_leaves = True

    def __init__(self, loss: Objective, params: TrainingParams) -> None:
        self.name, self.aliases, self.label, self.task = loss.name, loss.aliases, loss.label, loss.task
        self.metrics, self.first_metric_is_loss = loss.metrics, loss.first_metric_is_loss
        self.link, self.by_blocks, self.needs_groups = loss.link, loss.by_blocks, loss.needs_groups
        self.highest_raw, self.boundary = loss.highest_raw, loss.boundary
        self._loss, self._params = loss, params
        self._quantile = params.huber_quantile if isinstance(loss, Huber) else None

    def with_groups(self, groups: NDArray[np.int64]) -> PseudoResiduals:
        """Return it for rows with these queries."""
        return PseudoResiduals(self._loss.with_groups(groups), self._params)

    def of_output(self, k: int) -> PseudoResiduals:
        """Return it for the k-th raw prediction of a row."""
        return PseudoResiduals(self._loss.of_output(k), self._params)

    def of_constants(self) -> Objective:
        """Return the loss itself."""
        return self._loss

    def check(self, target: NDArray[np.float64]) -> None:
        """Refuse what the loss cannot have."""
        self._loss.check(target)

    def lacks(self) -> str:
        """Say why the loss has no gradients."""
        return self._loss.lacks()

    def log_odds(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return those of the loss."""
        return self._loss.log_odds(raw)

    def n_outputs(self, n_classes: int) -> int:
        """Return how many raw predictions a row has."""
        return self._loss.n_outputs(n_classes)

    def output_names(self, class_labels: Sequence[object]) -> tuple[str, ...]:
        """Return what they are for."""
        return self._loss.output_names(class_labels)

    def metric_of_loss(self, mean_loss: float) -> float:
        """Return the first metric."""
        return self._loss.metric_of_loss(mean_loss)

    def loss_of_metric(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean loss."""
        return self._loss.loss_of_metric(values)

    def transform(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return predictions."""
        return self._loss.transform(raw)

    def base_margin(
        self,
        target: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        n_classes: int,
        base_score: float | None = None,
    ) -> NDArray[np.float32]:
        """Return the best constant of the loss; with `huber_quantile` the median (algorithm 4)."""
        if self._quantile is None or base_score is not None:
            return self._loss.base_margin(target, weight, n_classes, base_score)
        ones = np.ones(len(target)) if weight is None else weight
        return np.array([weighted_quantile(target, ones, 0.5)], np.float32)

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
        """Fill g of the loss and h = 1, times the weight; return its summed loss."""
        told = self._loss.evaluate(target, raw, weight, gradients, hessians, losses, team)
        hessians[:] = weight if len(weight) == len(target) else 1.0
        if self._quantile is not None:
            residual = target - raw[0]
            slope = weighted_quantile(np.abs(residual), hessians[0], self._quantile, midway=False)
            np.multiply(np.clip(residual, -slope, slope), -hessians[0], out=gradients[0])
        elif isinstance(self._loss, Absolute):
            np.multiply(np.where(raw[0] > target, 1.0, -1.0), hessians[0], out=gradients[0])
        return told

    def leaf_weights(self, rows: SearchedRows) -> NDArray[np.float64]:
        """Return the steps of the leaves."""
        name = self._loss.name
        if isinstance(self._loss, Huber):
            slope = self._loss.slope if self._quantile is None else rows.largest_gradient
            return by_leaf(lambda r, weight: one_huber_step(r, weight, slope), rows)
        if isinstance(self._loss, Absolute | Quantile):
            share = self._loss.levels[0] if isinstance(self._loss, Quantile) else 0.5
            return by_leaf(lambda r, weight: weighted_quantile(r, weight, share, midway=False), rows)
        weight, pull = rows.weights[rows.drawn], -rows.gradients[rows.drawn]
        residual = np.divide(pull, weight, out=np.zeros(len(pull)), where=weight > 0)
        k = rows.n_outputs
        scale = (k - 1) / k if name == "softmax" else 1.0
        return scale * quotients_by_leaf(pull, CURVATURES[name](residual) * weight, rows)
