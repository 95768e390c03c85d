"""What the story of runs costs: autosave, opening a project, the first round of a branch, memory."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from workbench.session.project.read import read_project

ROWS, COLUMNS, ROUNDS = 1_000_000, 28, 100
TURNS = 3


def frame(rows: int, columns: int):
    """A two-class table in memory."""
    import pandas as pd

    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    made = pd.DataFrame(x, columns=[f"x{j}" for j in range(columns)])
    made["y"] = (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=rows) > 0).astype(int)
    return made


def window_of(folder: Path, rows: int, columns: int):
    """A window with the table open."""
    from workbench.app import application, build_window
    from workbench.session.opening.open_file import first_plan, known_objectives
    from workbench.shell.settings import Settings
    from workbench.study.given_table import given_table
    from workbench.workers.garbage import GarbageCollection

    app = application()
    garbage = GarbageCollection(app)
    window = build_window(app, Settings(folder))
    table, _ = given_table(frame(rows, columns), None)
    window.session.open_table(table, first_plan(table), {}, known_objectives())
    window.session.data.set_target("y", "logistic")
    window.session.data.hold_out(valid_fraction=0.25)
    window.warmup.finished.connect(garbage.leave_out)
    window.warmup.start()
    window.show()
    window.pages.show_table()
    return app, window


def wait(app, condition, seconds: float = 600.0) -> None:
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:
        app.processEvents()
        time.sleep(0.0005)


def autosave(off: bool) -> None:
    """One turn: seconds of training with and without writing as one goes; the longest stall of the window."""
    from tests.benchmarks.stalls.beats import Heartbeat
    from workbench.session.run import RunState

    with tempfile.TemporaryDirectory() as folder:
        app, window = window_of(Path(folder), ROWS, COLUMNS)
        if off:
            window.projects.autosave.write_now = lambda: None
            window.projects.autosave._timer.timeout.disconnect()
        window.session.hyperparameters.change(rounds=ROUNDS)
        window.runs.start()
        run = window.session.shown.run
        wait(app, lambda: len(run.rounds) > 1)
        beat = Heartbeat()
        beat.start()
        wait(app, lambda: run.state is RunState.ENDED)
        stall = beat.stop()
        seconds = float(run.history.column("seconds")[2:].sum())
        print(f"{seconds:.3f} {stall.gap:.1f} {stall.own:.1f}", flush=True)
        window.close()


def opening() -> None:
    """Seconds to open a project of 500 rounds of 64 leaves, and to show its first round on a branch."""
    from workbench.session.run import RunState
    from workbench.study.study import Study

    with tempfile.TemporaryDirectory() as folder:
        study = Study(frame(10_000, 20), target="y", objective="logistic")
        study.train(rounds=500, max_depth=0, max_leaves=64, grow_policy="best_gain", min_child_weight=0.0)
        path = Path(folder) / "p.workbench"
        study.save(path)
        taken = []
        for _ in range(5):
            began = time.perf_counter()
            read_project(path)
            taken.append(time.perf_counter() - began)
        print(f"opened in {statistics.median(taken):.3f} s, {path.stat().st_size / 2**20:.1f} MB", flush=True)
        app, window = window_of(Path(folder), 10_000, 20)
        window.session.hyperparameters.change(rounds=100)
        window.runs.start()
        run = window.session.shown.run
        wait(app, lambda: run.state is RunState.ENDED)
        window.frame.centre.show_view("training")
        waits = []
        for at in (20, 40, 60, 80):
            window.session.shown.show(run)
            window.session.shown.select(round=at)
            window.session.hyperparameters.change(learning_rate=0.05, rounds=100)
            rest = time.perf_counter() + 0.5
            wait(app, lambda rest=rest: time.perf_counter() > rest)
            began = time.perf_counter()
            window.runs.branch()
            made = window.session.shown.run
            wait(app, lambda made=made, at=at: len(made.rounds) > at)
            app.processEvents()  # painted
            waits.append(1000 * (time.perf_counter() - began))
            wait(app, lambda made=made: made.state is RunState.ENDED)
        print(f"first round of a branch after {', '.join(f'{ms:.0f}' for ms in waits)} ms", flush=True)
        window.close()


def memory(rounds: int) -> None:
    """Peak memory of a run, and with five branches of it."""
    from workbench.study.study import Study

    study = Study(frame(ROWS, COLUMNS), target="y", objective="logistic")
    run = study.train(rounds=rounds)
    first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for k in range(5):
        run.branch(at=rounds // 2 + k, learning_rate=0.05).grow()
    last = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{first:.0f} MB, with five branches {last:.0f} MB: {last / first:.2f}", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks projects", description=__doc__)
    parser.add_argument("--part", choices=("autosave", "off", "opening", "memory"))
    parser.add_argument("--rounds", type=int, default=500, help="of the run whose memory is measured")
    args = parser.parse_args(arguments)
    if args.part == "opening":
        opening()
    elif args.part == "memory":
        memory(args.rounds)
    elif args.part:
        autosave(args.part == "off")
    else:
        _all(args.rounds)


def _all(rounds: int) -> None:
    own = [sys.executable, "-m", "tests.benchmarks", "projects", "--part"]
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}

    def part(name: str) -> str:
        more = ["--rounds", str(rounds)] if name == "memory" else []
        return subprocess.run([*own, name, *more], check=True, capture_output=True, text=True, env=env).stdout

    turns = [(part("off").split(), part("autosave").split()) for _ in range(TURNS)]
    off, on = (statistics.median(float(turn[k][0]) for turn in turns) for k in (0, 1))
    print(f"autosave: {off:.2f} s without, {on:.2f} s with: {on / off - 1:+.1%} (target 2 %)")
    print(f"longest stall with it {max(float(turn[1][1]) for turn in turns):.0f} ms, "
          f"without {max(float(turn[0][1]) for turn in turns):.0f} ms")
    print(part("opening"), part("memory"), sep="", end="")
