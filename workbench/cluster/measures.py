"""The metrics that XGBoost takes on a cluster, and how ours follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from workbench.cluster.learner_params import METRICS as LEARNER_METRICS
from workbench.cluster.tallies import TargetTally
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES, loss_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from workbench.objectives.poisson import Poisson
    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class LearnerMeasure:
    """One of our metrics.

    Attributes
    ----------
    learner : str
        What XGBoost calls the figure that it follows from.
    ours : callable
        (XGBoost's figure, tally of the rows) to our metric.
    """

    learner: str
    ours: Callable[[float, TargetTally], float] = lambda figure, _tally: figure

    def named(self, params: TrainingParams) -> str:
        """Return XGBoost's name with the run's own power."""
        return self.learner.format(power=f"{np.float32(params.tweedie_variance_power)!s}")


def _r2(rmse: float, tally: TargetTally) -> float:
    return 1.0 - rmse * rmse / tally.variance if tally.variance > 0 else math.nan


def _deviance(likelihood: float, tally: TargetTally) -> float:
    """Return twice the mean loss, which is the likelihood but for what the targets alone make of it."""
    return 2.0 * (likelihood + tally.shift)


MADE = {"r2": _r2, "poisson_deviance": _deviance, "tweedie_deviance": _deviance}
MEASURES = {
    name: LearnerMeasure(learner, MADE[name]) if name in MADE else LearnerMeasure(learner)
    for name, learner in LEARNER_METRICS.items()
}
# From which of our metrics the mean loss of a row follows, by objective.
LOSSES: dict[str, tuple[str, Callable[[float], float]]] = {
    "squared": ("rmse", lambda figure: 0.5 * figure * figure),
    "logistic": ("logloss", lambda figure: figure),
    "softmax": ("mlogloss", lambda figure: figure),
    **{name: (f"{name}_deviance", lambda figure: 0.5 * figure) for name in ("poisson", "gamma", "tweedie")},
}


def taken(
    figures: Mapping[str, float], names: tuple[str, ...], params: TrainingParams, tally: TargetTally
) -> dict[str, float]:
    """Return our metrics from XGBoost's figures, by XGBoost's names."""
    return {name: float(MEASURES[name].ours(figures[MEASURES[name].named(params)], tally)) for name in names}


def shifts(objective: str, target: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Return our loss of each row less XGBoost's likelihood, both at a mean of 1."""
    if objective == "poisson":
        own = target * np.log(np.where(target > 0, target, 1.0)) - target
        return own - np.array([math.lgamma(value + 1.0) for value in target])
    if objective == "tweedie":
        return target ** (2.0 - power) / ((1.0 - power) * (2.0 - power))
    return np.zeros(len(target))


def tally_of(
    target: NDArray[np.floating], weight: NDArray[np.floating] | None, n_classes: int,
    params: TrainingParams, objective: str,
) -> TargetTally:  # fmt: skip
    """Add up targets as the metrics of a run need them."""
    if n_classes:
        return TargetTally.of(target, weight, n_classes)
    y = target.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        extra = shifts(objective, y, params.tweedie_variance_power)
    at_zero = losses_at(objective, params, y, 0.0)
    return TargetTally.of(y, weight, 0, extra, at_zero)


def losses_at(
    objective: str, params: TrainingParams, target: NDArray[np.float64], raw: float
) -> NDArray[np.float64]:
    """Return our loss of each number to predict at one raw prediction for all."""
    if objective == "squared":
        return 0.5 * (target - raw) ** 2
    known = cast("Poisson", OBJECTIVES.get(objective).with_params(params))
    with np.errstate(divide="ignore", invalid="ignore"):
        return known.losses(target, np.full(len(target), raw))


def loss_of_constant(
    objective: str, params: TrainingParams, tally: TargetTally, raw: NDArray[np.floating]
) -> float:
    """Return the summed loss of rows that all have the same raw prediction, shape (K,).

    Of numbers it is linear in the target but for what does not depend on the prediction, so that the mean
    target tells the change from a prediction of 0.
    """
    if not tally.weight:
        return 0.0
    if tally.classes:
        classes, weight = np.arange(len(tally.classes), dtype=np.float64), np.array(tally.classes)
        each = np.tile(raw.astype(np.float32), (len(classes), 1))
        return loss_sum(OBJECTIVES.get(objective), classes, each[:, 0] if len(raw) == 1 else each, weight)
    mean = np.array([tally.mean])
    there, zero = (float(losses_at(objective, params, mean, at)[0]) for at in (float(raw[0]), 0.0))
    return tally.at_zero + tally.weight * (there - zero)


def of_constant(
    objective: str, names: tuple[str, ...], params: TrainingParams, tally: TargetTally,
    raw: NDArray[np.floating],
) -> dict[str, float]:
    """Return metrics of rows that all have the same raw prediction; NaN where the sums do not tell."""
    if not tally.rows:
        return {}
    known = OBJECTIVES.get(objective).with_params(params)
    if tally.classes:
        classes, weight = np.arange(len(tally.classes), dtype=np.float64), np.array(tally.classes)
        each = np.tile(raw.astype(np.float32), (len(classes), 1))
        each = each[:, 0] if len(raw) == 1 else each
        return {name: measure(METRICS.get(name), known, classes, each, weight) for name in names}
    loss = loss_of_constant(objective, params, tally, raw) / tally.weight
    mean = float(known.transform(raw)[0])
    error = math.sqrt(max(tally.variance + (tally.mean - mean) ** 2, 0.0))
    found = {
        LOSSES[objective][0]: known.metric_of_loss(loss), "rmse": error, "r2": _r2(error, tally),
        "mae": tally.absolute_error(mean),
    }  # fmt: skip
    return {name: found.get(name, math.nan) for name in names}
