"""Metrics of rankings: means over the queries, of all places or of the first k."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from workbench.metrics.base import METRICS, Metric
from workbench.objectives.queries import discounts, gains, query_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def ndcg(relevance: NDArray[np.float64], raw: NDArray[np.float32], k: int) -> float:
    """Return DCG / ideal DCG of one query with gains 2**y − 1; 1 where nothing is relevant."""
    gain = gains(relevance)
    shown = gain[np.argsort(-raw, kind="stable")][:k]
    best = np.sort(gain)[::-1][:k]
    worth = discounts(np.arange(len(shown)))
    ideal = float((best * worth).sum())
    return float((shown * worth).sum()) / ideal if ideal > 0 else 1.0


def average_precision(relevance: NDArray[np.float64], raw: NDArray[np.float32], k: int) -> float:
    """Return the mean precision at the places of relevant rows (y > 0); 1 where nothing is relevant."""
    hits = (relevance > 0)[np.argsort(-raw, kind="stable")][:k]
    wanted = min(int((relevance > 0).sum()), k)
    if not wanted:
        return 1.0
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(precision[hits].sum() / wanted)


def mean_over_queries(
    of_query: Callable[[NDArray[np.float64], NDArray[np.float32], int], float],
    k: int,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    groups: NDArray[np.int64],
) -> float:
    """Return the mean of a figure over the queries; NaN where there is none."""
    values = [of_query(target[rows], raw[rows], k) for rows in query_slices(groups)]
    return float(np.mean(values)) if values else float("nan")


ALL = 2**31
for name, label, of_query in (("ndcg", "NDCG", ndcg), ("map", "Mean average precision", average_precision)):
    for k in (ALL, 5, 10):
        at = "" if k == ALL else f"@{k}"
        METRICS.register(Metric(
            f"{name}{at}", f"{label}{at}", f"{name.upper()}{at}", unit="mean over queries",
            higher_is_better=True, tasks=("regression",), is_cheap=False, reads="groups",
            by_query=partial(mean_over_queries, of_query, k),
        ))  # fmt: skip
