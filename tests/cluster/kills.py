"""Workers that are killed at random moments of runs, in a process of its own."""

from __future__ import annotations

import os
import signal
import sys
from time import perf_counter

import numpy as np

from tests.cluster.runs import made_dataset, rounds_of, run_of
from workbench.cluster.connection import connect
from workbench.cluster.where import Where
from workbench.errors import WorkbenchError
from workbench.parameters.training import TrainingParams

ROUNDS = 60


def main(kills: int) -> None:
    """Kill so many workers; say for each whether Continue came to the last round."""
    rng = np.random.default_rng(1)
    params = TrainingParams(rounds=ROUNDS)
    data = made_dataset(60_000, params)  # so many that a round takes longer than the news of it
    with connect(Where(workers=2, threads=1, memory="2GB")) as connection:
        for _ in range(kills):
            killed_at = int(rng.integers(1, ROUNDS - 5))
            seen, error, seconds = until_killed(run_of(data, params, connection), connection, killed_at, rng)
            done, began = rounds_of(seen), perf_counter()
            start = seen[0].ensemble.with_rounds(done)
            more = rounds_of(run_of(data, params, connection, start=start).rounds())
            said = "ended with all rounds" if len(done) + len(more) == ROUNDS else "lost rounds"
            took = f"{seconds:.1f} s, then {perf_counter() - began:.1f} s"
            told = f"killed after {killed_at}, {len(done)} kept, {took}: {said}. {error}"
            sys.stdout.write(f"{told}\n")
            sys.stdout.flush()


def until_killed(run, connection, killed_at, rng):
    """Return the events until a worker is killed after a round, what was said, and how many seconds later."""
    seen, began, victim = [], 0.0, 0
    try:
        for event in run.rounds():
            seen.append(event)
            if not victim:
                pids = connection.tell(os.getpid, workers=connection.workers)
                victim = pids[rng.choice(sorted(pids))]
            if len(rounds_of(seen)) == killed_at and not began:
                os.kill(victim, signal.SIGKILL)
                began = perf_counter()
    except WorkbenchError as error:
        return seen, error, perf_counter() - began
    return seen, None, perf_counter() - began
