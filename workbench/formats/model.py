"""The model as it is taken away: the ensemble and all that a script must know to use it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.explained_model import ExplainedModel
from workbench.formats.pictured_model import PicturedModel
from workbench.number_text import counted
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.evaluation import Evaluation
    from workbench.formats.held_rows import HeldRows
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, repr=False)
class Model(ExplainedModel, PicturedModel):
    """A trained model.

    Attributes
    ----------
    ensemble : Ensemble
    schema : DataSchema
    params : TrainingParams
        As the run was started.
    history : tuple of dict
        A record a round: round, metrics, loss, omega, structure score, gain, parameters in force …
    provenance : dict
        Versions, times, notes; why the run ended, best round; the edits of its trees.
    """

    ensemble: Ensemble
    schema: DataSchema
    params: TrainingParams
    history: tuple[dict[str, Any], ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a model of nothing; call several outputs by the classes where no reader has better names."""
        if not self.schema.features:
            raise WorkbenchError("The model knows no columns, so nothing can be predicted with it.")
        outputs = self.ensemble.n_classes
        if outputs > 1 and not self.ensemble.output_names:
            labels = tuple(map(str, self.schema.class_labels))
            names = labels if len(labels) == outputs else tuple(f"output {k + 1}" for k in range(outputs))
            object.__setattr__(self, "ensemble", replace(self.ensemble, output_names=names))

    def __repr__(self) -> str:
        columns = counted(len(self.schema.features), "column")
        objective = "an unknown objective" if self.objective is None else repr(self.objective)
        what = f"{objective} of {self.schema.target!r}"
        return f"Model({what}, {counted(self.rounds, 'round')}, {columns})"

    @property
    def objective(self) -> str | None:
        """What it was trained for; None where the file tells the link alone, as the ensemble's has it."""
        return self.ensemble.objective if "objective" in self.known_params else None

    @property
    def known_params(self) -> tuple[str, ...]:
        """Names of its method's parameters that the file tells; of other programs' files these are few."""
        every = tuple(p.name for p in PARAMETERS if p.is_of(self.params.method))
        told = self.provenance.get("known_params", every)
        return tuple(name for name in every if name in told)

    @property
    def predicts_log_odds(self) -> bool:
        """Whether it predicts the log-odds of class 1 of two, and no probability."""
        return self._objective.boundary == 0.0

    @property
    def _objective(self) -> Objective:
        from workbench.objectives.base import OBJECTIVES

        return OBJECTIVES.get(self.ensemble.objective)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The trees, in the order round, class; a linear model has none."""
        return () if self.ensemble.is_linear else self.ensemble.trees

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return self.ensemble.rounds

    @property
    def best_round(self) -> int | None:
        """Round of the run with the best watched metric, from 1; None where the file does not tell it."""
        return self.provenance.get("best_round") or None

    def first_rounds(self, rounds: int) -> Model:
        """Return the model as it stood after so many rounds."""
        ensemble = self.ensemble.first_rounds(rounds)
        kept = {"rounds_kept": rounds} if "rounds_kept" in self.provenance else {}
        return replace(
            self,
            ensemble=ensemble,
            history=self.history[:rounds],
            provenance=self.provenance | kept | self._edits_up_to(rounds),
        )

    def _edits_up_to(self, rounds: int) -> dict[str, Any]:
        """Return the provenance's edits of the first so many rounds, under their name."""
        known = self.provenance.get("edits", [])
        return {"edits": [edit for edit in known if edit["round"] <= rounds]} if known else {}

    def predict(self, X: Any, rounds: int | None = None, base_margin: Any = None) -> NDArray[Any]:
        """Return the mean, or probabilities.

        A column that is missing, and text in a column of numbers or dates, is an error here, as a script has
        nobody who reads a list of differences; `workbench predict` goes on and lists them. A new category
        goes where every question is answered no, in both. Infinity, and what is beyond 3.4e38, is missing.

        Parameters
        ----------
        X : DataFrame, table of Arrow or Table (columns by name), array-like of shape (n, d) (by position)
        rounds : int, optional
            Use the first rounds only.
        base_margin : array-like of shape (n,), optional
            The offset of each row, where the model has one and `X` no column of its name.

        Returns
        -------
        ndarray, shape (n,) or (n, n_classes)
            Regression: the mean. Two classes: the probability of the second, the positive one, or the
            log-odds where the program that made the model predicts these. More classes: one column each.
        """
        return self.transform(self.predict_raw(X, rounds, base_margin))

    def predict_raw(
        self, X: Any, rounds: int | None = None, base_margin: Any = None
    ) -> NDArray[np.float32]:
        """Return float32 raw predictions, before the link: (n,), or (n, n_classes) for several classes."""
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.ensembles.prediction import raw_predictions

        X = rows_of(X)
        features = encode(self.schema, X)
        offset = self.offset_of(X, base_margin, len(features))
        return raw_predictions(self.ensemble, features, rounds, offset=offset)

    def offset_of(self, X: Any, base_margin: Any, n_rows: int) -> NDArray[np.float32] | None:
        """Return the offset of each row: as it is given, or the column of `X`; None where there is none."""
        name = self.schema.offset
        if name is None:
            if base_margin is not None:
                raise WorkbenchError("The model was trained without an offset; leave base_margin out.")
            return None
        from workbench.data.given.plain_series import numbers_of

        if base_margin is None:
            base_margin = _column_of(X, name)
        try:
            with np.errstate(over="ignore"):
                offset = numbers_of(base_margin, "offset").astype(np.float32)
        except WorkbenchError:
            offset = np.empty(0, np.float32)
        if offset.shape != (n_rows,) or not np.isfinite(offset).all():
            raise WorkbenchError(f"The offset '{name}' must be {n_rows} numbers, one for each row.")
        return offset

    def predict_label(self, X: Any, rounds: int | None = None) -> NDArray[Any]:
        """Return the most probable class of each row, as the label that stood in the data."""
        if not self.schema.class_labels:
            raise WorkbenchError("The model predicts a number, not a class; use predict.")
        return self.labels_of(self.predict(X, rounds))

    def transform(self, raw: NDArray[np.float32]) -> NDArray[Any]:
        """Return predictions from raw predictions, through the objective's link."""
        return self._objective.transform(raw)

    def classes_of(self, predictions: NDArray[Any]) -> NDArray[np.int64]:
        """Return the most probable class of each row, by its place among the labels."""
        if predictions.ndim > 1:
            return predictions.argmax(axis=1)
        return (predictions > self._objective.boundary).astype(np.int64)

    def labels_of(self, predictions: NDArray[Any]) -> NDArray[Any]:
        """Return the label of the most probable class of each row."""
        return label_array(self.schema.class_labels)[self.classes_of(predictions)]

    def evaluate(
        self, X: Any, y: Any = None, *, weight: Any = None, group: Any = None, by: Hashable = None,
        rounds: int | None = None, base_margin: Any = None, metrics: Sequence[str] = (),
    ) -> Evaluation:  # fmt: skip
        """Return what the predictions are worth on rows whose answers are known.

        Of the table that it was trained on, training and hold-out rows are evaluated apart too, in `parts`.

        Parameters
        ----------
        X : DataFrame, table of Arrow, or array-like of shape (n, d)
            With the target, unless `y` gives it; with the model's weights and queries, where they are there.
        y : array-like of shape (n,), optional
            The answers. Rows without one, or with a class that the model does not know, are left out.
        weight, group : array-like of shape (n,), optional
        by : label of a column, optional
            Evaluate the rows with each of its values apart too.
        rounds, base_margin
            As in `predict`.
        metrics : sequence of str
            Metrics to be taken besides those of its task.
        """
        from workbench.explain.evaluator import Evaluator
        from workbench.formats.answered_rows import answered_rows
        from workbench.formats.seen_rows import PredictedAnswers, evaluated

        rows = answered_rows(self.schema, X, y, weight, group, by)
        raw = self.predict_raw(rows.features, rounds, base_margin)
        evaluator = Evaluator(self.ensemble.objective, self.params, self.schema.class_labels, metrics)
        evaluator.check_queries(has_groups=rows.groups is not None)
        answers = PredictedAnswers(rows.target, raw, rows.weight, rows.groups, rows.by)
        return evaluated(self, evaluator, answers, rounds, lambda: self.held_out(X, y))

    def held_out(self, data: Any, y: Any = None) -> HeldRows:
        """Return the rows of its table that trained and those that were held out, as the model file tells.

        Parameters
        ----------
        data : path, DataFrame or table of Arrow
            The table that it was trained on.
        y : array-like of shape (n,), optional
            The answers, where the table does not hold them.

        Returns
        -------
        train, valid : ndarray of int64
            Rows from 0, ascending.
        """
        from workbench.formats.held_rows import held_rows

        return held_rows(self.schema, data, y)

    def save(self, path: str | Path, format: str | None = None) -> None:
        """Write the model to a file, completely or not at all; the suffix tells the format."""
        from workbench.formats.base import NOT_FOR_XGBOOST, writer_of_model
        from workbench.formats.bytes.files import atomic_write
        from workbench.formats.finite_numbers import check_finite

        check_finite(self.ensemble)
        chosen = writer_of_model(path, format, is_linear=self.ensemble.is_linear)
        atomic_write(path, chosen.write(self))
        if self.ensemble.is_linear and not format and not str(path).endswith(chosen.suffixes):
            log.warning(NOT_FOR_XGBOOST)


def _column_of(data: Any, name: str) -> Any:
    """Return the values of the model's offset in the table that is predicted."""
    from workbench.data.given.rows import is_frame, places_of
    from workbench.data.table import Table

    if isinstance(data, Table):
        return data.column(name).values
    places = places_of(data, name) if is_frame(data) else []
    if len(places) != 1:
        raise WorkbenchError(f"The model's offset '{name}' is missing. Give it as base_margin.")
    return data.iloc[:, places[0]]


def label_array(labels: tuple[Any, ...]) -> NDArray[Any]:
    """Return class labels as an array that keeps their types."""
    kinds = {type(label) for label in labels}
    if kinds == {int}:
        fits = [kind for kind in (np.int64, np.uint64) if all(_holds(kind, label) for label in labels)]
        return np.array(labels, fits[0] if fits else object)
    return np.array(labels) if len(kinds) == 1 else np.array(labels, object)


def _holds(kind: type[np.integer], number: int) -> bool:
    return np.iinfo(kind).min <= number <= np.iinfo(kind).max


