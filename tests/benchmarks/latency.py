"""A slider being dragged: from a changed parameter to the new model, the old run cancelled on the way.

Through the window's own session, controller and training thread, without views. The controller looks for
news every REPAINT_MS, so the session hears of a model a little after the training thread has finished it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from tests.benchmarks import machine
from tests.benchmarks.workloads import WORKLOADS, draw
from workbench.app import SWITCH_SECONDS
from workbench.data.table import Column, Table
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.warmup.warmup import warm_up
from workbench.workers.training_controller import REPAINT_MS, TrainingController

if TYPE_CHECKING:
    from collections.abc import Sequence

CHANGES = 50
TARGET_MS = 30.0
BETWEEN_MS = 10  # from one change of the slider to the next


class Hand:
    """Changes a parameter while a run trains, and waits for the model."""

    def __init__(self, session: Session, controller: TrainingController) -> None:
        self._session, self._controller = session, controller
        self._loop, self._pausing = QEventLoop(), QEventLoop()
        self._ready = 0.0
        session.events.state.connect(self._look)
        self.interrupted = 0

    def change(self, reg_lambda: float) -> tuple[float, float]:
        """Return milliseconds until the thread has the model, and until the session has it."""
        self._controller.train()
        self._pause(BETWEEN_MS)
        self.interrupted += self._controller.is_live
        begin = time.perf_counter()
        self._session.hyperparameters.change(reg_lambda=reg_lambda)
        self._controller.train()
        watch = threading.Thread(target=self._await_thread)
        watch.start()
        self._loop.exec()
        heard = time.perf_counter()
        watch.join()
        run = self._session.shown.run
        if run is None or run.state is RunState.FAILED or len(run.rounds) != run.params.rounds:
            raise SystemExit("The run did not come to its end.")
        return (self._ready - begin) * 1000, (heard - begin) * 1000

    def _pause(self, milliseconds: int) -> None:
        QTimer.singleShot(milliseconds, self._pausing.quit)
        self._pausing.exec()

    def _await_thread(self) -> None:
        """Every training thread has ended; the newest last."""
        for thread in threading.enumerate():
            if thread.name == "training":
                thread.join()
        self._ready = time.perf_counter()

    def _look(self) -> None:
        run = self._session.shown.run
        over = run is not None and run.state in (RunState.ENDED, RunState.FAILED)
        if over and not self._controller.is_live:
            self._loop.quit()


def open_table(session: Session) -> None:
    """Show W5's rows in the session, with the window's own hold-out."""
    load = next(load for load in WORKLOADS if load.key == "W5")
    data = draw(load)
    columns = [Column(f"x{place}", "number", data.x[:, place].copy()) for place in range(load.columns)]
    table = Table("latency", (*columns, Column("y", "number", data.y.astype("float32"))))
    roles = dict.fromkeys(table.names, "feature") | {"y": "target"}
    session.open_table(table, Plan(roles=roles, objective="squared"), {})
    session.hyperparameters.change(rounds=load.rounds, max_depth=load.depth)


def main(arguments: Sequence[str] = ()) -> None:
    """Print median and worst."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks latency", description=__doc__)
    parser.parse_args(arguments)
    application = QCoreApplication.instance() or QCoreApplication(sys.argv[:1])
    sys.setswitchinterval(SWITCH_SECONDS)
    warm_up(lambda *_step: None)
    session, ready = Session(), threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    open_table(session)
    hand = Hand(session, controller)
    hand.change(2.0)
    hand.interrupted = 0
    times = [hand.change(1.0 + 0.1 * number) for number in range(CHANGES)]
    controller.shutdown()
    application.processEvents()
    print(*machine.describe(), sep="\n")
    rounds = session.hyperparameters.wanted.rounds
    print(f"1,000 × 10, {rounds} rounds, {CHANGES} changes, {hand.interrupted} of them while "
          f"a run was training; target {TARGET_MS:.0f} ms")
    places = ("finished by the training thread", f"known to the session (asks every {REPAINT_MS} ms)")
    for place, values in zip(places, zip(*times, strict=True), strict=True):
        missed = "  missed" if statistics.median(values) > TARGET_MS else ""
        print(f"{place:48s} median {statistics.median(values):6.1f} ms   worst {max(values):6.1f} ms{missed}")
