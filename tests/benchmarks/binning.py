"""Putting the rows of W1 into bins, which every fit begins with."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np
import xgboost

from tests.benchmarks.workloads import W1, draw
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.workloads import Sample


def our_bins(features: Any, threads: int) -> Any:
    """Cuts and bins of rows that stand one after another, as the peers get them."""
    rows = np.arange(len(features), dtype=np.int64)
    cuts = find_cuts(features, rows, [0] * features.shape[1], 255, threads)
    return bin_rows(features, rows, cuts, threads)


def light_gbm_bins(data: Sample, threads: int) -> Any:
    """A constructed Dataset."""
    params = {"max_bin": 255, "num_threads": threads, "verbosity": -1}
    return lightgbm.Dataset(data.x, data.y, params=params).construct()


def xgboost_bins(data: Sample, threads: int) -> Any:
    """A QuantileDMatrix."""
    return xgboost.QuantileDMatrix(data.x, data.y, max_bin=255, nthread=threads)


def calls(rows: int, threads: int) -> dict[str, Callable[[], Any]]:
    """Return a call for each library."""
    data = draw(replace(W1, rows=rows))
    return {
        "ours": partial(our_bins, data.x, threads),
        "LightGBM": partial(light_gbm_bins, data, threads),
        "XGBoost hist": partial(xgboost_bins, data, threads),
    }
