"""The metrics of any model on the rows of a run, as the run itself took them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.class_weights import class_weights, row_weights
from workbench.ensembles.prediction import add_linear, add_to_raw
from workbench.ensembles.run.metrics import RunMetrics
from workbench.ensembles.run.objective import resolve_objective
from workbench.ensembles.run.predicted_rows import PredictedRows
from workbench.errors import leave_if
from workbench.kernels.kernel_arrays import kernel_array
from workbench.objectives.base import loss_sum
from workbench.threads.row_blocks import weights_or_ones
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams

TREES_AT_ONCE = 25  # between two questions whether to go on


@dataclass(frozen=True)
class MetricValues:
    """Metrics by name; `valid` is empty without hold-out rows. `loss` is summed over the training rows."""

    train: dict[str, float]
    valid: dict[str, float]
    loss: float


class ModelMetrics:
    """Takes the metrics of one dataset; serial kernels, from any thread.

    Parameters
    ----------
    dataset : Dataset
    objective : str
    params : TrainingParams
        Metrics, weights of classes and the objective's own parameters are read.
    """

    def __init__(self, dataset: Dataset, objective: str, params: TrainingParams) -> None:
        self._data = dataset
        self._objective = resolve_objective(objective, dataset).with_params(params)
        if self._objective.needs_groups and dataset.groups is not None:
            self._objective = self._objective.with_groups(dataset.groups[dataset.train_rows])
        self._of_class = class_weights(dataset.schema, params)
        n_train, n_valid = len(dataset.train_rows), len(dataset.valid_rows)
        self._metrics = RunMetrics(
            self._objective, params, n_train, n_valid, ALONE, dataset.groups is not None
        )
        self.watched, self.higher_is_better = self._metrics.watched, self._metrics.higher_is_better

    def of_model(self, ensemble: Ensemble, cancelled: Callable[[], bool]) -> MetricValues:
        """Return the metrics of a whole model; Cancelled where `cancelled`, asked on the way, says so."""
        return self._measured(self._weighed(self._raw(ensemble, cancelled), ensemble, ensemble.rounds))

    def by_round(self, ensemble: Ensemble, cancelled: Callable[[], bool]) -> Iterator[MetricValues]:
        """Yield the metrics before the first tree, and after every round."""
        raw = self._begun(ensemble)
        changed = {dropout.round for dropout in ensemble.dropouts}
        yield self._measured(raw)
        if ensemble.averages:
            yield from self._of_means(ensemble, cancelled)
            return
        for number in range(1, ensemble.rounds + 1):
            leave_if(cancelled)
            if number in changed:
                raw = self._raw(ensemble.first_rounds(number), cancelled)
            else:
                add_to_raw(ensemble.trees_of(number), self._data.features, raw)
            yield self._measured(self._weighed(raw, ensemble, number))

    def _of_means(
        self, ensemble: Ensemble, cancelled: Callable[[], bool]
    ) -> Iterator[MetricValues]:
        """Yield the metrics after every round where the trees are averaged."""
        base = self._begun(ensemble)
        sums = np.zeros_like(base)
        for number in range(1, ensemble.rounds + 1):
            leave_if(cancelled)
            add_to_raw(ensemble.trees_of(number), self._data.features, sums)
            yield self._measured(base + sums / np.float32(number))

    def _raw(self, ensemble: Ensemble, cancelled: Callable[[], bool]) -> NDArray[np.float32]:
        raw = self._begun(ensemble)
        for first in range(0, len(ensemble.trees), TREES_AT_ONCE):
            leave_if(cancelled)
            some = slice(first, first + TREES_AT_ONCE)
            add_to_raw(ensemble.trees[some], self._data.features, raw, ensemble.tree_weights[some])
        return raw

    def _weighed(self, raw: NDArray[np.float32], ensemble: Ensemble, rounds: int) -> NDArray[np.float32]:
        """Return the predictions with what a linear model weighs after so many rounds."""
        if not rounds or not ensemble.is_linear:
            return raw
        raw = raw.copy()
        add_linear(ensemble.linear[rounds - 1], self._data.features, raw)
        return raw

    def _begun(self, ensemble: Ensemble) -> NDArray[np.float32]:
        data = self._data
        raw = np.repeat(ensemble.base_margin.astype(np.float32)[:, None], len(data.features), axis=1)
        if data.offset is not None:
            raw += data.offset
        return raw

    def _measured(self, raw: NDArray[np.float32]) -> MetricValues:
        data = self._data
        train, valid = (self._rows(raw, rows) for rows in (data.train_rows, data.valid_rows))
        own = train.raw[0] if len(train.raw) == 1 else train.raw.T
        loss = loss_sum(self._objective, train.target, own, train.weight)
        weight = float(train.weight.sum())
        mean = loss / weight if weight > 0 else float("nan")
        return MetricValues(self._metrics.on_train(train, mean), self._metrics.on_valid(valid), loss)

    def _rows(self, raw: NDArray[np.float32], rows: NDArray[np.int64]) -> PredictedRows:
        data = self._data
        weight = weights_or_ones(row_weights(data, self._of_class, rows), len(rows))
        groups = None if data.groups is None else data.groups[rows]
        return PredictedRows(data.target[rows], weight, kernel_array(raw[:, rows], np.float32), groups)
