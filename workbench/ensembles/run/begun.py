"""What a run begins with once its rows are read: base, bins and raw predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.ensembles.class_weights import counting
from workbench.ensembles.run.base_margin import base_of_run
from workbench.ensembles.run.first_predictions import first_predictions
from workbench.errors import leave_if
from workbench.trees.tree_method import RunRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.ensembles.run.setup import RunSetup
    from workbench.trees.tree_method import ReadyGrower


class RunBegun(Protocol):
    """A run of any method before its first round."""

    @property
    def ensemble(self) -> Ensemble:
        """The base, and the trees that the run goes on from."""

    @property
    def rows(self) -> RunPredictions:
        """The rows with their raw predictions."""


class Begun(NamedTuple):
    """A run before its first round.

    Attributes
    ----------
    ensemble : Ensemble
        The base, and the trees that the run goes on from.
    prepared : ReadyGrower
        A grower of trees, and the held-out rows in the form in which it takes them.
    rows : RunPredictions
    """

    ensemble: Ensemble
    prepared: ReadyGrower
    rows: RunPredictions


def begin_run(setup: RunSetup, data: Dataset, cancelled: Callable[[], bool]) -> Begun:
    """Bring the rows into the form that is trained on; `cancelled` is asked on the way."""
    kept = setup.columns.forced.values()
    counts = counting(setup.weight_of(data, data.train_rows))
    rows = RunRows(data.features, data.train_rows, data.valid_rows, setup.n_categories, kept, counts)
    prepared = setup.method.prepare(rows, setup.params, setup.team, cancelled)
    base = base_of_run(setup, data)
    leave_if(cancelled)
    predictions = first_predictions(setup, data, base)
    leave_if(cancelled)
    return Begun(setup.begun(base), prepared, predictions)
