"""What folds and refits of runs have said, as a project keeps it: figures, predictions, models."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.session.project.fold_models import are_kept, ensemble_of_fold, fold_model_record
from workbench.session.project.run_record import ended_of, ended_record
from workbench.validation.fold_plan import FOLDS_BY, FoldPlan
from workbench.validation.folds import Fold
from workbench.validation.noise_floor import NoiseFloor, Refit
from workbench.validation.result import FoldRun, ReadFolds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.session.run import Run
    from workbench.validation.result import CrossValidated

MOST = 10_000_000
MOST_KEPT = 10_000_000  # predictions of all folds of a run; more are left out
_ROW, _PREDICTION = np.dtype("<i4"), np.dtype("<f4")
NO_ROWS = np.empty(0, np.int64)


@dataclass(frozen=True)
class KeptValidation:
    """Of runs by number, those alone of which all folds, or all refits, are trained.

    Attributes
    ----------
    folds : mapping of int to (FoldPlan, CrossValidated)
    floors : mapping of int to NoiseFloor
    """

    folds: Mapping[int, tuple[FoldPlan, CrossValidated]] = field(default_factory=dict)
    floors: Mapping[int, NoiseFloor] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "folds": [[number, _plan_record(plan), _folds_record(result)]
                      for number, (plan, result) in self.folds.items()],
            "floors": [[number, floor.rounds, floor.wanted,
                        [[refit.number, _lists(refit.valid)] for refit in floor.refits]]
                       for number, floor in self.floors.items()],
        }  # fmt: skip


def kept_validation(record: Any, runs: Mapping[int, Run]) -> KeptValidation:
    """Read what `record` wrote, of runs that are there."""
    record = checks.mapping(record, "validation")
    folds, floors = {}, {}
    for number, plan, read in checks.sequence(record["folds"], "folds"):
        run = _run(number, runs)
        schema, started = run.schema, run.started
        if schema is None or started is None:
            raise WorkbenchError("Damaged project: there are folds of a run that never began.")
        made = [_fold_of(one, schema) for one in checks.sequence(read, "folds")]
        for one in made:
            one.started = started
        folds[run.number] = _plan_of(plan), ReadFolds(schema, made)
    for number, rounds, wanted, refits in checks.sequence(record["floors"], "floors"):
        known = [
            Refit(_count(place), {name: np.array(values) for name, values in _metrics(valid).items()})
            for place, valid in checks.sequence(refits, "refits")
        ]
        floors[_run(number, runs).number] = NoiseFloor(_count(rounds), _count(wanted), known)
    return KeptValidation(folds, floors)


def _run(number: Any, runs: Mapping[int, Run]) -> Run:
    run = runs.get(_count(number))
    if run is None:
        raise WorkbenchError("Damaged project: a run was validated that is not there.")
    return run


def _plan_record(plan: FoldPlan) -> list[Any]:
    return [plan.folds, plan.repeats, plan.seed, plan.by, plan.column]


def _plan_of(record: Any) -> FoldPlan:
    folds, repeats, seed, by, column = checks.sequence(record, "a plan", 5)
    if by not in FOLDS_BY:
        raise WorkbenchError("Damaged project: folds are divided in no known way.")
    return FoldPlan(folds, repeats, seed, by, None if column is None else checks.text(column, "a column"))


def _folds_record(result: CrossValidated) -> list[Any]:
    runs, schema = result.folds, result.schema
    is_kept = sum(run.predictions.size for run in runs if run.predictions is not None) <= MOST_KEPT
    has_models = is_kept and are_kept(runs)
    return [
        [*_fold_record(run), _predicted_record(run) if is_kept else None,
         fold_model_record(run, schema) if has_models else None]
        for run in runs
    ]  # fmt: skip


def _fold_record(run: FoldRun) -> list[Any]:
    return [run.fold.repeat, run.fold.number, run.rounds, run.best_round, _lists(run.train),
            _lists(run.valid), ended_record(run.ended)]  # fmt: skip


def _fold_of(record: Any, schema: DataSchema) -> FoldRun:
    """Read a fold; older projects do not have what it predicted, or its model."""
    repeat, number, rounds, best, train, valid, ended, *more = checks.sequence(record, "a fold")
    predicted, model = (*more, None, None)[:2]
    rows, predictions = (NO_ROWS, None) if predicted is None else _predicted_of(predicted)
    fold = Fold(_count(repeat), _count(number), NO_ROWS, rows)
    return FoldRun(
        fold, ended=ended_of(ended), train=_metrics(train), valid=_metrics(valid), best_round=_count(best),
        rounds=_count(rounds), predictions=predictions, is_read=True,
        ensemble=None if model is None else ensemble_of_fold(model, schema),
    )  # fmt: skip


def _predicted_record(run: FoldRun) -> list[Any] | None:
    """Return the rows that a fold held out, what it predicted of them, and how many numbers of each row."""
    if run.predictions is None:
        return None
    width = run.predictions.shape[1] if run.predictions.ndim > 1 else 0
    arrays = run.fold.valid.astype(_ROW), run.predictions.astype(_PREDICTION)
    return [*(base64.b64encode(array.tobytes()).decode("ascii") for array in arrays), width]


def _predicted_of(record: Any) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    texts, width = checks.sequence(record, "predictions of a fold", 3)[:2], _count(record[2])
    rows, predictions = (
        np.frombuffer(base64.b64decode(checks.text(text, "predictions"), validate=True), kind)
        for text, kind in zip(texts, (_ROW, _PREDICTION), strict=True)
    )
    is_sound = len(predictions) == len(rows) * max(width, 1) and (np.diff(rows) > 0).all()
    if not is_sound or (len(rows) and rows[0] < 0):
        raise WorkbenchError("Damaged project: a fold predicted other rows than it held out.")
    shaped = predictions.reshape(-1, width) if width else predictions
    return rows.astype(np.int64), shaped.astype(np.float32)


def _lists(metrics: Mapping[str, Any]) -> dict[str, list[float | None]]:
    return {
        name: [float(value) if np.isfinite(value) else None for value in values]
        for name, values in metrics.items()
    }  # fmt: skip


def _metrics(record: Any) -> dict[str, list[float]]:
    return {
        checks.text(name, "a metric"): checks.reals(values, "a metric").tolist()
        for name, values in checks.mapping(record, "metrics").items()
    }  # fmt: skip


def _count(value: Any) -> int:
    return checks.integer(value, "a count", 0, MOST)
