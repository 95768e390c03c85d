"""Loss on rows that were held out, ours beside XGBoost's by the same tree method, over several samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import xgboost

from tests.benchmarks.peers import ours, xgboost_exact, xgboost_hist
from tests.benchmarks.workloads import Sample, draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.benchmarks.workloads import Workload

HELD_OUT_ROWS = 50_000
MOST_ROWS = 100_000  # to train on


@dataclass(frozen=True)
class Quality:
    """Losses of both, one of each seed."""

    key: str
    metric: str
    rows: int
    ours: NDArray[np.float64]
    theirs: NDArray[np.float64]

    def text(self) -> str:
        """Mean ± deviation of both and of their difference on the same rows, and whether that is noise."""
        gap = self.ours - self.theirs
        noise = gap.std(ddof=1)
        verdict = "inside" if abs(gap.mean()) <= noise else "better" if gap.mean() < 0 else "OUTSIDE"
        return (
            f"{self.key:6s} {self.rows:7,d} rows, {len(self.ours):2d} samples  {self.metric:7s} "
            f"ours {_spread(self.ours)}  XGBoost {_spread(self.theirs)}  "
            f"difference {gap.mean():+.6f} ± {noise:.6f}  {verdict}"
        )


def _spread(values: NDArray[np.float64]) -> str:
    return f"{values.mean():.5f} ± {values.std(ddof=1):.5f}"


def compare(
    load: Workload, seeds: int, threads: int, most_rows: int = MOST_ROWS, held_out: int = HELD_OUT_ROWS
) -> Quality:
    """Fit both on `seeds` samples of a workload and measure them on rows that neither saw."""
    load = load.small(most_rows)
    losses = []
    for seed in range(1, seeds + 1):
        data = draw(replace(load, rows=load.rows + held_out), seed)
        train, test = (_part(data, slice(None, load.rows)), _part(data, slice(load.rows, None)))
        mine = ours(load, train, threads).predict(test.x)
        booster = (xgboost_exact if load.exact else xgboost_hist)(load, train, threads)
        table = xgboost.DMatrix(test.x, feature_types=booster.feature_types, enable_categorical=True)
        losses.append([loss(load, test, mine), loss(load, test, booster.predict(table))])
    metric = "rmse" if load.objective == "squared" else "logloss"
    first, second = np.array(losses).T
    return Quality(load.key, metric, load.rows, first, second)


def _part(data: Sample, rows: slice) -> Sample:
    return Sample(*(None if values is None else values[rows] for values in data))


def loss(load: Workload, data: Sample, predicted: Any) -> float:
    """Root mean squared error, or logarithmic loss."""
    if load.objective == "squared":
        return float(np.sqrt(np.average((predicted - data.y) ** 2, weights=data.weight)))
    if load.objective == "logistic":
        predicted = np.column_stack([1 - predicted, predicted])
    chosen = predicted[np.arange(len(data.y)), data.y.astype(int)].astype(np.float64)
    return float(np.average(-np.log(chosen.clip(1e-15)), weights=data.weight))
