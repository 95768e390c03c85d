"""How the cost grows with rows and columns; peak memory; the same bits with any number of threads."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import workbench
from tests.benchmarks import machine, memory
from tests.benchmarks.bits import THREADS
from tests.benchmarks.workloads import W1, draw
from workbench.ensembles.events import RoundFinished

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.workloads import Workload

ROWS = {10_000: 100, 100_000: 50, 1_000_000: 15, 10_000_000: 5}  # rounds of each
COLUMNS = {10: 30, 30: 30, 100: 15, 300: 8, 1000: 5}
COLUMN_ROWS = 100_000
PARTS = ("rows", "columns", "memory", "bits")


class Cost(NamedTuple):
    """Seconds until the first round begins, and of a round in the middle."""

    preparation: float
    round: float


def cost(load: Workload, threads: int) -> Cost:
    """Return what our fit of a workload costs."""
    data = draw(load)
    params = workbench.TrainingParams(
        objective=load.objective, rounds=load.rounds, max_depth=load.depth, threads=threads,
        learning_rate=load.learning_rate,
    )
    begin = time.perf_counter()
    rounds, first = [], 0.0
    for event in workbench.train(data.x, data.y, params=params):
        first = first or time.perf_counter()  # said when the run is set up
        if isinstance(event, RoundFinished):
            rounds.append(float(event.seconds))
    return Cost(first - begin, statistics.median(rounds))


def grow_rows(threads: int, most: int) -> None:
    """Print nanoseconds per row and round."""
    print(f"growth with rows, {W1.columns} columns, {threads} threads: nanoseconds")
    found = []
    for rows, rounds in ROWS.items():
        if rows <= most:
            spent = cost(replace(W1, rows=rows, rounds=rounds), threads)
            found.append(spent.round / rows * 1e9)
            print(f"  {rows:10,d} rows  {found[-1]:7.2f} per row and round   preparation "
                  f"{spent.preparation / rows * 1e9:7.1f} per row", flush=True)
    print(f"  worst / best {max(found) / min(found):.2f}", flush=True)


def grow_columns(threads: int, most: int) -> None:
    """Print nanoseconds per row, round and column."""
    print(f"growth with columns, {COLUMN_ROWS:,} rows, {threads} threads: nanoseconds")
    found = []
    for columns, rounds in COLUMNS.items():
        load = replace(W1, rows=min(COLUMN_ROWS, most), columns=columns, rounds=rounds)
        spent = cost(load, threads)
        found.append(spent.round / load.rows / columns * 1e9)
        print(f"  {columns:5d} columns  {found[-1]:7.3f} per row, round and column   preparation "
              f"{spent.preparation / load.rows / columns * 1e9:6.2f} per row and column", flush=True)
    print(f"  worst / best {max(found) / min(found):.2f}", flush=True)


def compare_bits() -> None:
    """In a process that numba lets have as many threads as are compared."""
    most = max(os.cpu_count() or 1, *THREADS)
    environment = os.environ | {"NUMBA_NUM_THREADS": str(most)}
    subprocess.run([sys.executable, "-m", "tests.benchmarks.bits"], env=environment, check=True)


def main(arguments: Sequence[str] = ()) -> None:
    """Print all of it, or the parts that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks scaling", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; none is all")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most-rows", type=int, default=max(ROWS))
    options = parser.parse_args(arguments)
    parts = options.parts or PARTS
    if set(parts) - set(PARTS):
        parser.error(f"the parts are {', '.join(PARTS)}")
    print(*machine.describe(), sep="\n", flush=True)
    cost(replace(W1, rows=20_000, rounds=2), options.threads)
    if "rows" in parts:
        grow_rows(options.threads, options.most_rows)
    if "columns" in parts:
        grow_columns(options.threads, options.most_rows)
    if "memory" in parts:
        memory.measure(options.threads)
    if "bits" in parts:
        compare_bits()
