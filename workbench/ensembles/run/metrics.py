"""Which metrics a run reports, and how they are taken each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, as_read, fits, measure
from workbench.metrics.facts import asked_metrics, unfit_metric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.metrics.base import Metric
    from workbench.metrics.facts import MetricFacts
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team

MOST_ROWS_TO_SORT = 50_000


class RunMetrics:
    """The metrics of a run, the watched one first.

    Metrics that sort the rows (auc) are taken on the training rows only up to 50,000 of them, or where
    they are watched and there are no validation rows.
    """

    def __init__(
        self,
        objective: Objective,
        params: TrainingParams,
        n_train: int,
        n_valid: int,
        team: Team,
        has_groups: bool = False,
        own: Sequence[Metric] = (),
    ) -> None:
        self._objective = objective
        self._team = team
        self._own = {metric.name: metric for metric in own}
        for parameter, name in asked_metrics(params):
            _check_fits(self._metric(name), objective, parameter, has_groups)
        wanted = params.metric
        self.watched = objective.metrics[0] if wanted == "auto" else self._metric(wanted).name
        others = (*objective.metrics, *(self._metric(name).name for name in params.more_metrics))
        self.names = tuple(dict.fromkeys((self.watched, *others)))
        self.higher_is_better = self._metric(self.watched).higher_is_better
        self._on_train = tuple(
            name for name in self.names
            if self._metric(name).is_cheap
            or n_train <= MOST_ROWS_TO_SORT
            or (name == self.watched and not n_valid)
        )

    @property
    def watched_facts(self) -> MetricFacts:
        """The words for the watched metric."""
        return self._metric(self.watched).facts

    @property
    def own_facts(self) -> tuple[MetricFacts, ...]:
        """The words for those metrics that come from a person's own file."""
        return tuple(metric.facts for metric in self._own.values() if metric.name in self.names)

    def on_train(
        self, rows: PredictedRows, mean_loss: float, known: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Return the metrics of the training rows; some may be known, and the first follows from the loss."""
        known = dict(known or {})
        if self._objective.first_metric_is_loss:
            known[self._objective.metrics[0]] = self._objective.metric_of_loss(mean_loss)
        return {
            name: known[name] if name in known else self._measure(name, rows) for name in self._on_train
        }

    def on_valid(self, rows: PredictedRows) -> dict[str, float]:
        """Return the metrics of the validation rows; nothing where there are none."""
        return {name: self._measure(name, rows) for name in self.names} if len(rows) else {}

    def measured(self, rows: PredictedRows) -> dict[str, float]:
        """Return of any other rows those metrics that are taken on the training rows."""
        return {name: self._measure(name, rows) for name in self._on_train}

    def _metric(self, name: str) -> Metric:
        return self._own[name] if name in self._own else METRICS.get(name)

    def _measure(self, name: str, rows: PredictedRows) -> float:
        metric = self._metric(name)
        raw = rows.raw[0] if len(rows.raw) == 1 else rows.raw
        if metric.by_query is not None:
            return metric.by_query(rows.target, raw, rows.queries, self._team)
        if metric.formula is None:
            return measure(metric, self._objective, rows.target, raw.T, rows.weights)
        weight = rows.weight if metric.by_blocks else rows.weights
        return metric.formula(rows.target, as_read(metric, self._objective, raw), weight, self._team)


def _check_fits(metric: Metric, objective: Objective, parameter: str, has_groups: bool) -> None:
    """Refuse a metric that does not fit the objective or the rows."""
    if not fits(metric, objective, has_groups):
        fitting = [other.name for other in METRICS if fits(other, objective, has_groups)]
        raise WorkbenchError(
            unfit_metric(parameter, metric.name, objective.name, objective.task, fitting).text
        )
