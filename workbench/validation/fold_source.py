"""Rows of cross-validation as the tab Predictions reads rows: each predicted by the folds without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.classes import label_text
from workbench.data.distinct import distinct
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import leave_if
from workbench.explain.predictions.row_source import RowSource, fine_shares, task_of
from workbench.explain.predictions.scored_rows import ScoredRows, known_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.explain.predictions.row_source import AnsweredTable, Predictor
    from workbench.validation.result import FoldRun


class FoldSource(RowSource):
    """Of several repeats a row's predictions are averaged.

    Parameters
    ----------
    predictor, table, of
        As in `RowSource`.
    folds : sequence of FoldRun
        Those that are trained.
    rows : ndarray of int64, optional
        Those that are looked at; all that a fold held out where it is not given.
    """

    def __init__(
        self, predictor: Predictor, table: AnsweredTable, folds: Sequence[FoldRun],
        rows: NDArray[np.int64] | None = None, of: int = 0,
    ) -> None:  # fmt: skip
        if rows is None:
            rows = distinct(np.concatenate([run.fold.valid for run in folds]))
        super().__init__(predictor, table, rows, of)
        self._folds = folds

    def _of(self, rows: NDArray[np.int64], of: int) -> FoldSource:
        return FoldSource(self.predictor, self.table, self._folds, rows, of)

    def scored(self, round: int, cancelled: Callable[[], bool] | None = None) -> ScoredRows:
        """Return the rows after so many rounds of each fold, as many as count."""
        predictor, table, rows = self.predictor, self.table, self.rows
        total, times = None, np.zeros(len(rows))
        for run in self._folds:
            leave_if(cancelled)
            held = np.intersect1d(run.fold.valid, rows, assume_unique=True)
            if not len(held):
                continue
            predicted = self._predicted(run, held, round)
            if total is None:
                total = np.zeros((len(rows), *predicted.shape[1:]))
            places = np.searchsorted(rows, held)
            total[places] += predicted
            times[places] += 1
        assert total is not None
        prediction = total / times.reshape(-1, *[1] * (total.ndim - 1))
        labels = tuple(map(label_text, predictor.schema.class_labels))
        weight = None if table.weight is None else table.weight[rows]
        return known_rows(ScoredRows(
            task_of(predictor.objective, labels), table.target[rows], prediction, rows, weight, labels,
            predictor.objective.boundary, tuple(getattr(predictor.objective, "levels", ())),
            None if table.groups is None else table.groups[rows], self.of,
        ))  # fmt: skip

    def _predicted(self, run: FoldRun, held: NDArray[np.int64], round: int) -> NDArray[np.float64]:
        """Return what a fold says of rows; one whose model no project kept says it of its last round."""
        if run.ensemble is None:
            assert run.predictions is not None
            return run.predictions[np.searchsorted(run.fold.valid, held)].astype(np.float64)
        offset = None if self.table.offset is None else self.table.offset[held]
        rounds, features = min(round, run.ensemble.rounds), self.table.features[held]
        raw = raw_predictions(run.ensemble, features, rounds, serial=True, offset=offset)
        objective = self.predictor.objective
        shares = objective.transform(raw)
        if raw.ndim == 1 and objective.task != "regression":
            shares = fine_shares(shares, objective.log_odds(raw))
        return np.asarray(shares, np.float64)
