"""The model as it is taken away: the ensemble and all that a script must know to use it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.number_text import counted
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.attribution.column_importance import ColumnImportance
    from workbench.explain.attribution.walks import Weighing
    from workbench.explain.effects.partial import EffectRows
    from workbench.explain.evaluation import Evaluation
    from workbench.explain.pruning_path import PruningPath
    from workbench.formats.column_effects import ColumnEffect
    from workbench.formats.factors.factor_tables import FactorTables
    from workbench.formats.held_rows import HeldRows
    from workbench.formats.pictures.picture import Picture
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, repr=False)
class Model:
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
        rounds: int | None = None, base_margin: Any = None,
    ) -> Evaluation:  # fmt: skip
        """Return what the predictions are worth on rows whose answers are known.

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
        """
        from workbench.explain.evaluation import Evaluator
        from workbench.formats.answered_rows import answered_rows

        rows = answered_rows(self.schema, X, y, weight, group, by)
        raw = self.predict_raw(rows.features, rounds, base_margin)
        evaluator = Evaluator(self.ensemble.objective, self.params, self.schema.class_labels)
        return evaluator.evaluate(rows.target, raw, rows.weight, rows.groups, rows.by)

    def contributions(
        self, X: Any, interactions: bool = False, by: Weighing = "hessian", rounds: int | None = None,
        background: Any = None, *, each_round: bool = False, base_margin: Any = None, threads: int = 0,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return SHAP values: what each column adds to the raw prediction of each row.

        Exact, by the tree algorithm of Lundberg et al.; of a linear model it is β(x − mean). XGBoost's
        `pred_contribs` and `pred_interactions` weigh nodes by H, as here by default; other programs weigh
        them by rows.

        Parameters
        ----------
        X
            As in `predict`.
        interactions : bool
            Return a matrix a row: half the interaction of two columns in each of their two cells, and what
            is left to each column alone on the diagonal.
        by : {"hessian", "rows"}
            What the nodes weigh where a column is not known.
        rounds : int, optional
            Use the first rounds only.
        background : as `X`, optional
            Rows whose values stand for those of columns that are not known, in place of the nodes' weights.
        each_round : bool
            Return what each round adds, as it counts in the end. Round 0 is the base before the first tree.
        base_margin : array-like of shape (n,), optional
        threads : int
            0 is one a processor core.

        Returns
        -------
        ndarray of float64, shape (n, d + 1)
            The last column is the base; a row adds up to `predict_raw`. Interactions: (n, d + 1, d + 1).
            Each round: (n, rounds + 1, d + 1), which add up to the contributions over the rounds. Models of
            several raw predictions a row have an axis of them before the columns.
        """
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.explanations import contributions_of

        X = rows_of(X)
        features = encode(self.schema, X)
        offset = self.offset_of(X, base_margin, len(features))
        return contributions_of(
            self, features, offset, interactions=interactions, each_round=each_round, by=by, rounds=rounds,
            background=background, threads=threads,
        )

    def importance(
        self, kind: str = "total_gain", X: Any = None, y: Any = None, *, weight: Any = None,
        group: Any = None, metric: str | None = None, repeats: int = 5, seed: int = 0,
        rounds: int | None = None,
    ) -> ColumnImportance:  # fmt: skip
        """Return how much each column matters, as a mapping by name.

        Parameters
        ----------
        kind : {"total_gain", "gain", "total_cover", "cover", "count", "permutation", "out_of_bag"}
            Sum or mean of the gain ½[…] − γ of a column's splits, or of their H; how many there are
            (XGBoost's "weight" works too). XGBoost's gain is 2(gain + γ) of this one.
            "permutation": by how much the metric gets worse where a column is permuted among rows.
            "out_of_bag": the same of each tree of a forest on the rows that it did not draw (Breiman 2001);
            `spread` is the standard error over the trees.
        X, y, weight, group
            Rows with answers, for permutation; as in `evaluate`. For "out_of_bag" the whole training table.
        metric : str, optional
            Which gets worse; the objective's own by default.
        repeats : int
            How often each column is permuted; the deviation is under `spread`.
        seed : int
            As scikit-learn's `random_state`: it permutes the same rows.
        rounds : int, optional
            Use the first rounds only.
        """
        from workbench.formats.explanations import importance_of

        rows = None if X is None else (X, y, weight, group)
        return importance_of(
            self, kind, rows, metric=metric, repeats=repeats, seed=seed, rounds=rounds
        )

    def pruning_path(self, X: Any, y: Any = None, *, weight: Any = None, folds: int = 10) -> PruningPath:
        """Return how a tree of the method cart is cut back, by ascending α: `alphas`, `leaves`, `impurities`.

        Parameters
        ----------
        X : DataFrame, table of Arrow, or array-like of shape (n, d)
            The whole training table.
        y, weight : array-like of shape (n,), optional
            Where the table does not hold them.
        folds : int
            For `error` and `deviation` of each tree, and the places `best` and `one_deviation`; 0 for none.
            Train with `ccp_alpha=path.alphas[path.one_deviation]` for the smallest tree that is as good as
            the best but for one standard error.
        """
        from workbench.explain.pruning_path import pruning_path
        from workbench.formats.trained_rows import trained_rows

        if self.params.method != "cart":
            raise WorkbenchError("A pruning path is that of one tree. Train by the method cart.")
        return pruning_path(trained_rows(self, X, y, weight), self.params, folds)

    def leaf_indices(self, X: Any, rounds: int | None = None) -> NDArray[np.int32]:
        """Return the node of `trees[t].nodes` in which each row ends, shape (n, n_trees).

        XGBoost's `pred_leaf` says the same of the saved model, but for two things: the children of a question
        about categories have changed places there; and where a tree of one leaf stands first in that file,
        for a base that XGBoost would round, it has a column before these.
        """
        from workbench.data.encoding import encode
        from workbench.ensembles.prediction import leaf_indices

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return leaf_indices(ensemble.trees, encode(self.schema, X))

    def staged_predict(self, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        """Yield what `predict` returns after each round, from the first."""
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.explanations import staged_raw

        X = rows_of(X)
        features = encode(self.schema, X)
        offset = self.offset_of(X, base_margin, len(features))
        for raw in staged_raw(self.ensemble, features, offset):
            yield self.transform(raw)

    def partial_dependence(
        self, X: Any, columns: Any, places: Any = None, *, rounds: int | None = None, raw: bool = False,
        lines: bool = False, weight: Any = None, base_margin: Any = None,
    ) -> ColumnEffect:  # fmt: skip
        """Return the mean prediction over the rows with one column, or two, put at each place.

        Parameters
        ----------
        X
            As in `predict`: the rows that are averaged over.
        columns : name or place, or two of them
        places : sequence, optional
            Values of one column, None for missing. By default where the model's thresholds part it, so that
            the prediction is the same all between two places; of categories those in `X`.
        rounds, base_margin
            As in `predict`.
        raw : bool
            Before the link.
        lines : bool
            With the line of each row, of one column.
        weight : array-like of shape (n,), optional
        """
        from workbench.formats.column_effects import effect_of

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        rows = self._effect_rows(X, weight, base_margin)
        return effect_of(self, ensemble, columns, rows, places, raw=raw, lines=lines)

    def accumulated_effects(
        self, X: Any, column: Any, *, rounds: int | None = None, raw: bool = False, weight: Any = None,
        base_margin: Any = None,
    ) -> ColumnEffect:  # fmt: skip
        """Return the accumulated local effects of a column of numbers, at quantiles of its values in `X`.

        Parameters
        ----------
        X, column, rounds, raw, weight, base_margin
            As in `partial_dependence`.
        """
        from workbench.formats.column_effects import accumulated_of

        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return accumulated_of(self, ensemble, column, self._effect_rows(X, weight, base_margin), raw=raw)

    def _effect_rows(self, X: Any, weight: Any, base_margin: Any) -> EffectRows:
        from workbench.data.encoding import encode
        from workbench.data.given.plain_series import numbers_of
        from workbench.data.given.rows import rows_of
        from workbench.explain.effects.partial import EffectRows

        X = rows_of(X)
        features = np.asfortranarray(encode(self.schema, X))
        offset = self.offset_of(X, base_margin, len(features))
        weights = None if weight is None else np.nan_to_num(numbers_of(weight, "weight"))
        return EffectRows(features, np.arange(len(features)), weights, offset)

    def factor_tables(
        self, X: Any, y: Any = None, *, weight: Any = None, base_margin: Any = None,
        rounds: int | None = None,
    ) -> FactorTables:  # fmt: skip
        """Return the model as tables: a constant, effects of columns, and of pairs of columns.

        Where trees ask at most two columns on the way to any leaf (`max_depth=2`, or interaction constraints
        of pairs), constant and tables add up to the raw prediction of every row; else they are the nearest
        such tables, and `left_out` is the share of variance that they miss.

        Parameters
        ----------
        X : DataFrame, table of Arrow, or array-like of shape (n, d)
            Rows that weigh the levels: effects have a mean of 0 over them, and pairs over each level.
        y : array-like of shape (n,), optional
            The answers, where `X` does not hold them: with them the tables have G and H.
        weight : array-like of shape (n,), optional
        rounds, base_margin
            As in `predict`. With a log link the exposure of a row is its weight times e^offset.
        """
        from workbench.data.encoding import encode
        from workbench.data.given.rows import rows_of
        from workbench.formats.factors.factor_tables import GivenRows, tables_of_given

        X = rows_of(X)
        features = encode(self.schema, X)
        given = GivenRows(X, features, y, weight, self.offset_of(X, base_margin, len(features)))
        ensemble = self.ensemble if rounds is None else self.ensemble.first_rounds(rounds)
        return tables_of_given(ensemble, self.schema, self.params, given)

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

    def plot_tree(self, place: int = 0, depth: int | None = None) -> Picture:
        """Draw the tree at `place`, from 0, down to a level; without one as many levels as can be read."""
        from workbench.formats.pictures.tree import tree_picture

        return tree_picture(self, place, depth)

    def plot_history(self, metric: str | None = None) -> Picture:
        """Draw a metric by round, the watched one unless another is named."""
        from workbench.formats.pictures.history import history_picture

        return history_picture(self, metric)

    def plot_importance(self, kind: str = "total_gain", most: int = 20, **given: Any) -> Picture:
        """Draw the most important columns; `given` goes to `importance`."""
        from workbench.formats.pictures.importance import importance_picture

        return importance_picture(self, kind, most, **given)

    def plot_contributions(self, X: Any, output: int = 0, **given: Any) -> Picture:
        """Draw what columns add to the predictions of rows, of one row step by step.

        `output` is the place of the class, where there are several; `given` goes to `contributions`.
        """
        from workbench.formats.pictures.contributions import contributions_picture

        return contributions_picture(self, X, output, **given)

    def _repr_html_(self) -> str:
        from workbench.formats.pictures.card import card

        return card(self)

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


