"""What cross-validation has said: figures by fold and round, their mean and spread, and predictions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.classes import label_text
from workbench.data.given.frames import frame_of
from workbench.ensembles.events import RoundFinished, TrainingEnded, TrainingStarted, rounds_of_model
from workbench.number_text import counted, figure
from workbench.validation.fold_events import OfFold, Predicted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.validation.folds import Fold


class Band(NamedTuple):
    """Mean and standard deviation over folds of a figure, by round from 1; `folds` is how many there are."""

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    folds: int


@dataclass(eq=False)
class FoldRun:
    """One fold, as far as it is trained.

    Attributes
    ----------
    fold : Fold
    started, ended
        Events of its trainer, where they are there.
    train, valid : dict of str to list of float
        Each metric by round.
    best_round : int
    ensemble : Ensemble or None
        When it is trained, with the rounds that count.
    predictions : ndarray or None
        Of the rows that it held out.
    is_read : bool
        Whether it was read from a project, which keeps no ensemble where these are large.
    """

    fold: Fold
    started: TrainingStarted | None = None
    ended: TrainingEnded | None = None
    train: dict[str, list[float]] = field(default_factory=dict)
    valid: dict[str, list[float]] = field(default_factory=dict)
    best_round: int = 0
    rounds: int = 0
    ensemble: Ensemble | None = None
    predictions: NDArray[Any] | None = None
    is_read: bool = False

    def take(self, word: TrainingStarted | RoundFinished | TrainingEnded | object) -> None:
        """Take in what its trainer said."""
        match word:
            case TrainingStarted():
                self.started = word
            case RoundFinished():
                self.rounds, self.best_round = word.round, word.best_round
                for part, said in ((self.train, word.train), (self.valid, word.valid)):
                    for name, value in said.items():
                        part.setdefault(name, []).append(float(value))
            case TrainingEnded():
                self.ended = word

    @property
    def is_done(self) -> bool:
        """Whether it is trained and has predicted."""
        return self.predictions is not None or self.is_read

    @cached_property
    def kept(self) -> int:
        """Rounds that count: those up to the best one after early stopping."""
        assert self.started is not None
        return rounds_of_model(self.started, [None] * self.rounds, self.ended)  # type: ignore[list-item]

    def figure(self, part: str, metric: str) -> float:
        """Return a metric after the last round that counts; `part` is "train" or "valid"."""
        values: list[float] = getattr(self, part).get(metric, [])
        return values[self.kept - 1] if 0 < self.kept <= len(values) else float("nan")


class OutOfFold(NamedTuple):
    """Predictions that no row had a part in itself; a row has one for each repeat.

    Attributes
    ----------
    rows : ndarray of int64, shape (n,)
        Of the table, from 0.
    repeat, fold : ndarray of int64, shape (n,)
        From 1.
    truth : ndarray of float64, shape (n,)
        Class index for classes.
    predictions : ndarray, shape (n,) or (n, K)
    labels : tuple
        By class index; empty for numbers.
    weight : ndarray of float64, shape (n,), or None
    """

    rows: NDArray[np.int64]
    repeat: NDArray[np.int64]
    fold: NDArray[np.int64]
    truth: NDArray[np.float64]
    predictions: NDArray[Any]
    labels: tuple[Any, ...]
    weight: NDArray[np.float64] | None

    def frame(self) -> Any:
        """Return it as a table: row, repeat, fold, truth, and the prediction or a probability a class.

        Written to a file, it opens under Predictions.
        """
        truth: Any = self.truth
        if self.labels:
            truth = np.array(self.labels, object)[self.truth.astype(np.int64)]
        made = {"row": self.rows, "repeat": self.repeat, "fold": self.fold, "truth": truth}
        if self.predictions.ndim == 1:
            made["prediction"] = self.predictions
        else:
            names = self.labels if len(self.labels) == self.predictions.shape[1] else ()
            for place in range(self.predictions.shape[1]):
                name = f"probability_{label_text(names[place])}" if names else f"prediction_{place + 1}"
                made[name] = self.predictions[:, place]
        return frame_of(made)


class CrossValidated:
    """Folds and what they said; it grows by `take` as they train.

    Attributes
    ----------
    schema : DataSchema
    folds : tuple of FoldRun
    """

    def __init__(self, dataset: Dataset, folds: Sequence[Fold]) -> None:
        self.schema: DataSchema = dataset.schema
        self.folds = tuple(map(FoldRun, folds))
        self._bands: dict[tuple[str, str], tuple[int, Band]] = {}  # with the number of folds that they are of
        self._truth, self._table_rows, self._weight = dataset.target, dataset.table_rows, dataset.weight

    def take(self, word: OfFold | Predicted) -> None:
        """Take in what a fold has said."""
        run = self.folds[word.place]
        if isinstance(word, OfFold):
            run.take(word.event)
        else:
            run.ensemble, run.predictions = word.ensemble, word.predictions

    @property
    def done(self) -> tuple[FoldRun, ...]:
        """The folds that are trained."""
        return tuple(run for run in self.folds if run.is_done)

    @property
    def is_whole(self) -> bool:
        """Whether all folds are trained."""
        return len(self.done) == len(self.folds)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of what is reported, the watched one first."""
        started = next((run.started for run in self.folds if run.started is not None), None)
        if started is None:
            return ()
        return (started.watched, *(name for name in started.metrics if name != started.watched))

    @property
    def watched(self) -> str:
        """Name of the watched metric; "" before the first fold reports."""
        return next(iter(self.metrics), "")

    def band(self, metric: str, part: str = "valid") -> Band:
        """Return mean and spread of a metric by round over the folds that are trained, where it is defined.

        It ends with the fold that stopped first.
        """
        known = self._bands.get((metric, part))
        if known is None or known[0] != len(self.done):
            known = self._bands[metric, part] = len(self.done), self._band(metric, part)
        return known[1]

    def _band(self, metric: str, part: str) -> Band:
        every = [getattr(run, part).get(metric, ()) for run in self.done]
        shortest = min(map(len, every), default=0)
        figures = np.array([values[:shortest] for values in every], np.float64).reshape(len(every), shortest)
        known = figures[np.isfinite(figures).any(axis=1)] if shortest else figures[:0]
        if not len(known):
            return Band(np.empty(0), np.empty(0), 0)
        sd = known.std(axis=0, ddof=1) if len(known) > 1 else np.full(shortest, np.nan)
        return Band(known.mean(axis=0), sd, len(known))

    def figures(self, metric: str = "", part: str = "valid") -> NDArray[np.float64]:
        """Return a metric of each fold that is trained and where it is defined: one class has no AUC."""
        values = np.array([run.figure(part, metric or self.watched) for run in self.done], np.float64)
        return values[np.isfinite(values)]

    def mean(self, metric: str = "", part: str = "valid") -> float:
        """Return the mean over folds of a metric, the watched one where none is named."""
        values = self.figures(metric, part)
        return float(values.mean()) if len(values) else float("nan")

    def sd(self, metric: str = "", part: str = "valid") -> float:
        """Return the standard deviation over folds of a metric, with one less in the denominator."""
        values = self.figures(metric, part)
        return float(values.std(ddof=1)) if len(values) > 1 else float("nan")

    @property
    def out_of_fold(self) -> OutOfFold | None:
        """The predictions of the rows that each fold held out; None before the first fold is trained."""
        done = self.done
        if not done:
            return None
        rows = np.concatenate([run.fold.valid for run in done])

        def of_each(what: str) -> NDArray[np.int64]:
            return np.concatenate([np.full(len(run.fold.valid), getattr(run.fold, what)) for run in done])

        return OutOfFold(
            self._table_rows[rows], of_each("repeat"), of_each("number"), self._truth[rows],
            np.concatenate([run.predictions for run in done if run.predictions is not None]),
            self.schema.class_labels, None if self._weight is None else self._weight[rows],
        )

    def __repr__(self) -> str:
        done, name = len(self.done), self.watched
        of = "" if self.is_whole else f" of {len(self.folds)}"
        return f"{counted(done, 'fold')}{of}: {name} {figure(self.mean())} ± {figure(self.sd())}"

    # --- for scripts ------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """Return one record a fold: repeat, fold, rows, rounds and its metrics."""
        return [
            {
                "repeat": run.fold.repeat, "fold": run.fold.number,
                "rows_train": len(run.fold.train), "rows_valid": len(run.fold.valid),
                "rounds": run.kept, "rounds_grown": run.rounds, "best_round": run.best_round,
            } | {f"{part}:{name}": run.figure(part, name) for part in PARTS for name in self.metrics}
            for run in self.done
        ]  # fmt: skip

    def round_records(self) -> list[dict[str, Any]]:
        """Return one record a round: mean and standard deviation over folds of each metric."""
        bands = {f"{part}:{name}": self.band(name, part) for part in PARTS for name in self.metrics}
        rounds = min((len(band.mean) for band in bands.values()), default=0)
        return [
            {"round": place + 1} | {
                f"{name}:{what}": float(getattr(band, what)[place])
                for name, band in bands.items() for what in ("mean", "sd")
            }
            for place in range(rounds)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON values."""
        return {
            "target": self.schema.target, "task": self.schema.task, "watched": self.watched,
            "folds": self.records(),
            "mean": {f"{p}:{name}": self.mean(name, p) for p in PARTS for name in self.metrics},
            "sd": {f"{p}:{name}": self.sd(name, p) for p in PARTS for name in self.metrics},
            "rounds": self.round_records(),
        }  # fmt: skip


class ReadFolds(CrossValidated):
    """Folds that were read from a project: figures, what each predicted after its last round, models."""

    def __init__(self, schema: DataSchema, folds: Sequence[FoldRun]) -> None:
        self.schema, self.folds = schema, tuple(folds)
        self._bands = {}

    @property
    def out_of_fold(self) -> OutOfFold | None:
        """None: which rows of the table they are, the table tells."""
        return None


PARTS = ("train", "valid")
