"""Cross-validation as a generator: what the trainer of each fold says, and what that fold predicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingStarted, rounds_of_model
from workbench.ensembles.own_parts import NOTHING_OWN
from workbench.ensembles.prediction import raw_predictions
from workbench.errors import Cancelled, WorkbenchError
from workbench.objectives.base import OBJECTIVES
from workbench.validation.fold_events import OfFold, Predicted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.ensemble import Ensemble
    from workbench.ensembles.own_parts import OwnParts
    from workbench.parameters.training import TrainingParams
    from workbench.validation.folds import Fold


def cross_validation(
    dataset: Dataset,
    params: TrainingParams,
    folds: Sequence[Fold],
    control: RunControl | None = None,
    own: OwnParts = NOTHING_OWN,
) -> Iterator[OfFold | Predicted]:
    """Train fold after fold; every fold makes its bins of its own training rows.

    A fold that was stopped, as it trained or was prepared, is not predicted, and none follows it.

    Raises
    ------
    WorkbenchError
        A fold cannot be trained: which, and why.
    """
    make_trainer(part_of(dataset, folds[0]), params, control, own=own)  # refuses what no fold could train
    for place, fold in enumerate(folds):
        started: TrainingStarted | None = None
        ended: TrainingEnded | None = None
        rounds: list[RoundFinished] = []
        try:
            _check_weights(dataset, fold)
            for event in make_trainer(part_of(dataset, fold), params, control, own=own).rounds():
                match event:
                    case TrainingStarted():
                        started = event
                    case RoundFinished():
                        rounds.append(event)
                    case TrainingEnded():
                        ended = event
                yield OfFold(place, event)
        except Cancelled:
            return
        except WorkbenchError as error:
            raise WorkbenchError(f"Cross-validation ended at {fold.name}: {error}") from error
        if control is not None and control.stopped:
            return
        assert started is not None
        ensemble = started.ensemble.with_rounds(rounds[: rounds_of_model(started, rounds, ended)])
        yield Predicted(place, ensemble, predictions_of(dataset, ensemble, fold.valid, own, params.threads))


def _check_weights(dataset: Dataset, fold: Fold) -> None:
    if dataset.weight is None:
        return
    for rows, what in ((fold.train, "train"), (fold.valid, "are held out")):
        if not dataset.weight[rows].any():
            raise WorkbenchError(f"all rows that {what} have weight 0. Divide the rows in another way.")


def part_of(dataset: Dataset, fold: Fold) -> Dataset:
    """Return the rows of which a fold trains some and holds others out."""
    return replace(dataset, train_rows=fold.train, valid_rows=fold.valid)


def predictions_of(
    dataset: Dataset, ensemble: Ensemble, rows: NDArray[np.int64], own: OwnParts = NOTHING_OWN,
    threads: int = 0, rounds: int | None = None,
) -> NDArray[Any]:  # fmt: skip
    """Predict rows of a dataset, with the first `rounds` where that is given."""
    offset = None if dataset.offset is None else dataset.offset[rows]
    raw = raw_predictions(ensemble, dataset.features[rows], rounds, threads=threads, offset=offset)
    objective = own.objective or OBJECTIVES.get(ensemble.objective)
    return objective.transform(raw)


def rows_to_fold(dataset: Dataset) -> NDArray[np.int64]:
    """Return the rows that are divided: all that train or are held out, but those of a second file."""
    split = dataset.schema.split
    if split is not None and split.by == "file":
        return dataset.train_rows
    return np.sort(np.concatenate([dataset.train_rows, dataset.valid_rows]))
