"""What a metric is: a figure that is reported, and watched by early stopping, but not trained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.kernels.kernel_arrays import kernel_array
from workbench.metrics.facts import MetricFacts
from workbench.objectives.base import loss_sum
from workbench.registry import Registry
from workbench.threads.row_blocks import ratio, sums_of_blocks
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.objectives.base import Objective
    from workbench.threads.team import Team


Formula = Callable[["NDArray[np.float64]", "NDArray[np.float32]", "NDArray[np.float64]", "Team"], float]
ByQuery = Callable[..., float]
ByRow = Callable[["NDArray[np.float64]", "NDArray[np.float32]", "NDArray[np.float64]"], float]


@dataclass(frozen=True, kw_only=True)
class Metric(MetricFacts):
    """A weighted figure of targets and predictions; from any thread.

    Attributes
    ----------
    formula : callable
        (target, prediction, weight, team) to a figure, from arrays as `arrays` returns them: raw predictions
        or not as `reads` says, shape (n,), or (K, n) for several classes.
    by_query : callable
        (target, raw, groups, team) to a figure, where the rows belong to queries; `groups` may be Queries,
        and the team left out.
    by_rows : callable
        (target, prediction, weight) to a figure, from arrays of shape (n,), or (n, K) for several outputs.
    tasks : tuple of {"regression", "binary", "multiclass"}
        Where it has a meaning.
    reads : {"raw", "log_odds", "prediction", "loss", "groups"}
        Whether it is given raw predictions (before the link), log-odds or predictions (after the link); or
        whether it is the objective's own loss, which takes no formula; or raw predictions and queries.
    by_blocks : bool
        Whether `formula` takes the ones of a single block of rows for the weights of all.
    is_cheap : bool
        Whether it takes one pass over the rows; the others need sorting, and are left out on large
        training sets (see `ensembles/run/metrics.py`).
    """

    formula: Formula | None = None
    by_query: ByQuery | None = None
    by_rows: ByRow | None = None
    tasks: tuple[str, ...]
    reads: str = "raw"
    is_cheap: bool = True
    by_blocks: bool = False

    @property
    def facts(self) -> MetricFacts:
        """The words for it alone."""
        return MetricFacts(*(getattr(self, field.name) for field in fields(MetricFacts)))

    def value(
        self,
        target: NDArray[np.float64],
        prediction: NDArray[np.float32],
        weight: NDArray[np.float64] | None = None,
        team: Team = ALONE,
    ) -> float:
        """Return the metric; NaN where it is not defined (no rows, no weight, one class for auc).

        `prediction` is raw or not as `reads` says, shape (n,), or (n, K) for several classes.
        """
        if self.formula is None:
            raise WorkbenchError(f"The metric '{self.name}' is taken of a run of its own objective only.")
        return self.formula(*arrays(target, prediction, weight), team)


N_METRIC_SUMS = 4
METRICS: Registry[Metric] = Registry("metric", "workbench.metrics")


def fits(metric: Metric, objective: Objective, has_groups: bool) -> bool:
    """Whether a metric can be taken of the predictions of an objective, for rows in queries or not."""
    if objective.task not in metric.tasks or (metric.reads == "groups" and not has_groups):
        return False
    return metric.reads != "loss" or metric.name in objective.metrics


def measure(
    metric: Metric,
    objective: Objective,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    weight: NDArray[np.float64] | None = None,
    team: Team = ALONE,
) -> float:
    """Return the metric of raw predictions of a model with this objective."""
    if metric.reads == "loss":
        total = float(len(target) if weight is None else weight.sum())
        mean = ratio(loss_sum(objective, target, raw, weight), total)
        return objective.metric_of_loss(mean)
    if metric.by_rows is not None:
        ones = np.ones(len(target)) if weight is None else weight
        return metric.by_rows(target, as_read(metric, objective, raw), ones)
    return metric.value(target, as_read(metric, objective, raw), weight, team)


def as_read(metric: Metric, objective: Objective, raw: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return raw predictions as a metric reads them."""
    if metric.reads == "raw":
        return raw
    return objective.log_odds(raw) if metric.reads == "log_odds" else objective.transform(raw)


def arrays(
    target: NDArray[np.float64], prediction: NDArray[np.float32], weight: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float32], NDArray[np.float64]]:
    """Return the arguments as the kernels want them: contiguous, typed, weighted, classes first."""
    weight = np.ones(len(target)) if weight is None else kernel_array(weight, np.float64)
    by_class = kernel_array(np.asarray(prediction).T, np.float32)
    return kernel_array(target, np.float64), by_class, weight


def sums_of_rows(
    kernel: Callable[..., object],
    target: NDArray[np.float64],
    prediction: NDArray[np.float32],
    weight: NDArray[np.float64],
    team: Team,
    *rest: object,
) -> list[float]:
    """Return Σ of N_METRIC_SUMS figures over all rows, of which the first is the weight.

    `kernel(part, parts, target, prediction, weight, *rest, sums)` writes the sums of each block.
    """
    return sums_of_blocks(team, N_METRIC_SUMS, kernel, target, prediction, weight, *rest)


def mean_of_rows(
    kernel: Callable[..., object],
    target: NDArray[np.float64],
    prediction: NDArray[np.float32],
    weight: NDArray[np.float64],
    team: Team,
    *rest: object,
) -> float:
    """Return the second sum over the first: a weighted mean; see `sums_of_rows`."""
    total_weight, total, *_ = sums_of_rows(kernel, target, prediction, weight, team, *rest)
    return ratio(total, total_weight)


