"""How well each query of a ranking is ordered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import leave_if
from workbench.metrics.ranking import average_precision, ndcg
from workbench.objectives.queries import query_slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

EVERY_QUERY = 256  # so many are measured before it is asked whether to go on
ALL_PLACES = np.iinfo(np.int64).max


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
    codes, sizes, gains, precisions = [], [], [], []
    for place, rows in enumerate(query_slices(groups)):
        if place % EVERY_QUERY == 0:
            leave_if(cancelled)
        y, own = target[rows], score[rows]
        codes.append(int(groups[rows][0]))
        sizes.append(len(y))
        gains.append(ndcg(y, own, ALL_PLACES))
        precisions.append(average_precision(y, own, ALL_PLACES))
    return QueryMetrics(
        np.array(codes, np.int64), np.array(sizes, np.int64), np.array(gains), np.array(precisions)
    )
