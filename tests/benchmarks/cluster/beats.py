"""How long the window stalls while runs train on a cluster of this machine, and it answers about a node."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks import machine
from tests.benchmarks.stalls.beats import Heartbeat
from tests.benchmarks.window import report, window_and_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS, COLUMNS, ROUNDS, WORKERS, FILES = 400_000, 20, 60, 2, 4
LOOKED_MS = 300  # after each act


def write_table(path: Path) -> None:
    """Rows of numbers and a number to predict, as text in blocks that repeat, and in a folder."""
    import pandas as pd

    generator, block = np.random.default_rng(0), 50_000
    x = generator.normal(size=(block, COLUMNS))
    y = x[:, 0] * x[:, 1] + np.sin(3 * x[:, 2]) + generator.normal(size=block)
    names = [*(f"x{place}" for place in range(COLUMNS)), "y"]
    lines = "".join(",".join(f"{value:.5g}" for value in row) + "\n" for row in np.c_[x, y].tolist())
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for _ in range(ROWS // block):
            file.write(lines)
    folder = folder_beside(path)
    folder.mkdir()
    part = pd.DataFrame(np.tile(np.c_[x, y], (ROWS // block // FILES, 1)), columns=names)
    for place in range(FILES):
        part.to_parquet(folder / f"{place}.parquet")


def folder_beside(path: Path) -> Path:
    """Return where the same rows are as Parquet."""
    return path.with_suffix(".folder")


def main(arguments: list[str] | None = None) -> None:
    """Print the longest stall of each part, and how many beats took the window's thread more than 16 ms."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks cluster window", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profiled", type=float, default=0.0, help="ms from which a beat is looked into")
    options = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(*machine.describe(), f"load {os.getloadavg()[0]:.1f}", sep="\n", flush=True)
    with window_and_table(write_table) as (window, hand, table):
        walk = _Walk(window, hand, Heartbeat(options.profiled))
        walk.connect()
        walk.sent(table, options.rounds)
        walk.there(folder_beside(table), options.rounds)
        walk.end()


class _Walk:
    """Goes through a window, and prints a line for each thing done."""

    def __init__(self, window: Any, hand: Any, heart: Heartbeat) -> None:
        self._window, self._hand, self._heart = window, hand, heart
        self._session, self._desk = window.bench.session, window.controller.cluster

    def connect(self) -> None:
        """Start the workers and connect to them."""
        from workbench.cluster.where import Where

        where = Where(workers=WORKERS, threads=1)
        self._look("connect", lambda: self._desk.connect_to(where), lambda: self._desk.state.is_connected)

    def sent(self, table: Path, rounds: int) -> None:
        """Train on a table that is open here."""
        self._window.documents.open(table)
        self._hand.until(lambda: not self._window.frame.on_welcome)
        self._hand.pause(2000)
        self._train("sent", rounds)

    def there(self, folder: Path, rounds: int) -> None:
        """Train on a table that stays there, and ask about a node, while it trains and after."""
        session, hand = self._session, self._hand
        self._look("open a folder there", lambda: self._window.documents.open_there(str(folder)),
                   lambda: session.data.elsewhere is not None)  # fmt: skip
        hand.pause(2000)
        self._train("there", rounds)
        self._node("a node there, at rest", 1)
        session.hyperparameters.change(rounds=2 * rounds)
        session.shown.select(node=None)
        self._look("there: Train again", self._window.runs.start, lambda: hand.rounds >= 1)
        self._node("a node there, while it trains", 1)
        self._look("there: stop", self._window.controller.stop, self._has_ended)

    def end(self) -> None:
        """Let the workers go, and close."""
        self._look("leave the cluster", self._desk.leave, lambda: not self._desk.state.is_connected)
        begin = time.perf_counter()
        self._window.close()
        report("close", time.perf_counter() - begin)

    def _train(self, table: str, rounds: int) -> None:
        session, window, hand = self._session, self._window, self._hand
        for point in session.breakpoints.in_force:
            session.breakpoints.switch(point.name, on=False)
        session.hyperparameters.change(rounds=rounds)
        before = session.shown.run
        self._look(f"{table}: Train to first round", window.runs.start,
                   lambda: session.shown.run is not before and hand.rounds >= 1)  # fmt: skip
        views = ("training", "tree", "tree and inspector", "ensemble", "table")
        for view in views:
            wanted = hand.rounds + rounds // (len(views) + 1)
            self._look(
                f"{table}: {view} shown", lambda view=view: self._show(view),
                lambda wanted=wanted: hand.rounds >= wanted or self._has_ended(),
            )
        self._look(f"{table}: pause", window.controller.pause, lambda: not self._runs())
        self._look(f"{table}: λ", lambda: session.hyperparameters.change(reg_lambda=4.0), lambda: True)
        self._look(f"{table}: resume to the end", window.controller.resume, self._has_ended)
        window.frame.want_inspector(False)

    def _show(self, view: str) -> None:
        centre = view.split()[0]
        self._window.frame.centre.show_view(centre)
        self._window.frame.want_inspector("inspector" in view)

    def _node(self, part: str, round: int) -> None:
        """Ask about the root of a tree, and wait for its candidates."""
        window, session, explainer = self._window, self._session, self._window.bench.explainer
        self._look(f"{part}: shown", lambda: self._show("tree and inspector"), lambda: True)
        why = next(view for view in window.frame.views if view.name == "node").why
        self._look(part, lambda: session.shown.select(round=round, node=0),
                   lambda: explainer.nodes.known(why._subject) is not None)  # fmt: skip

    def _runs(self) -> bool:
        from workbench.session.run import RunState

        return self._hand.state is RunState.RUNNING

    def _has_ended(self) -> bool:
        from workbench.session.run import RunState

        return self._hand.state is RunState.ENDED

    def _look(self, part: str, act: Callable[[], Any], until: Callable[[], bool]) -> None:
        self._heart.start()
        begin = time.perf_counter()
        act()
        self._hand.until(until)
        self._hand.pause(LOOKED_MS)
        report(part, time.perf_counter() - begin, self._heart.stop())
