"""What a script waits for beside XGBoost, in turns: one row predicted, a model saved, rankings trained."""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import xgboost

import workbench
from tests.benchmarks import machine
from tests.benchmarks.turns import in_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    Calls = tuple[Callable[[], Any], Callable[[], Any]]

MOST = {"one row": 2.0, "save": 3.0, "ranking": 1.5}  # ratios that are good enough, by what is done
MODELS = {
    "50 trees of depth 4": (500, 8, 50, 4),
    "10 trees of depth 4": (500, 8, 10, 4),
    "500 trees of depth 6": (20_000, 20, 500, 6),
}
QUERIES = {"2,000 queries of 10 rows": (2_000, 10), "20 queries of 1,000 rows": (20, 1_000)}
RANKED_ROUNDS, DEPTH, CALLS = 20, 6, 200


def main(arguments: list[str] | None = None) -> None:
    """Print milliseconds, and how many times as long as XGBoost ours take."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks scripts", description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args(arguments)
    print(*machine.describe(), f"{options.threads} thread(s); milliseconds, median in turns", sep="\n")
    with tempfile.TemporaryDirectory() as folder:
        for (what, title), (ours, theirs) in calls(Path(folder), options.threads).items():
            found = in_turns({"ours": ours, "XGBoost": theirs}, options.repeats)
            mine, other = (1000 * found.seconds[name] for name in ("ours", "XGBoost"))
            ratio = mine / other
            missed = "" if ratio <= MOST[what] else f"  missed: {MOST[what]:g}"
            busy = "" if found.quiet >= options.repeats else f"  [others used {found.others:.0%}]"
            print(f"{what:8} {title:26} {mine:9.3f}  XGBoost {other:9.3f}  {ratio:5.2f}×{missed}{busy}")
            if what == "save":
                rest = 1000 * statistics.median(_unforced_seconds(ours) for _ in range(3 * options.repeats))
                print(f"{'':8} {'not forced to the disk':26} {rest:9.3f}  {'':17}  {rest / other:5.2f}×")


def calls(folder: Path, threads: int) -> dict[tuple[str, str], Calls]:
    """Return what is timed, ours and XGBoost's, by what is done and with what."""
    made: dict[tuple[str, str], Calls] = {}
    for title, (rows, columns, rounds, depth) in MODELS.items():
        x = np.random.default_rng(0).normal(size=(rows, columns)).astype(np.float32)
        y = x[:, 0] * x[:, 1]
        model = workbench.fit(x, y, rounds=rounds, max_depth=depth, threads=threads)
        given = {"max_depth": depth, "eta": 0.1, "tree_method": "hist", "nthread": threads}
        booster = xgboost.train(given, xgboost.DMatrix(x, y), rounds)
        one = x[:1]
        made["one row", title] = (
            _often(partial(model.predict, one)),
            _often(partial(booster.inplace_predict, one)),
        )
        made["save", title] = (
            partial(model.save, folder / "ours.json"), partial(booster.save_model, folder / "theirs.json")
        )  # fmt: skip
    for title, (queries, size) in QUERIES.items():
        made["ranking", title] = rankings(queries, size, threads)
    return {key: made[key] for key in sorted(made, key=lambda key: list(MOST).index(key[0]))}


def _unforced_seconds(save: Callable[[], Any]) -> float:
    """Return the seconds of a save without the time in which it waits for the disk, as XGBoost's does not."""
    waited = 0.0
    force = os.fsync

    def timed_force(descriptor: int) -> None:
        nonlocal waited
        waited -= time.perf_counter()
        force(descriptor)
        waited += time.perf_counter()

    gc.collect()
    with patch.object(os, "fsync", timed_force):
        begin = time.perf_counter()
        save()
        return time.perf_counter() - begin - waited


def rankings(queries: int, size: int, threads: int) -> Calls:
    """Return fits of as many queries of as many rows each, over all pairs."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(queries * size, 10)).astype(np.float32)
    y = np.clip(np.round(1.2 * (x[:, 0] + rng.normal(size=len(x))) + 1), 0, 4).astype(int)
    group = np.repeat(np.arange(queries), size)
    given = {
        "objective": "rank:ndcg", "max_depth": DEPTH, "eta": 0.1, "tree_method": "hist", "nthread": threads,
        "lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": size,
    }  # fmt: skip
    ours = partial(
        workbench.fit, x, y, group=group, objective="lambdarank", rounds=RANKED_ROUNDS, max_depth=DEPTH,
        threads=threads,
    )  # fmt: skip
    workbench.fit(x, y, group=group, objective="lambdarank", rounds=1, threads=threads)  # loads the kernels
    theirs = partial(_trained, given, x, y, group)
    theirs()
    return ours, theirs


def _trained(given: dict[str, Any], x: Any, y: Any, group: Any) -> xgboost.Booster:
    return xgboost.train(given, xgboost.DMatrix(x, y, qid=group), RANKED_ROUNDS)


def _often(call: Callable[[], Any]) -> Callable[[], None]:
    def calls() -> None:
        for _ in range(CALLS):
            call()

    return calls
