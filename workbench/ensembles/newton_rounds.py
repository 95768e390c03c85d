"""The rounds of Newton boosting: each takes one step down the loss, by trees on gradients and hessians."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.run.reports import RoundReports
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.ensembles.dart import Dart
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.round_grower import RoundGrower
    from workbench.ensembles.row_sampling import SampledRows
    from workbench.ensembles.run.omega import Omega
    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.ensembles.run.watch import MetricWatch
    from workbench.parameters.training import TrainingParams


class NewtonRounds:
    """Grows rounds on the parts of a run.

    Parameters
    ----------
    grower : RoundGrower
    train : PredictedRows
        To which the grower adds its trees.
    loss : TrainingLoss
    dart : Dart
    omega : Omega
        Of the trees so far.
    watch : MetricWatch
    highest_raw : float
        Raw predictions beyond it cannot be held by a number.

    Attributes
    ----------
    end_note : str
        Why the rounds ended by themselves, where a person should know; "" else.
    """

    def __init__(
        self,
        grower: RoundGrower,
        train: PredictedRows,
        loss: TrainingLoss,
        dart: Dart,
        omega: Omega,
        watch: MetricWatch,
        highest_raw: float,
    ) -> None:
        self._grower, self._train, self._loss = grower, train, loss
        self._dart, self._omega, self._watch = dart, omega, watch
        self._highest_raw = highest_raw
        self._reports = RoundReports(loss, omega, watch)
        self.end_note = ""

    def grow(self, number: int, params: TrainingParams) -> RoundFinished | None:
        """Grow the trees of one round; None when it was broken off."""
        began = perf_counter()
        loss = self._loss
        learning_rate = self._dart.leave_out(params, number)
        if self._dart.has_left_out:
            loss.update()
        sample = self._grower.draw(params, number)
        if len(sample.rows.left_out) or sample.factors is not None:
            loss.tell_rows()
        before = self._drawn_loss(sample, params)
        trees = self._grower.grow(params, number, sample, learning_rate)
        if trees is None:
            return None
        loss.update()
        delivered = self._drawn_loss(sample, params) - before
        dropout = self._dart.take_in(trees)
        if dropout is not None:
            loss.update()
        self._check_finite(number)
        self._omega.add(trees)
        if dropout is not None:
            self._omega.of_weights = self._dart.omega_of_weights()
        self._watch.note(number, params)
        return self._reports.finished(number, trees, params, delivered, began, dropout)

    def gives_up(self, number: int, params: TrainingParams) -> bool:
        """Whether there has been no better round for too long."""
        return self._watch.gives_up(number, params)

    def _drawn_loss(self, sample: SampledRows, params: TrainingParams) -> float:
        """Return the loss over the rows that the round drew; of all for a forest, whose trees draw others."""
        return self._loss.total if params.num_parallel_tree > 1 else self._loss.over(sample)

    def _check_finite(self, number: int) -> None:
        highest = self._highest_raw
        if not np.isfinite(self._loss.total) or (highest < np.inf and self._train.raw.max() > highest):
            raise WorkbenchError(
                f"In round {number} the predictions grew beyond what a number can hold. "
                "Raise reg_lambda or min_child_weight, set max_delta_step, or lower learning_rate."
            )
