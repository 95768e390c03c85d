"""SHAP values of 10,000 rows and 100 trees of depth 6, beside XGBoost's `pred_contribs` of the same model."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import xgboost

import workbench
from tests.benchmarks.workloads import W1, draw
from workbench.explain.attribution.shap_explainer import ShapExplainer

if TYPE_CHECKING:
    from collections.abc import Callable

TREES, DEPTH, ROWS, FEW_ROWS, BACKGROUND = 100, 6, 10_000, 100, 100


def main(arguments: list[str] | None = None) -> None:
    """Print seconds, the least of some repeats, and how many times as long XGBoost takes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks explaining", description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    print(f"{options.threads} thread(s); seconds, and XGBoost's over ours")
    for name, (mine, theirs) in calls(options.threads).items():
        seconds = best(mine, options.repeats), best(theirs, options.repeats) if theirs else None
        ratio = "" if seconds[1] is None else f"  XGBoost {seconds[1]:8.3f}  {seconds[1] / seconds[0]:6.1f}×"
        print(f"{name:32}{seconds[0]:8.3f}{ratio}")


def calls(threads: int) -> dict[str, tuple[Callable[[], Any], Callable[[], Any] | None]]:
    """Return what is timed, ours and XGBoost's."""
    data, x = draw(replace(W1, rows=50_000)), draw(replace(W1, rows=ROWS), seed=1).x
    params = workbench.TrainingParams(objective=W1.objective, rounds=TREES, max_depth=DEPTH, threads=threads)
    model = workbench.fit(data.x, data.y, params=params)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        booster = xgboost.Booster({"nthread": threads}, model_file=path)
    booster.set_param({"nthread": threads})
    names = booster.feature_names
    whole, few = (xgboost.DMatrix(rows, feature_names=names) for rows in (x, x[:FEW_ROWS]))
    explainer = ShapExplainer(model.ensemble)
    against = ShapExplainer(model.ensemble, background=x[-BACKGROUND:])
    return {
        f"{ROWS:,} rows": (
            partial(explainer.contributions, x, threads=threads),
            partial(booster.predict, whole, pred_contribs=True),
        ),
        f"{FEW_ROWS} rows, interactions": (
            partial(explainer.interactions, x[:FEW_ROWS], threads=threads),
            partial(booster.predict, few, pred_interactions=True),
        ),
        f"{ROWS:,} rows, background of {BACKGROUND}": (
            partial(against.contributions, x, threads=threads), None,
        ),
    }


def best(call: Callable[[], Any], repeats: int) -> float:
    """Return the least seconds of some calls, after one that loads the kernels."""
    call()
    seconds = []
    for _ in range(repeats):
        began = perf_counter()
        call()
        seconds.append(perf_counter() - began)
    return min(seconds)
