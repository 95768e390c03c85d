"""What can be chosen by name, taken from the registries; reading them imports numba."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.metrics.facts import MetricFacts, ranking_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.schema import Task


@dataclass(frozen=True)
class ObjectiveFacts:
    """What the window must know of an objective.

    Attributes
    ----------
    name : str
    task : Task or None
        None where the objective is not known.
    metrics : tuple of MetricFacts
        All that can be watched; the first follows from the mean loss.
    loss_of_metric : callable or None
        The mean loss from the first metric.
    """

    name: str
    task: Task | None = None
    metrics: tuple[MetricFacts, ...] = ()
    loss_of_metric: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None

    def with_metrics(self, more: tuple[MetricFacts, ...]) -> ObjectiveFacts:
        """Return the facts with further metrics, in the place of those that have the same names."""
        names = {metric.name for metric in more}
        return replace(self, metrics=(*(m for m in self.metrics if m.name not in names), *more))

    def metric(self, name: str) -> MetricFacts:
        """Return the words for a metric; its name where it has none."""
        known = next((metric for metric in self.metrics if metric.name == name), None)
        return known or ranking_facts(name) or MetricFacts(name)

    def takes(self, name: str, has_groups: bool = False) -> bool:
        """Whether a metric of this name can be taken, for rows in queries or not."""
        if any(name in (metric.name, *metric.aliases) for metric in self.metrics):
            return True
        ranks = has_groups or any(ranking_facts(metric.name) for metric in self.metrics)
        return self.task == "regression" and ranks and ranking_facts(name) is not None


def known_objectives() -> tuple[ObjectiveFacts, ...]:
    """Return the facts of every objective, the usual ones first; call it on a worker thread."""
    from workbench.objectives.base import by_use

    return tuple(objective_facts(o.name) for o in by_use())


def objective_facts(name: str) -> ObjectiveFacts:
    """Return the facts of one objective: its own metrics, of rankings if it ranks, then those of its task."""
    from workbench.metrics.base import METRICS, fits
    from workbench.objectives.base import OBJECTIVES

    objective = OBJECTIVES.get(name)
    own = tuple(METRICS.get(metric) for metric in objective.metrics)
    ranks = objective.needs_groups
    others = [metric for metric in METRICS if fits(metric, objective, ranks) and metric not in own]
    more = tuple(sorted(others, key=lambda metric: metric.reads != "groups"))
    loss_of_metric = objective.loss_of_metric if objective.first_metric_is_loss else None
    return ObjectiveFacts(objective.name, objective.task, own + more, loss_of_metric)
