"""How long the window stalls while a run trains on a cluster of this machine."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks import machine
from tests.benchmarks.beats import Heartbeat
from tests.benchmarks.window import report, window_and_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS, COLUMNS, ROUNDS, WORKERS = 400_000, 20, 120, 2
LOOKED_MS = 300  # after each act


def write_table(path: Path) -> None:
    """Rows of numbers and a number to predict, written as text in blocks that repeat."""
    generator, block = np.random.default_rng(0), 50_000
    x = generator.normal(size=(block, COLUMNS))
    y = x[:, 0] * x[:, 1] + np.sin(3 * x[:, 2]) + generator.normal(size=block)
    lines = "".join(",".join(f"{value:.5g}" for value in row) + "\n" for row in np.c_[x, y].tolist())
    with path.open("w") as file:
        file.write(",".join(f"x{place}" for place in range(COLUMNS)) + ",y\n")
        for _ in range(ROWS // block):
            file.write(lines)


def main(arguments: list[str] | None = None) -> None:
    """Print the longest stall of each part, and how many beats took the window's thread more than 16 ms."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks cluster window", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profiled", type=float, default=0.0, help="ms from which a beat is looked into")
    options = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(*machine.describe(), sep="\n")
    with window_and_table(write_table) as (window, hand, table):
        window.documents.open(table)
        hand.until(lambda: not window.frame.on_welcome)
        hand.pause(2000)
        _look_at_all(window, hand, Heartbeat(options.profiled), options.rounds)
        window.close()


def _look_at_all(window: Any, hand: Any, heart: Heartbeat, rounds: int) -> None:
    from workbench.cluster.where import Where
    from workbench.session.run import RunState

    session, desk = window.bench.session, window.controller.cluster

    def look(part: str, act: Callable[[], Any], until: Callable[[], bool]) -> None:
        heart.start()
        begin = time.perf_counter()
        act()
        hand.until(until)
        hand.pause(LOOKED_MS)
        report(part, time.perf_counter() - begin, heart.stop())

    where = Where(workers=WORKERS, threads=1)
    look("connect", lambda: desk.connect_to(where), lambda: desk.state.is_connected)
    session.hyperparameters.change(rounds=rounds)
    look("Train to first round", window.runs.start, lambda: hand.rounds >= 1)
    for view in ("training", "tree", "ensemble", "table"):
        wanted = hand.rounds + rounds // 6
        look(
            f"training, {view} shown", lambda view=view: window.frame.centre.show_view(view),
            lambda wanted=wanted: hand.rounds >= wanted or hand.state is RunState.ENDED,
        )
    look("pause", window.controller.pause, lambda: hand.state is not RunState.RUNNING)
    look("λ", lambda: session.hyperparameters.change(reg_lambda=4.0), lambda: True)
    look("resume to the end", window.controller.resume, lambda: hand.state is RunState.ENDED)
    look("leave the cluster", desk.leave, lambda: not desk.state.is_connected)
