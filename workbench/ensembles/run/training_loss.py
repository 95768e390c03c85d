"""The loss of the model so far on the training rows, with the gradients and hessians that come with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from workbench.ensembles.row_sampling import SampledRows
    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.objectives.base import Objective
    from workbench.threads.team import Team


class TrainingLoss:
    """Taken at the raw predictions, anew with each `update`.

    Attributes
    ----------
    gradients, hessians : ndarray of float64, shape (K, n)
    total : float
        Summed over all training rows with their weights.
    measured : mapping of str to float
        Metrics that the objective came by on the way.
    """

    def __init__(self, objective: Objective, rows: PredictedRows, team: Team) -> None:
        self._objective, self._rows, self._team = objective, rows, team
        self._total_weight = rows.total_weight
        self.gradients, self.hessians = np.empty(rows.raw.shape), np.empty(rows.raw.shape)
        self._of_rows = np.empty(0)  # filled where rounds draw some of the rows
        self.update()

    def update(self) -> None:
        """Take loss, gradients and hessians at the raw predictions as they stand."""
        rows = self._rows
        self.total, self.measured = self._objective.evaluate(
            rows.target, rows.raw, rows.weight, self.gradients, self.hessians, self._of_rows, self._team
        )

    def tell_rows(self) -> None:
        """Know from now on the loss of each row, which `over` a sample needs."""
        if not len(self._of_rows):
            self._of_rows = np.empty(len(self._rows))
            self.update()

    def over(self, sample: SampledRows) -> float:
        """Return the summed loss over drawn rows, as often as they count."""
        rows = sample.rows
        if sample.factors is not None:
            return float((np.take(self._of_rows, rows.drawn) * sample.factors[rows.drawn]).sum())
        if not len(rows.left_out):
            return self.total
        if len(rows.left_out) < len(rows.drawn):
            return self.total - float(np.take(self._of_rows, rows.left_out).sum())
        return float(np.take(self._of_rows, rows.drawn).sum())

    @property
    def mean(self) -> float:
        """By the weight of the rows; NaN where they have none."""
        return self.total / self._total_weight if self._total_weight > 0 else float("nan")
