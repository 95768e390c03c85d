"""Boosted trees that predict a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.data.given.plain_series import numbers_of
from workbench.data.given.sklearn_input import one_each, refusing, whole_target
from workbench.estimators.trees import BoostedTrees, validation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class BoostedTreesRegressor(BoostedTrees):
    """Gradient boosted trees that predict a number."""

    _kind = "regressor"
    _task = "regression"

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
            A known part of each raw prediction, such as the logarithm of an exposure.
        """
        self._train(X, whole_target(self, y), sample_weight, validation(eval_set), base_margin=base_margin)
        return self

    @refusing
    def predict(self, X: Any, base_margin: Any = None) -> NDArray[Any]:
        """Return the mean of each row."""
        return self._predicted(X, base_margin)

    @refusing
    def staged_predict(self, X: Any, base_margin: Any = None) -> Iterator[NDArray[Any]]:
        """Yield the mean of each row after every round."""
        return self._staged(X, base_margin)

    @refusing
    def score(self, X: Any, y: Any, sample_weight: Any = None, base_margin: Any = None) -> float:
        """Return R², the share of the target's variance that is explained."""
        predicted = self.predict(X, base_margin)
        truth = one_each(numbers_of(y, "target"), predicted)
        weight = np.ones(len(truth)) if sample_weight is None else numbers_of(sample_weight, "weight")
        residual = (weight * (truth - predicted) ** 2).sum()
        total = (weight * (truth - np.average(truth, weights=weight)) ** 2).sum()
        return float(1.0 - residual / total) if total > 0 else float(residual == 0)
