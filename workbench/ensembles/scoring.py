"""Which metrics a run reports, and how they are taken each round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.metrics.base import METRICS, as_read, measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.objectives.base import Objective
    from workbench.trees.team import Team

MOST_ROWS_TO_SORT = 50_000


@dataclass
class ScoredRows:
    """Rows with their raw predictions so far.

    Attributes
    ----------
    target, weight : ndarray of float64, shape (n,)
    raw : ndarray of float32, shape (K, n)
    """

    target: NDArray[np.float64]
    weight: NDArray[np.float64]
    raw: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.target)


class Scoreboard:
    """The metrics of a run, the watched one first.

    Metrics that sort the rows (auc) are taken on the training rows only up to 50,000 of them, or where
    they are watched and there are no validation rows.
    """

    def __init__(self, objective: Objective, wanted: str, n_train: int, n_valid: int, team: Team) -> None:
        self._objective = objective
        self._team = team
        self.watched = objective.metrics[0] if wanted == "auto" else METRICS.get(wanted).name
        self.names = (self.watched, *(m for m in objective.metrics if m != self.watched))
        self.higher_is_better = METRICS.get(self.watched).higher_is_better
        if objective.task not in METRICS.get(self.watched).tasks:
            raise WorkbenchError(
                f"The metric '{self.watched}' cannot be taken of the objective '{objective.name}'. "
                f"Choose one of {', '.join(objective.metrics)}, or auto."
            )
        self._on_train = tuple(
            name for name in self.names
            if METRICS.get(name).is_cheap
            or n_train <= MOST_ROWS_TO_SORT
            or (name == self.watched and not n_valid)
        )

    def on_train(self, rows: ScoredRows, mean_loss: float) -> dict[str, float]:
        """Return the metrics of the training rows; the first one follows from the loss."""
        from_loss = {self._objective.metrics[0]: self._objective.metric_of_loss(mean_loss)}
        return {
            name: from_loss[name] if name in from_loss else self._measure(name, rows)
            for name in self._on_train
        }

    def on_valid(self, rows: ScoredRows) -> dict[str, float]:
        """Return the metrics of the validation rows; nothing where there are none."""
        return {name: self._measure(name, rows) for name in self.names} if len(rows) else {}

    def _measure(self, name: str, rows: ScoredRows) -> float:
        metric = METRICS.get(name)
        raw = rows.raw[0] if len(rows.raw) == 1 else rows.raw
        if metric.formula is None:
            return measure(metric, self._objective, rows.target, raw, rows.weight)
        return metric.formula(rows.target, as_read(metric, self._objective, raw), rows.weight, self._team)
