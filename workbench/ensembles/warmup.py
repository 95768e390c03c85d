"""Every kernel compiled once, into the cache folder, by a small run through each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.dataset import Dataset
from workbench.data.schema import DataSchema, Feature
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.ensembles.newton_boosting import NewtonBoosting
from workbench.ensembles.prediction import leaf_indices, path, raw_predictions
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.training import TrainingParams
from workbench.trees.cache import mark_kernels_ready

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.objectives.base import Objective

N_ROWS = 64
N_CLASSES = {"regression": 0, "binary": 2, "multiclass": 3}


def warm_up(progress: Callable[[int, int, str], None]) -> None:
    """Compile every kernel into numba's cache, unless it is there already.

    Parameters
    ----------
    progress : callable
        Told before each step how many are done, how many there are, and the name of the next; at the
        end once more, with all done.
    """
    objectives = list(OBJECTIVES)
    total = len(objectives) + 1
    for done, objective in enumerate(objectives):
        progress(done, total, objective.label)
        _train(objective)
    progress(total - 1, total, "Metrics")
    _measure_all()
    mark_kernels_ready()
    progress(total, total, "Ready")


def _train(objective: Objective) -> None:
    data = _table(objective)
    params = TrainingParams(
        objective=objective.name, rounds=1, max_depth=2, subsample=0.5, colsample_bytree=0.5, threads=1
    )
    started, ensemble = None, None
    for event in NewtonBoosting(data, params).rounds():
        if isinstance(event, TrainingStarted):
            started = event.ensemble
        elif isinstance(event, RoundFinished) and started is not None:
            ensemble = started.with_trees(event.trees)
    if ensemble is not None:
        objective.transform(raw_predictions(ensemble, data.features, serial=True))
        leaf_indices(ensemble.trees, data.features)
        path(ensemble.trees[0], data.features[0])


def _measure_all() -> None:
    for metric in METRICS:
        objective = next(o for o in OBJECTIVES if o.task in metric.tasks)
        data = _table(objective)
        n_outputs = objective.n_outputs(N_CLASSES[objective.task])
        shape = (N_ROWS,) if n_outputs == 1 else (N_ROWS, n_outputs)
        measure(metric, objective, data.target, np.zeros(shape, np.float32))


def _table(objective: Objective) -> Dataset:
    n_classes = N_CLASSES[objective.task]
    codes = np.arange(N_ROWS) % max(n_classes, 2)
    features = np.asfortranarray(np.column_stack([np.arange(N_ROWS), codes]), np.float32)
    features[::7, 0] = np.nan
    schema = DataSchema(
        (Feature("number", "number"), Feature("category", "category", ("a", "b", "c"))),
        "target",
        objective.task,
        tuple(range(n_classes)),
    )
    rows = np.arange(N_ROWS, dtype=np.int64)
    return Dataset(schema, features, codes.astype(np.float64), None, rows[:48], rows[48:], rows)
