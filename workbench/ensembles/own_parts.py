"""What a person brings to a run from files of their own: an objective, metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.metrics.facts import asked_metrics

if TYPE_CHECKING:
    from workbench.metrics.base import Metric
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams


@dataclass(frozen=True)
class OwnParts:
    """In place of the objective that parameters name, and beside the metrics that there are."""

    objective: Objective | None = None
    metrics: tuple[Metric, ...] = ()

    def __post_init__(self) -> None:
        names = [metric.name for metric in self.metrics]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise WorkbenchError(f"Two metric files are called '{twice}'. Give one of them another name.")

    def check_names(self, params: TrainingParams) -> None:
        """Refuse names of an objective or of metrics that neither these parts nor the program have."""
        from workbench.metrics.base import METRICS
        from workbench.objectives.base import OBJECTIVES

        if self.objective is None and params.objective != "auto":
            OBJECTIVES.get(params.objective)
        own = {metric.name for metric in self.metrics}
        for _parameter, name in asked_metrics(params):
            if name not in own:
                METRICS.get(name)


NOTHING_OWN = OwnParts()


def with_names(values: dict[str, Any]) -> tuple[dict[str, Any], OwnParts]:
    """Return values of parameters with names in place of what was given itself, and that."""
    named = dict(values)
    objective = _own(values.get("objective"))
    if objective is not None:
        named["objective"] = objective.name
    metrics = {}
    watched = _own(values.get("metric"))
    if watched is not None:
        named["metric"], metrics[id(watched)] = watched.name, watched
    more = values.get("more_metrics")
    if isinstance(more, (list, tuple)):
        own = [metric for metric in map(_own, more) if metric is not None]
        named["more_metrics"] = tuple(getattr(metric, "name", metric) for metric in more)
        metrics |= {id(metric): metric for metric in own}
    return named, OwnParts(objective, tuple(metrics.values()))


def _own(given: Any) -> Any:
    """Return what was given itself; None for a name, a number or nothing."""
    return given if hasattr(given, "name") else None
