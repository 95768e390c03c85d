"""Metrics of rankings: means over the queries, of all places or of the first k."""

from __future__ import annotations

import sys
from dataclasses import astuple
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel_arrays import kernel_array
from workbench.metrics.base import METRICS, Metric
from workbench.metrics.facts import AT_PLACE, ranking_facts
from workbench.metrics.query_figures import fill_ndcg, fill_precision
from workbench.objectives.queries import Queries, queries_of
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.threads.team import Team

FAMILIES = {"ndcg": fill_ndcg, "map": fill_precision}


def mean_over_queries(
    fill_figures: Callable[..., object],
    k: int,
    target: NDArray[np.float64],
    raw: NDArray[np.float32],
    groups: NDArray[np.int64] | Queries,
    team: Team = ALONE,
) -> float:
    """Return the mean of a figure of the first k places over the queries; NaN where there is none."""
    queries = groups if isinstance(groups, Queries) else queries_of(groups)
    y, raw = kernel_array(target, np.float64), kernel_array(raw, np.float32)
    figures = queries.figures(fill_figures, y, raw, k, team=team)
    return float(figures.mean()) if len(figures) else float("nan")


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
