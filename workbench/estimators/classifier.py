"""Boosted trees that predict classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.data.given.answers import plain_values
from workbench.data.given.plain_series import numbers_of
from workbench.data.given.sklearn_input import classes_of, one_each, refusing, whole_target
from workbench.errors import WorkbenchError
from workbench.estimators.trees import BoostedTrees, validation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset


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
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None, base_margin: Any = None
    ) -> Self:
        """Train.

        Parameters
        ----------
        eval_set : tuple or list
            One (X, y) or (X, y, weight) of validation rows, or a list with it.
        base_margin : array-like of shape (n,), optional
            A known part of each raw prediction.
        """
        labels = whole_target(self, y)
        self.classes_, codes = classes_of(labels)
        is_one = len(self.classes_) == 1  # whose name the model gives, and one to the other class
        valid = validation(eval_set)
        if valid is not None:
            features, target, *weight = valid
            target = whole_target(self, target)
            known = self._codes(target)
            valid = (features, target if is_one else known, *weight)
        self._task = "multiclass" if len(self.classes_) > 2 else "binary"
        self._train(X, labels if is_one else codes, sample_weight, valid, base_margin=base_margin)
        return self

    @refusing
    def predict(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        """Return the most probable class of each row."""
        probabilities = self.predict_proba(X, base_margin)
        return self.classes_[probabilities.argmax(axis=1)]

    @refusing
    def predict_log_proba(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        """Return the logarithm of the probability of every class, shape (n, n_classes)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, base_margin))

    @refusing
    def decision_function(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        """Return log-odds of the second of two classes, shape (n,); of more, raw predictions, (n, K).

        Methods whose trees hold shares of classes have the log-odds, or the logarithms, of these.
        """
        model, rows = self._fitted(), self._rows(X)
        if len(self.classes_) > 1 and model.predicts_log_odds:
            return model.predict_raw(rows, base_margin=base_margin)
        logarithms = self.predict_log_proba(X, base_margin)
        return logarithms[:, 1] - logarithms[:, 0] if len(self.classes_) == 2 else logarithms

    @refusing
    def staged_predict_proba(self, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        """Yield the probability of every class after every round."""
        return map(self._by_class, self._staged(X, base_margin))

    @refusing
    def staged_predict(self, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        """Yield the most probable class of each row after every round."""
        stages = self.staged_predict_proba(X, base_margin)
        return (self.classes_[shares.argmax(axis=1)] for shares in stages)

    @refusing
    def predict_proba(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        """Return the probability of every class, shape (n, n_classes)."""
        return self._by_class(self._predicted(X, base_margin))

    def _by_class(self, probabilities: NDArray[Any]) -> NDArray[Any]:
        if len(self.classes_) == 1:
            return np.ones((len(probabilities), 1), probabilities.dtype)
        if probabilities.ndim > 1:
            return probabilities
        return np.column_stack([1 - probabilities, probabilities])

    @refusing
    def score(self, X: Any, y: Any, sample_weight: Any = None, base_margin: Any = None) -> float:
        """Return the share of rows whose class is predicted."""
        predicted = self.predict(X, base_margin)
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
