"""A run on a Parquet folder that is larger than this machine would like to hold, in a process of its own."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from tests.cluster.runs import rounds_of
from workbench.cluster.open_run import run_of_path
from workbench.cluster.where import Where
from workbench.parameters.training import TrainingParams

ROWS_OF_FILE = 500_000
COLUMNS = 20


def write_folder(folder: Path, n_rows: int) -> None:
    rng = np.random.default_rng(0)
    for number in range(-(-n_rows // ROWS_OF_FILE)):
        x = rng.standard_normal((ROWS_OF_FILE, COLUMNS), np.float32)
        columns = {f"x{place}": x[:, place] for place in range(COLUMNS)}
        columns["y"] = x[:, 0] * x[:, 1] + rng.standard_normal(ROWS_OF_FILE, np.float32)
        pq.write_table(pa.table(columns), folder / f"{number:03}.parquet", compression="snappy")


def main(folder: str, n_rows: int) -> None:
    """Train ten rounds there; say by how many MB this process grew at most, and how long it took."""
    if not list(Path(folder).glob("*.parquet")):
        write_folder(Path(folder), n_rows)
    me, over = psutil.Process(), threading.Event()
    most = [0]

    def watch() -> None:
        while not over.wait(0.05):
            most[0] = max(most[0], me.memory_info().rss)

    where = Where(workers=2, threads=1, memory="4GB")
    warm_up(where)
    before, began = me.memory_info().rss, perf_counter()
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    run = run_of_path(where, folder, {"y": "target"}, TrainingParams(rounds=10), valid_fraction=0.1)
    rounds = rounds_of(run.events())
    over.set()
    thread.join()
    told = f"{run.schema.rows} rows, {len(rounds)} rounds, grew by {(most[0] - before) / 1e6:.0f} MB"
    sys.stdout.write(f"{told}, {perf_counter() - began:.0f} s, rounds of {rounds[-1].seconds:.2f} s\n")


def warm_up(where: Where) -> None:
    """Load what every program on a cluster loads."""
    from tests.cluster.runs import dataset, run_of
    from workbench.cluster.connection import connect

    params = TrainingParams(rounds=2)
    with connect(where) as connection:
        data = dataset("concrete_strength", "compressive_strength", params)
        list(run_of(data, params, connection).rounds())
