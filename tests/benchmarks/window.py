"""How instant the window feels: stalls of its event loop while many rows or columns are read and learnt."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tests.benchmarks.stalls.beats import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.benchmarks.stalls.beats import Stall

ROWS, COLUMNS, ROUNDS = 1_000_000, 28, 30
WIDE_ROWS, WIDE_COLUMNS, WIDE_ROUNDS = 200, 60_000, 10
LOOKED_MS = 1500  # at a view of the wide table
TURNS, TURN_ROUNDS = 3, 401  # the first round of a turn, which prepares, is not looked at
IDLE_MS = 1000  # without any job, after which a run's questions are all answered


def write_table(path: Path) -> None:
    """A CSV of ROWS × COLUMNS numbers and a two-class target."""
    generator = np.random.default_rng(0)
    block = 50_000
    x = generator.normal(size=(block, COLUMNS)).astype(np.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + generator.normal(size=block) > 0).astype(int)
    lines = "".join(
        ",".join(f"{value:.5g}" for value in row) + f",{label}\n"
        for row, label in zip(x.tolist(), y.tolist(), strict=True)
    )
    with path.open("w") as file:
        file.write(",".join(f"x{j}" for j in range(COLUMNS)) + ",y\n")
        for _ in range(ROWS // block):
            file.write(lines)


@contextmanager
def window_and_table(write: Callable[[Path], None]) -> Iterator[tuple[Any, Any, Path]]:
    """Yield the window with its kernels ready, a hand for it, and a file that `write` filled."""
    from workbench.app import application, build_window
    from workbench.shell.settings import Settings
    from workbench.tour.tour import Tour
    from workbench.workers.garbage import GarbageCollection

    app = application()
    garbage = GarbageCollection(app)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "big.csv")
        write(table)
        window = build_window(app, Settings(Path(folder)))
        hand = Tour(window, Path(folder))
        window.warmup.finished.connect(garbage.leave_out)
        window.show()
        window.warmup.start()
        hand.until(window.warmup.ready.is_set)
        yield window, hand, table


def stalls() -> None:
    """Read and train in the window; print the longest stall of each part."""
    from workbench.session.run import RunState

    with window_and_table(write_table) as (window, hand, table):
        heart = Heartbeat()
        hand.pause(200)
        heart.start()
        begin = time.perf_counter()
        window.documents.open(table)
        hand.until(lambda: not window.frame.on_welcome)
        hand.pause(1000)
        report("read", time.perf_counter() - begin, heart.stop())
        session = window.bench.session
        session.hyperparameters.change(rounds=ROUNDS)
        heart.start()
        begin = time.perf_counter()
        window.runs.start()
        hand.until(lambda: hand.rounds >= 1)
        report("Train to first round", time.perf_counter() - begin, heart.stop())
        for view in ("training", "tree", "ensemble", "table"):
            window.frame.centre.show_view(view)
            before = hand.rounds
            heart.start()
            begin = time.perf_counter()
            hand.until(lambda before=before: hand.rounds >= before + 6 or hand.state is RunState.ENDED)
            report(f"training, {view} shown", time.perf_counter() - begin, heart.stop())
        hand.until(lambda: hand.state is RunState.ENDED)
        for view, node in (("training", None), ("tree", None), ("tree", 0)):
            compare_with_headless(window, hand, view, node)
        session.hyperparameters.change(rounds=ROUNDS)
        window.runs.start()
        hand.until(lambda: hand.rounds >= 1)
        begin = time.perf_counter()
        window.runs.start()
        report("start another run meanwhile", time.perf_counter() - begin)
        hand.pause(50)
        begin = time.perf_counter()
        window.close()
        report("close while it is prepared", time.perf_counter() - begin)


class Turn(NamedTuple):
    """What a run of the same rounds took, the first round left out."""

    wall: float  # seconds of the rounds
    process: float  # CPU seconds of all threads
    window: float = 0.0  # CPU seconds of the window's thread


def compare_with_headless(window: Any, hand: Any, view: str, node: int | None) -> None:
    """Train in the window and without it, in turns on the same rows; print what the window costs.

    With drawing, and all that is asked about the node of the newest tree, where one is looked at.
    """
    session = window.bench.session
    window.frame.centre.show_view(view)
    session.hyperparameters.change(rounds=TURN_ROUNDS)
    shown, alone = [], []
    for _ in range(TURNS):
        shown.append(_in_window(window, node))
        _until_idle(window.bench.jobs, hand)
        alone.append(_without_window(session.shown.run.dataset, session.shown.run.params))
    extra = statistics.median(a.wall / b.wall for a, b in zip(shown, alone, strict=True)) - 1
    wall, process, own = (statistics.median(column) * 1e3 for column in zip(*shown, strict=True))
    wall_alone, process_alone, _ = (statistics.median(column) * 1e3 for column in zip(*alone, strict=True))
    rounds = TURN_ROUNDS - 1
    print(f"{view} shown, {'nothing' if node is None else 'the root'} looked at: a round in the window "
          f"{wall / rounds:.2f} ms, without {wall_alone / rounds:.2f}: {extra:+.1%}; CPU of {rounds} rounds "
          f"{process:.0f} ms, of which the window's thread {own:.0f}, without {process_alone:.0f}; "
          f"medians of {TURNS} turns", flush=True)  # fmt: skip


def _in_window(window: Any, node: int | None) -> Turn:
    """Train a run in the window, which nothing asks meanwhile how far it is."""
    from workbench.session.run import RunState

    session = window.bench.session
    window.runs.start()
    _wait(session.events.rounds, lambda: len(session.shown.run.rounds) >= 1)
    session.shown.select(node=node)
    process, own = time.process_time(), time.thread_time()
    _wait(session.events.state, lambda: session.shown.run.state is RunState.ENDED)
    process, own = time.process_time() - process, time.thread_time() - own
    return Turn(float(session.shown.run.history.column("seconds")[1:].sum()), process, own)


def _without_window(dataset: Any, params: Any) -> Turn:
    """Train the same in this thread, while the window has nothing to do."""
    from workbench.ensembles.base import make_trainer
    from workbench.ensembles.events import RoundFinished

    events = make_trainer(dataset, params).rounds()
    while not isinstance(next(events), RoundFinished):
        pass
    process = time.process_time()
    seconds = sum(event.seconds for event in events if isinstance(event, RoundFinished))
    return Turn(seconds, time.process_time() - process)


def _wait(signal: Any, condition: Callable[[], bool]) -> None:
    """Let the window work until a condition holds, looked at when the signal is heard."""
    from PySide6.QtCore import QEventLoop

    loop = QEventLoop()

    def look() -> None:
        if condition():
            loop.quit()

    if not condition():
        signal.connect(look)
        loop.exec()
        signal.disconnect(look)


def _until_idle(jobs: Any, hand: Any) -> None:
    """Let the window work until it has had no job for IDLE_MS."""
    quiet = 0
    while quiet < IDLE_MS:
        hand.pause(100)
        quiet = quiet + 100 if jobs.is_idle else 0


def write_wide_table(path: Path) -> None:
    """A CSV of WIDE_ROWS × WIDE_COLUMNS numbers, the last a two-class target."""
    x = np.random.default_rng(0).normal(size=(WIDE_ROWS, WIDE_COLUMNS - 1))
    y = (x[:, 0] + x[:, 1] > x[:, 2]).astype(int).tolist()  # a column alone would set off the leakage alarm
    lines = (",".join(f"{value:.4g}" for value in row) + f",{label}\n"
             for row, label in zip(x.tolist(), y, strict=True))
    with path.open("w") as file:
        file.write(",".join(f"x{j}" for j in range(WIDE_COLUMNS - 1)) + ",y\n")
        file.writelines(lines)


def wide_stalls() -> None:
    """Read and train on a table of WIDE_COLUMNS, look at every view; print the longest stall of each part."""
    from workbench.session.run import RunState

    with window_and_table(write_wide_table) as (window, hand, table):
        heart, session = Heartbeat(), window.bench.session

        def look(part: str, act: Callable[[], Any], until: Callable[[], bool] | None = None) -> None:
            heart.start()
            begin = time.perf_counter()
            act()
            if until:
                hand.until(until)
            hand.pause(LOOKED_MS)
            report(f"wide: {part}", time.perf_counter() - begin, heart.stop())

        look("read", lambda: window.documents.open(table), lambda: not window.frame.on_welcome)
        look("choose a far column", lambda: session.shown.select(column=f"x{WIDE_COLUMNS - 9}"))
        look("ignore a column", lambda: session.data.set_role("x7", "ignore"))
        session.hyperparameters.change(rounds=WIDE_ROUNDS)
        look("train", window.runs.start, lambda: hand.state is RunState.ENDED)
        for dock in (window.frame.left, window.frame.centre):
            for view in dock.views:
                look(view.name, lambda dock=dock, view=view: dock.show_view(view.name))
        window.frame.centre.show_view("tree")
        look("a node", lambda: session.shown.select(round=1, node=0))
        for view in window.frame.bottom.views:
            look(view.name, lambda view=view: window.frame.bottom.show_view(view.name))
        window.close()


def report(part: str, seconds: float, stall: Stall | None = None) -> None:
    """Print one line of the result."""
    told = "" if stall is None else (
        f"   longest stall {stall.gap:6.1f} ms, without waiting for a core {stall.held:6.1f}, own"
        f" {stall.own:6.1f}   own above 16 ms: {stall.many}"
    )
    print(f"{part:32s} {seconds:7.2f} s{told}", flush=True)


START = """
import sys, time
begin = time.perf_counter()
from workbench.app import application, build_window
from workbench.shell.settings import Settings
import pathlib, tempfile
from PySide6.QtCore import QTimer
app = application()
window = build_window(app, Settings(pathlib.Path(tempfile.mkdtemp())))
window.show()
window.warmup.start()
def usable():
    print(f"window usable after {time.perf_counter() - begin:.2f} s", flush=True)
    if window.warmup.ready.is_set():
        done()
    else:
        window.warmup.finished.connect(done)
def done(*_):
    print(f"kernels ready after {time.perf_counter() - begin:.2f} s", flush=True)
    window.close()
    app.quit()
QTimer.singleShot(0, usable)
app.exec()
"""


def starts() -> None:
    """Start the window without and with a filled kernel cache; print both times."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"XDG_CACHE_HOME": cache}
        environment.pop("NUMBA_CACHE_DIR", None)
        for label in ("first launch", "warm start"):
            print(label, flush=True)
            subprocess.run([sys.executable, "-c", START], env=environment, check=True)


def main(arguments: Sequence[str] = ()) -> None:
    """All figures of the window."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks window", description=__doc__)
    parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    starts()
    stalls()
    wide_stalls()


if __name__ == "__main__":
    main()
