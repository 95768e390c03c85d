"""Boosted trees that rank the rows of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from workbench.data.given.plain_series import numbers_of
from workbench.data.given.sklearn_input import refusing, whole_target
from workbench.errors import InputError
from workbench.estimators.trees import BoostedTrees

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class BoostedTreesRanker(BoostedTrees):
    """Gradient boosted trees whose raw prediction orders the rows of a query; LambdaRank trains it.

    Validation rows are whole queries, a `valid_fraction` of them.
    """

    _kind = "ranker"
    _task = "regression"
    objective: Any

    @refusing
    def fit(self, X: Any, y: Any, group: Any = None, qid: Any = None, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        y : array-like of shape (n,)
            Relevance, a whole number from 0.
        group : array-like, optional
            How many rows each query has, one after another, as XGBoost and LightGBM take it.
        qid : array-like of shape (n,), optional
            The query of each row, in its place.
        """
        relevance = whole_target(self, y)
        before = self.objective
        if before == "auto":
            self.objective = "lambdarank"
        try:
            self._train(X, relevance, sample_weight, None, group=_queries(group, qid, len(relevance)))
        finally:
            self.objective = before
        return self

    @refusing
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the raw prediction of each row, the higher the more relevant."""
        return self._fitted().predict_raw(self._rows(X))

    @refusing
    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the raw prediction of each row after every round."""
        return self._staged(X)

    @refusing
    def score(self, X: Any, y: Any, group: Any = None, qid: Any = None) -> float:
        """Return the mean NDCG of the queries."""
        from workbench.metrics.base import METRICS

        relevance = np.asarray(numbers_of(y, "target"), np.float64)
        queries = _queries(group, qid, len(relevance))
        _, codes = np.unique(queries, return_inverse=True)
        by_query = METRICS.get("ndcg").by_query
        assert by_query is not None
        order = np.argsort(codes, kind="stable")
        return float(by_query(relevance[order], self.predict(X)[order], codes[order]))


def _queries(group: Any, qid: Any, n_rows: int) -> NDArray[Any]:
    """Return the query of each row."""
    if (group is None) == (qid is None):
        raise InputError("Give the queries: group, how many rows each has, or qid, the query of each row.")
    if qid is not None:
        return np.asarray(qid)
    sizes = np.asarray(group)
    if sizes.ndim != 1 or sizes.sum() != n_rows:
        raise InputError(f"group has {sizes.sum()} rows in all where X has {n_rows}; qid says them by row.")
    return np.repeat(np.arange(len(sizes)), sizes)
