"""What streaming and reins cost beside xgboost.dask.train with the same metrics and rows, in turns."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import xgboost
from xgboost import dask as of_dask

from tests.benchmarks import machine
from tests.cluster.runs import made_dataset, own_params, types_of
from workbench.cluster.connection import connect
from workbench.cluster.measures import MEASURES
from workbench.cluster.placed_matrix import PlacedMatrix
from workbench.cluster.sent_rows import SentRows
from workbench.cluster.setup import ClusterSetup
from workbench.cluster.trainer import ClusterRun
from workbench.cluster.where import Where
from workbench.ensembles.breakpoints.goals import RunTo
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import TrainingPaused
from workbench.parameters.training import TrainingParams

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.data.dataset import Dataset

MOST = 1.08  # of the time of xgboost.dask.train
ROWS, COLUMNS, ROUNDS = 400_000, 20, 60


class Placed(SentRows):
    """Rows that lie on the workers already."""

    def __init__(self, dataset: Dataset, rows: RowsThere) -> None:
        super().__init__(dataset)
        self._rows = replace(rows, stay=True)

    def place(self, *_given: object) -> RowsThere:
        return self._rows


def main(arguments: list[str] | None = None) -> None:
    """Print the median of seconds by the clock and of the workers' processor time, and their ratios."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks cluster", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--watched", action="store_true", help="a breakpoint is looked at after each round")
    options = parser.parse_args(arguments)
    print(*machine.describe(), sep="\n")
    params = TrainingParams(rounds=ROUNDS)
    data = made_dataset(options.rows, params, COLUMNS)
    with connect(Where(workers=options.workers, threads=1)) as connection:
        setup = ClusterSetup(SentRows(data), params, None)
        rows = setup.rows.place(connection, params, setup.objective, lambda: False)
        calls = {
            "ours": lambda: _ours(data, rows, params, connection, watched=options.watched),
            "xgboost.dask": lambda: _theirs(setup, data, rows, params, connection),
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
        for turn in range(options.repeats + 1):
            for name, call in calls.items():
                figures = _timed(call, connection)
                if turn:  # in the first one modules are loaded
                    found[name].append(figures)
                    print(f"{name:14} {figures[0]:7.3f} s, workers {figures[1]:7.3f} s", flush=True)
    for place, what in enumerate(("clock", "workers' processors")):
        ratios = [mine[place] / other[place] for mine, other in zip(*found.values(), strict=True)]
        ours, theirs = (median(one[place] for one in some) for some in found.values())
        missed = "" if median(ratios) <= MOST else f"  missed: {MOST:g}"
        print(f"{what:20} ours {ours:.3f} s, xgboost.dask {theirs:.3f} s, {median(ratios):.3f}×{missed}")


def _timed(call: Callable[[], None], connection: Connection) -> tuple[float, float]:
    """Return seconds, and those that the workers' processors worked."""
    before, began = _spent(connection), time.perf_counter()
    call()
    seconds = time.perf_counter() - began
    return seconds, _spent(connection) - before


def _spent(connection: Connection) -> float:
    return sum(connection.tell(time.process_time, workers=connection.workers).values())


def _ours(
    data: Dataset, rows: RowsThere, params: TrainingParams, connection: Connection, *, watched: bool
) -> None:
    control = RunControl([RunTo(ROUNDS + 1)] if watched else ())
    setup = ClusterSetup(Placed(data, rows), params, None)
    for event in ClusterRun(setup, connection, control).rounds():
        if isinstance(event, TrainingPaused):
            raise RuntimeError("the run paused")


def _theirs(
    setup: ClusterSetup, data: Dataset, rows: RowsThere, params: TrainingParams, connection: Connection
) -> None:
    """Train with the same metrics on the same rows."""
    metrics = [MEASURES[name].named(params) for name in setup.metrics.names]
    types, bins = types_of(data), params.max_bin
    train = PlacedMatrix(rows.train, types, bins)
    valid = PlacedMatrix(rows.valid, types, bins, train)
    with connection.client.as_current(), xgboost.config_context(verbosity=0):
        of_dask.train(
            connection.client, own_params(data, params) | {"eval_metric": list(dict.fromkeys(metrics))},
            train, ROUNDS, evals=[(train, "train"), (valid, "valid")], verbose_eval=False,
        )  # fmt: skip
