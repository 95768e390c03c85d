"""scikit-learn's API over the same trainer; scikit-learn itself is not needed."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.errors import WorkbenchError
from workbench.parameters.training import PARAMETERS, TrainingParams, resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.formats.model import Model

_OWN = {"categories": (), "valid_fraction": 0.0}
_DEFAULTS: dict[str, Any] = {p.name: p.default for p in PARAMETERS} | _OWN


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

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name or alias; they are checked in `fit`."""
        for name, value in params.items():
            for own, meant in {name: value}.items() if name in _OWN else resolved({name: value}).items():
                setattr(self, own, meant)
        return self

    @property
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

    def _train(self, X: Any, y: Any, objective: str, weight: Any, eval_set: Any) -> Dataset:
        from workbench.api import make_dataset, train_dataset
        from workbench.ensembles.own_parts import with_names
        from workbench.formats.snapshot import model_from_events

        values = {p.name: getattr(self, p.name) for p in PARAMETERS}
        values, own = with_names(values)
        params = TrainingParams(**values)
        if params.objective == "auto":
            params = params.change(objective=objective)
        dataset = make_dataset(X, y, None, weight, eval_set, self.valid_fraction, params, self.categories)
        dataset = replace(dataset, schema=replace(dataset.schema, class_labels=self._labels(dataset)))
        self.model_ = model_from_events(dataset.schema, train_dataset(dataset, params, own=own))
        self.n_features_in_ = len(dataset.schema.features)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(list(X.columns), object)
        return dataset

    def _labels(self, dataset: Dataset) -> tuple[Any, ...]:
        return dataset.schema.class_labels

    def _fitted(self) -> Model:
        if not hasattr(self, "model_"):
            raise WorkbenchError(f"This {type(self).__name__} is not fitted yet; call fit first.")
        return self.model_


class BoostedTreesRegressor(BoostedTrees):
    """Gradient boosted trees that predict a number."""

    _kind = "regressor"

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        eval_set: Sequence[tuple[Any, ...]] | None = None,
    ) -> Self:
        """Train; `eval_set` is a list with one (X, y) of validation rows."""
        self._train(X, _single(y), "squared", sample_weight, eval_set[0] if eval_set else None)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the mean of each row."""
        return self._fitted().predict(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R², the share of the target's variance that is explained."""
        truth = np.asarray(y, np.float64)
        weight = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight, np.float64)
        residual = (weight * (truth - self.predict(X)) ** 2).sum()
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

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        eval_set: Sequence[tuple[Any, ...]] | None = None,
    ) -> Self:
        """Train; `eval_set` is a list with one (X, y) of validation rows."""
        self.classes_, codes = np.unique(_single(y), return_inverse=True)
        held_out = None
        if eval_set:
            features, target, *weight = eval_set[0]
            held_out = (features, self._codes(target), *weight)
        self._train(X, codes, "logistic" if len(self.classes_) == 2 else "softmax", sample_weight, held_out)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the probability of every class, shape (n, n_classes)."""
        probabilities = self._fitted().predict(X)
        if probabilities.ndim > 1:
            return probabilities
        return np.column_stack([1 - probabilities, probabilities])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

    def _codes(self, target: Any) -> NDArray[np.int64]:
        labels = np.asarray(target)
        codes = np.searchsorted(self.classes_, labels)
        known = self.classes_[np.minimum(codes, len(self.classes_) - 1)] == labels
        if not known.all():
            label = labels[int(np.argmin(known))]
            raise WorkbenchError(f"The validation target has '{label}', which the training target has not.")
        return codes

    def _labels(self, dataset: Dataset) -> tuple[Any, ...]:
        natural = [
            label if isinstance(label, str | int | float | bool) else str(label)
            for label in self.classes_.tolist()
        ]
        return tuple(natural)


def _single(y: Any) -> NDArray[Any]:
    """Return the target as one column."""
    array = np.asarray(y)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
