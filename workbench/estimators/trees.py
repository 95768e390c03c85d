"""What regressor, classifier and ranker share."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.data.given.sklearn_input import not_fitted, refusing, rows_to_predict, training_rows
from workbench.estimators.scikit_learn import Base, calling_back, ending_callbacks
from workbench.parameters.methods import METHODS
from workbench.parameters.other_words import own_words
from workbench.parameters.training import PARAMETERS, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.events import Event
    from workbench.formats.model import Model

_OWN = {"categories": (), "valid_fraction": 0.0, "missing": float("nan"), "verbose": False}
# None where the default is the training method's.
_DEFAULTS: dict[str, Any] = {p.name: None if p.defaults else p.default for p in PARAMETERS} | _OWN


class BoostedTrees(Base):
    """What regressor and classifier share.

    Parameters
    ----------
    categories : sequence of str or int
        Names or places of number columns to be taken as categories.
    valid_fraction : float
        Share of the rows held out in `fit` where no `eval_set` is given.
    missing : float
        A number that stands for a missing value, in `fit` and wherever rows are given; NaN is always one.
    verbose : bool or int
        Whether metrics of every round, or of every so many, are printed.
    **params
        Those of `TrainingParams`, by name or alias; what `workbench.fit` takes for them may be given.

    Attributes
    ----------
    model_ : Model
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where `X` was a DataFrame.
    feature_importances_ : ndarray of float64, shape (n_features_in_,)
        Share of each column in the gain of all splits.
    evals_result_ : dict of str to dict of str to list of float
        Metrics by round, of "train" and of "valid".
    best_iteration_ : int or None
        The round with the best watched metric, from 1.
    """

    _kind = ""
    _task = ""
    categories: Sequence[str | int]
    valid_fraction: float
    missing: float
    verbose: bool | int
    model_: Model
    n_features_in_: int

    def __init__(self, **params: Any) -> None:
        for name, value in _DEFAULTS.items():
            setattr(self, name, value)
        self.set_params(**params)

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        keyword = inspect.Parameter.KEYWORD_ONLY
        cls.__signature__ = inspect.Signature(
            [inspect.Parameter(name, keyword, default=value) for name, value in _DEFAULTS.items()]
        )

    def __repr__(self) -> str:
        changed = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items()
                            if v is not _DEFAULTS[k] and v != _DEFAULTS[k])
        return f"{type(self).__name__}({changed})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return every parameter by name, as it was given."""
        return {name: getattr(self, name) for name in _DEFAULTS}

    @refusing
    def set_params(self, **params: Any) -> Self:
        """Set parameters by name or alias; they are checked in `fit`."""
        for name, value in params.items():
            meant_here = {name: value} if name in _OWN else resolved(own_words({name: value}), _OWN)
            for own, meant in meant_here.items():
                setattr(self, own, meant)
        return self

    @property
    @refusing
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the gain of all splits."""
        from workbench.explain.importance import feature_importance

        gains = feature_importance(self._fitted().ensemble)
        return gains / gains.sum() if gains.sum() > 0 else gains

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags

        classifier, regressor = self._kind == "classifier", self._kind == "regressor"
        return Tags(
            estimator_type=self._kind if classifier or regressor else None,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if classifier else None,
            regressor_tags=RegressorTags() if regressor else None,
            input_tags=InputTags(allow_nan=True, categorical=True, string=True, sparse=True),
        )

    @property
    def evals_result_(self) -> dict[str, dict[str, list[float]]]:
        """Metrics by round, of "train" and of "valid"."""
        found: dict[str, dict[str, list[float]]] = {}
        for record in self._fitted().history:
            for key, value in record.items():
                part, _, name = key.partition(":")
                if part in ("train", "valid") and name:
                    found.setdefault(part, {}).setdefault(name, []).append(value)
        return found

    @property
    def best_iteration_(self) -> int | None:
        """The round with the best watched metric, from 1."""
        return self._fitted().best_round

    @refusing
    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf of each row in each tree, shape (n, n_trees)."""
        leaves: NDArray[np.int32] = self._fitted().leaf_indices(self._rows(X))
        return leaves

    @ending_callbacks
    def _train(
        self, X: Any, y: Any, weight: Any, valid: Any, group: Any = None, base_margin: Any = None
    ) -> None:
        from workbench.api import train_dataset, trained_model
        from workbench.data.given.rows import is_frame
        from workbench.formats.snapshot import model_from_events
        from workbench.given import make_dataset
        from workbench.typed import printed, typed

        said = typed(None, {p.name: getattr(self, p.name) for p in PARAMETERS})
        params = said.params
        if params.objective == "auto":
            params = params.change(objective=METHODS[params.method].objective_of("auto", self._task))
        X = training_rows(X)
        if valid is not None:
            valid = (training_rows(valid[0]), *valid[1:])
        dataset = make_dataset(
            X, y, None, weight, valid, self.valid_fraction, params, self.categories, None, group, base_margin,
            missing=self.missing,
        )
        dataset = replace(dataset, schema=replace(dataset.schema, class_labels=self._labels(dataset)))
        params = said._replace(params=params).settled(dataset)
        seen: list[Event] = []

        def noted(events: Iterator[Event]) -> Iterator[Event]:
            for event in events:
                seen.append(event)
                yield event

        def so_far() -> dict[str, Any]:
            return {"model_": model_from_events(dataset.schema, seen), 
                    "n_features_in_": len(dataset.schema.features)}

        events = noted(train_dataset(dataset, params, own=said.own))
        events = printed(events, self.verbose)
        events = calling_back(self, events, params.rounds, {"X": X, "y": y}, so_far)
        self.model_ = trained_model(dataset.schema, events)
        self.n_features_in_ = len(dataset.schema.features)
        if is_frame(X) and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.array(list(X.columns), object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _labels(self, dataset: Dataset) -> tuple[Any, ...]:
        return dataset.schema.class_labels

    def _rows(self, X: Any) -> Any:
        self._fitted()
        return rows_to_predict(self, X, self.n_features_in_)

    def _predicted(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        return self._fitted().predict(self._rows(X), base_margin=base_margin)

    def _staged(self, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        yield from self._fitted().staged_predict(self._rows(X), base_margin)

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise not_fitted(self)
        return self.model_


def validation(eval_set: Any) -> tuple[Any, ...] | None:
    """Return validation rows with their target, where there are some."""
    from workbench.given import validation_rows

    empty = eval_set is None or (isinstance(eval_set, (list, tuple)) and not eval_set)
    return None if empty else validation_rows(eval_set, None, None, in_frame=False)
