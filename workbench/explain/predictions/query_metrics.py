"""How well each query of a ranking is ordered."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.kernels.kernel_arrays import kernel_array
from workbench.metrics.query_figures import fill_ndcg, fill_precision
from workbench.objectives.queries import queries_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ALL_PLACES = sys.maxsize


@dataclass(frozen=True, eq=False)
class QueryMetrics:
    """One figure a query; every array has shape (q,).

    Attributes
    ----------
    group : ndarray of int64
        Its code.
    rows : ndarray of int64
        How many it has.
    ndcg, average_precision : ndarray of float64
    """

    group: NDArray[np.int64]
    rows: NDArray[np.int64]
    ndcg: NDArray[np.float64]
    average_precision: NDArray[np.float64]


def query_metrics(
    target: NDArray[np.float64], score: NDArray[np.float32], groups: NDArray[np.int64],
    cancelled: Callable[[], bool] | None = None,
) -> QueryMetrics:  # fmt: skip
    """Return the figures of every query."""
    queries = queries_of(groups)
    y, raw = kernel_array(target, np.float64), kernel_array(score, np.float32)
    figures = []
    for fill in (fill_ndcg, fill_precision):
        leave_if(cancelled)
        figures.append(queries.figures(fill, y, raw, ALL_PLACES))
    first = queries.rows[queries.begins[:-1]]
    return QueryMetrics(groups[first].astype(np.int64), np.diff(queries.begins), *figures)
