"""scikit-learn's API over the same trainer; scikit-learn itself is not needed."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.data.given.answers import plain_values
from workbench.data.given.plain_series import numbers_of
from workbench.data.given.sklearn_input import (
    classes_of,
    not_fitted,
    one_each,
    refusing,
    rows_to_predict,
    training_rows,
    whole_target,
)
from workbench.errors import WorkbenchError
from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams, resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.formats.model import Model

_OWN = {"categories": (), "valid_fraction": 0.0}
# None where the default is the training method's.
_DEFAULTS: dict[str, Any] = {p.name: None if p.defaults else p.default for p in PARAMETERS} | _OWN


class BoostedTrees:
    """What regressor and classifier share.

    Parameters
    ----------
    categories : sequence of str or int
        Names or places of number columns to be taken as categories.
    valid_fraction : float
        Share of the rows held out in `fit` where no `eval_set` is given.
    **params
        Those of `TrainingParams`, by name or alias.

    Attributes
    ----------
    model_ : Model
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where `X` was a DataFrame.
    feature_importances_ : ndarray of float64, shape (n_features_in_,)
        Share of each column in the gain of all splits.
    """

    _kind = ""
    categories: Sequence[str | int]
    valid_fraction: float
    model_: Model
    n_features_in_: int

    def __init__(self, **params: Any) -> None:
        for name, value in _DEFAULTS.items():
            setattr(self, name, value)
        self.set_params(**params)

    def __init_subclass__(cls) -> None:
        keyword = inspect.Parameter.KEYWORD_ONLY
        cls.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, keyword, default=value) for name, value in _DEFAULTS.items()]
        )

    def __repr__(self) -> str:
        changed = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items() if v != _DEFAULTS[k])
        return f"{type(self).__name__}({changed})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return every parameter by name, as it was given."""
        return {name: getattr(self, name) for name in _DEFAULTS}

    @refusing
    def set_params(self, **params: Any) -> Self:
        """Set parameters by name or alias; they are checked in `fit`."""
        for name, value in params.items():
            for own, meant in {name: value}.items() if name in _OWN else resolved({name: value}).items():
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

        classifier = self._kind == "classifier"
        return Tags(
            estimator_type=self._kind,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if classifier else None,
            regressor_tags=None if classifier else RegressorTags(),
            input_tags=InputTags(allow_nan=True, categorical=True, string=True),
        )

    def _train(self, X: Any, y: Any, task: str, weight: Any, valid: Any) -> None:
        from workbench.api import make_dataset, train_dataset, trained_model
        from workbench.data.given.rows import is_frame
        from workbench.ensembles.own_parts import with_names

        values = {p.name: getattr(self, p.name) for p in PARAMETERS}
        values = {name: v for name, v in values.items() if v is not None or BY_NAME[name].optional}
        values, own = with_names(values)
        params = TrainingParams(**values)
        if params.objective == "auto":
            params = params.change(objective=METHODS[params.method].objective_of("auto", task))
        X = training_rows(X)
        dataset = make_dataset(X, y, None, weight, valid, self.valid_fraction, params, self.categories)
        dataset = replace(dataset, schema=replace(dataset.schema, class_labels=self._labels(dataset)))
        self.model_ = trained_model(dataset.schema, train_dataset(dataset, params, own=own))
        self.n_features_in_ = len(dataset.schema.features)
        if is_frame(X) and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.array(list(X.columns), object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _labels(self, dataset: Dataset) -> tuple[Any, ...]:
        return dataset.schema.class_labels

    def _predicted(self, X: Any) -> NDArray[Any]:
        return self._fitted().predict(rows_to_predict(self, X, self.n_features_in_))

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise not_fitted(self)
        return self.model_


class BoostedTreesRegressor(BoostedTrees):
    """Gradient boosted trees that predict a number."""

    _kind = "regressor"

    @refusing
    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> Self:
        """Train; `eval_set` is one (X, y) or (X, y, weight) of validation rows, or a list with it."""
        self._train(X, whole_target(self, y), "regression", sample_weight, _validation(eval_set))
        return self

    @refusing
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the mean of each row."""
        return self._predicted(X)

    @refusing
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R², the share of the target's variance that is explained."""
        predicted = self.predict(X)
        truth = one_each(numbers_of(y, "target"), predicted)
        weight = np.ones(len(truth)) if sample_weight is None else numbers_of(sample_weight, "weight")
        residual = (weight * (truth - predicted) ** 2).sum()
        total = (weight * (truth - np.average(truth, weights=weight)) ** 2).sum()
        return float(1.0 - residual / total) if total > 0 else float(residual == 0)


class BoostedTreesClassifier(BoostedTrees):
    """Gradient boosted trees that predict classes.

    Attributes
    ----------
    classes_ : ndarray
        The labels, ascending; columns of `predict_proba`.
    """

    _kind = "classifier"
    classes_: NDArray[Any]

    @refusing
    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> Self:
        """Train; `eval_set` is one (X, y) or (X, y, weight) of validation rows, or a list with it."""
        labels = whole_target(self, y)
        self.classes_, codes = classes_of(labels)
        is_one = len(self.classes_) == 1  # whose name the model gives, and one to the other class
        valid = _validation(eval_set)
        if valid is not None:
            features, target, *weight = valid
            target = whole_target(self, target)
            known = self._codes(target)
            valid = (features, target if is_one else known, *weight)
        task = "multiclass" if len(self.classes_) > 2 else "binary"
        self._train(X, labels if is_one else codes, task, sample_weight, valid)
        return self

    @refusing
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    @refusing
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the probability of every class, shape (n, n_classes)."""
        probabilities = self._predicted(X)
        if len(self.classes_) == 1:
            return np.ones((len(probabilities), 1), probabilities.dtype)
        if probabilities.ndim > 1:
            return probabilities
        return np.column_stack([1 - probabilities, probabilities])

    @refusing
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted."""
        predicted = self.predict(X)
        weight = None if sample_weight is None else numbers_of(sample_weight, "weight")
        return float(np.average(predicted == one_each(plain_values(y, "y"), predicted), weights=weight))

    def _codes(self, target: NDArray[Any]) -> NDArray[np.int64]:
        place = {label: code for code, label in enumerate(self.classes_.tolist())}
        unseen = next((label for label in target.tolist() if label not in place), None)
        if unseen is not None:
            raise WorkbenchError(f"The validation target has '{unseen}', which the training target has not.")
        return np.array([place[label] for label in target.tolist()], np.int64)

    def _labels(self, dataset: Dataset) -> tuple[Any, ...]:
        if len(self.classes_) == 1:
            return dataset.schema.class_labels
        natural = [
            label if isinstance(label, str | int | float | bool) else str(label)
            for label in self.classes_.tolist()
        ]
        return tuple(natural)


def _validation(eval_set: Any) -> tuple[Any, ...] | None:
    """Return validation rows with their target, where there are some."""
    from workbench.api import validation_rows

    empty = eval_set is None or (isinstance(eval_set, (list, tuple)) and not eval_set)
    return None if empty else validation_rows(eval_set, None, None, in_frame=False)
