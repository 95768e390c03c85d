"""Metrics of rankings: means over the queries, of all places or of the first k."""

from __future__ import annotations

import sys
from dataclasses import astuple
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.metrics.base import METRICS, Metric
from workbench.metrics.facts import AT_PLACE, ranking_facts
from workbench.objectives.queries import MOST_RELEVANCE, discounts, gains, query_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


class Ties(NamedTuple):
    """For each place of a query, highest prediction first, the rows that are predicted the same."""

    order: NDArray[np.intp]
    begin: NDArray[np.intp]  # the first of their places
    size: NDArray[np.intp]

    def mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of `values`, one a row, over the rows that may stand at each place."""
        before = np.concatenate([[0.0], np.cumsum(values[self.order])])
        return (before[self.begin + self.size] - before[self.begin]) / self.size


def ties_of(raw: NDArray[np.float32]) -> Ties:
    """Order the rows of a query by their raw predictions, shape (n,)."""
    order = np.argsort(-raw, kind="stable")
    _, begin, which, size = np.unique(-raw[order], return_index=True, return_inverse=True, return_counts=True)
    return Ties(order, begin[which], size[which])


def ndcg(relevance: NDArray[np.float64], raw: NDArray[np.float32], k: int) -> float:
    """Return DCG / ideal DCG of one query with gains 2**y − 1; 1 where nothing is relevant.

    NaN where a target is no relevance, from 0 to 31.
    Rows that are predicted the same share the mean of their gains: the expected value over their orders
    (McSherry and Najork, Computing information retrieval performance measures efficiently in the presence
    of tied scores, 2008).
    """
    if ((relevance < 0) | (relevance > MOST_RELEVANCE)).any():
        return float("nan")
    gain = gains(relevance)
    worth = discounts(np.arange(min(k, len(gain))))
    ideal = float((np.sort(gain)[::-1][:k] * worth).sum())
    return float((ties_of(raw).mean(gain)[:k] * worth).sum()) / ideal if ideal > 0 else 1.0


def average_precision(relevance: NDArray[np.float64], raw: NDArray[np.float32], k: int) -> float:
    """Return the mean precision at the places of relevant rows (y > 0); 1 where nothing is relevant.

    The expected value over the orders of rows that are predicted the same (McSherry and Najork, as above):
    of t such rows with r relevant ones, after s rows with R, the j-th adds
    r/t · [R + 1 + (j − 1)(r − 1)/(t − 1)] / (s + j).
    """
    hits = (relevance > 0).astype(np.float64)
    wanted = min(int(hits.sum()), k)
    if not wanted:
        return 1.0
    ties = ties_of(raw)
    place = np.arange(len(hits))
    share = ties.mean(hits)
    earlier = np.concatenate([[0.0], np.cumsum(hits[ties.order])])[ties.begin]
    others = np.maximum(share * ties.size - 1.0, 0.0) / np.maximum(ties.size - 1, 1)
    precision = (earlier + 1.0 + (place - ties.begin) * others) / (place + 1.0)
    return float((share * precision)[:k].sum() / wanted)


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


FAMILIES = {"ndcg": ndcg, "map": average_precision}


@cache
def ranking_metric(name: str) -> Metric | None:
    """Return `ndcg` or `map`, of all places or of the first k from 1 to 1000 as in `ndcg@20`."""
    parts, facts = AT_PLACE.fullmatch(name), ranking_facts(name)
    if parts is None or facts is None:
        return None
    family, k = parts.groups()
    by_query = partial(mean_over_queries, FAMILIES[family], sys.maxsize if k is None else int(k))
    return Metric(
        *astuple(facts), tasks=("regression",), is_cheap=False, reads="groups", by_query=by_query
    )


METRICS.register_family(ranking_metric, "ndcg", "ndcg@5", "ndcg@10", "map", "map@5", "map@10")
