"""The metrics of the model so far, its best round by the watched one, and when to give up waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.early_stopping import BestRound
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Container

    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.parameters.training import TrainingParams


class MetricWatch:
    """Takes the metrics before the first round and after each.

    Parameters
    ----------
    metrics : RunMetrics
    rows : RunPredictions
    loss : TrainingLoss
    best : tuple of int and float, optional
        Best round of the model that is grown on, and its watched metric.
    measured : container of int, optional
        The rounds whose metrics are wanted; None for all.

    Attributes
    ----------
    train, valid : dict of str to float
        As last taken; empty after a round whose metrics nobody wants.
    """

    def __init__(
        self,
        metrics: RunMetrics,
        rows: RunPredictions,
        loss: TrainingLoss,
        best: tuple[int, float] | None,
        measured: Container[int] | None = None,
    ) -> None:
        self._metrics, self._rows, self._loss = metrics, rows, loss
        self._measured = measured
        self._best = BestRound(metrics.higher_is_better)
        if best is not None:
            self._best.note(*best)
        self.take()

    def take(self) -> None:
        """Take the metrics of the model as it stands, whatever its round."""
        self.train = self._metrics.on_train(self._rows.train, self._loss.mean, self._loss.measured)
        self.valid = self._metrics.on_valid(self._rows.valid)

    def check(self, params: TrainingParams) -> None:
        """Refuse to wait for the best of a metric that is not defined here."""
        watched = self._metrics.watched
        if params.early_stopping_rounds is not None and self.valid and np.isnan(self.valid[watched]):
            raise WorkbenchError(
                f"metric and early_stopping_rounds clash: '{watched}' is not defined on the validation rows. "
                "Choose another metric."
            )

    @property
    def best_round(self) -> int:
        """Round with the best watched metric so far; 0 before the first."""
        return self._best.round

    def note(self, number: int, params: TrainingParams) -> None:
        """Take the metrics after a round."""
        wanted = self._measured
        if wanted is not None and number not in wanted and params.early_stopping_rounds is None:
            self.train, self.valid = {}, {}
            return
        self.take()
        watched = (self.valid or self.train)[self._metrics.watched]
        self._best.note(number, watched, params.early_stopping_min_change)

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Whether the run stops early after this round; it never does without validation rows."""
        return bool(self.valid) and self._best.is_exhausted(number, params.early_stopping_rounds)
