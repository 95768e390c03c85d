"""The inspector on a large table: from a click to its numbers, and what following a run costs."""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks.window import Heartbeat, window_and_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COLUMNS, ROUNDS = 28, 60
TURNS, TURN_ROUNDS = 5, 40


def write_table(path: Path, rows: int) -> None:
    """A CSV of so many rows × COLUMNS numbers and a two-class target."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(rows, COLUMNS)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + generator.normal(size=rows) > 0).astype(int)
    header = ",".join(f"x{j}" for j in range(COLUMNS)) + ",y"
    np.savetxt(path, np.column_stack([x, y]), fmt="%.5g", delimiter=",", header=header, comments="")


def main(arguments: Sequence[str] = ()) -> None:
    """Train, click nodes, then train with and without a node looked at."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks inspector", description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    rows = parser.parse_args(arguments).rows
    from workbench.session.run import RunState

    with window_and_table(lambda path: write_table(path, rows)) as (window, hand, table):
        heart = Heartbeat()
        window.documents.open(table)
        hand.until(lambda: not window.frame.on_welcome)
        session = window.bench.session
        session.hyperparameters.change(rounds=ROUNDS, max_depth=6)
        window.runs.start()
        hand.until(lambda: hand.state is RunState.ENDED)
        window.frame.centre.show_view("tree")
        for round, node in ((ROUNDS, 0), (ROUNDS, 1), (ROUNDS - 1, 0), (ROUNDS // 2, 0), (1, 0)):
            click(window, hand, heart, round, node)
        slowdown(window, hand)
        window.close()


def click(window: Any, hand: Any, heart: Heartbeat, round: int, node: int) -> None:
    """Select a node; print when its candidates are shown, and the longest stall meanwhile."""
    session, explainer = window.bench.session, window.bench.explainer
    why = next(view for view in window.frame.views if view.name == "node").why
    session.shown.select(round=round)
    heart.start()
    begin = time.perf_counter()
    session.shown.select(node=node)
    hand.until(lambda: explainer.nodes.known(why._subject) is not None)
    spent = time.perf_counter() - begin
    longest = heart.stop().gap
    print(f"round {round}, node {node}: {spent:.2f} s to all candidates, longest stall {longest:.0f} ms",
          flush=True)  # fmt: skip


def slowdown(window: Any, hand: Any) -> None:
    """Train in turns with the root looked at and with nothing looked at; print what that costs.

    Of each run the seconds from its first round to its end, and of the answers the processor's seconds.
    """
    from workbench.session.run import RunState
    from workbench.workers.rest import Rest

    session, add, worked = window.bench.session, Rest.add, []

    def count(rest: Rest, seconds: float) -> None:
        worked.append(seconds)
        add(rest, seconds)

    session.hyperparameters.change(rounds=TURN_ROUNDS)
    spent: dict[bool, list[float]] = {True: [], False: []}
    window.frame.centre.show_view("training")
    Rest.add = count  # type: ignore[method-assign]
    for turn in range(2 * TURNS):
        looks = turn % 2 == 0
        window.runs.start()
        hand.until(lambda: hand.rounds >= 1)
        begin = time.perf_counter()
        if looks:
            window.frame.centre.show_view("tree")
            session.shown.select(node=0)
        hand.until(lambda: hand.state is RunState.ENDED)
        spent[looks].append(time.perf_counter() - begin)
        print(f"{TURN_ROUNDS - 1} rounds {'with' if looks else 'without'} the root looked at: "
              f"{spent[looks][-1]:.2f} s", flush=True)  # fmt: skip
        window.frame.centre.show_view("training")
        session.shown.select(node=None)
    Rest.add = add  # type: ignore[method-assign]
    extra = statistics.median(a / b for a, b in zip(spent[True], spent[False], strict=True)) - 1
    share, mean = sum(worked) / sum(spent[True]), statistics.mean(worked)
    print(f"with a node looked at against without: {extra:+.1%}, median of {TURNS} turns; "
          f"{len(worked)} answers of {mean:.2f} s took {share:.1%} of a processor", flush=True)


if __name__ == "__main__":
    main()
