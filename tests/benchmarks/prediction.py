"""Predicting rows with a finished model, each library from the array in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.benchmarks.peers import light_gbm, ours, xgboost_hist
from tests.benchmarks.workloads import W1, draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

TREES = 100
TRAINING_ROWS = 100_000


def our_prediction(model: Any, x: NDArray[Any], threads: int) -> NDArray[Any]:
    """What `Model.predict` does, on so many threads."""
    from workbench.data.encoding import encode
    from workbench.ensembles.prediction import raw_predictions

    return model.transform(raw_predictions(model.ensemble, encode(model.schema, x), threads=threads))


def calls(rows: int, threads: int) -> dict[str, Callable[[], Any]]:
    """Return a call for each library that predicts so many rows with its own model of W1."""
    load = replace(W1, rows=TRAINING_ROWS, rounds=TREES)
    data = draw(load)
    mine = ours(load, data, threads)
    lgb = light_gbm(load, data, threads)
    xgb = xgboost_hist(load, data, threads)
    x = draw(replace(W1, rows=rows), seed=1).x
    our_prediction(mine, x, threads)  # which loads or compiles the kernels
    return {
        "ours": partial(our_prediction, mine, x, threads),
        "LightGBM": partial(lgb.predict, x, num_threads=threads),
        "XGBoost hist": partial(xgb.inplace_predict, x),
    }
