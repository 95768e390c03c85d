"""Owns the training thread: starts it, drains what it says, holds its reins."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.cluster.opening.distant_rows import DistantRows
from workbench.ensembles.control import RunControl
from workbench.ensembles.events import TrainingStarted
from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.parameters.methods import METHODS
from workbench.parameters.training import PARAMETERS
from workbench.session.comparison.other_order import in_other_order, told
from workbench.session.comparison.without_column import without_column
from workbench.session.growing import NEEDS_ROWS, continuation, left_words
from workbench.session.run import Run, RunState
from workbench.workers.cluster_share import ClusterShare
from workbench.workers.training_worker import Failed, Prepared, PreparedThere, Preparing, TrainingWorker

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from workbench.data.dataset import Dataset
    from workbench.data.table import Table
    from workbench.ensembles.events import Event
    from workbench.parameters.training import TrainingParams
    from workbench.session.journal.action import Action
    from workbench.session.plan import Plan
    from workbench.session.session import Session

    ReadyFor = Callable[[TrainingParams], threading.Event]

REPAINT_MS = 33
RAREST_REPAINT_MS = 1500
WINDOW_SHARE = 0.015  # of its thread's time, while training takes every core
FAR_PATIENCE_SECONDS = 6.0  # for workers to end the round in hand, and to forget the run
PATIENCE_SECONDS = 0.8  # the thread is a daemon: past this the program ends without it


class TrainingController(QObject):
    """Train, pause, step, resume, stop. One run at a time; late words of an older one are dropped.

    `ready_for` tells when the kernels are compiled that a run needs.
    """

    begins = Signal()  # a worker is about to start: who else trains must give way
    _news = Signal()  # of the first round and the end: said on the training thread, heard on the window's

    def __init__(self, session: Session, ready_for: ReadyFor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.ready_for = ready_for
        self._share = ClusterShare(session, self)
        self.cluster = self._share.desk
        self._worker: TrainingWorker | None = None
        self._leaving: TrainingWorker | None = None  # stopped, but its thread may still be at work
        self._run: Run | None = None
        self._encoded: tuple[Table, Plan, Dataset] | None = None  # of the last run
        self._spent = 0.0  # seconds that the window's thread had worked at the last drain
        self._held: list[Event] = []  # said, but not taken in yet
        self._timer = QTimer(self)
        self._timer.setInterval(REPAINT_MS)
        self._timer.timeout.connect(self._look)
        self._news.connect(self.drain)
        session.events.params.connect(self._pass_params)
        session.events.breakpoints.connect(self._pass_breakpoints)

    @property
    def is_live(self) -> bool:
        """Whether a run trains or waits."""
        return self._worker is not None

    @property
    def repaint_ms(self) -> int:
        """Milliseconds from one look at what the trainer has said to the next."""
        return self._timer.interval()

    def train(self, *, paused_after: int | None = None, rest: float = 0.0) -> None:
        """Start a new run on the session's table; `paused_after=1` grows one round and waits.

        After each round the run rests for so many seconds, for a person who watches it.
        """
        session = self._session
        if session.data.table is None:
            said = "Open a table first: drop a file on the window, or Ctrl+O."
            session.notices.say(said, "error", "training")
            return
        clash = session.clash
        if clash is not None:
            session.notices.say(clash.text, "error", "training")
            return
        if self._share.refuses_new():
            return
        left = self.let_go()
        control = RunControl(session.breakpoints.in_force)
        for _ in range(paused_after or 0):
            control.step()
        with session.events.act():
            self._run = session.new_run(self.cluster.record)
            self._run.rest = rest
            self._begin(TrainingWorker(
                session.data.table, session.data.plan, self._run.params, control,
                self.ready_for(self._run.params), self._news.emit, self._known_dataset(),
                after=self._leaving, own=self._run.own, rest=rest, cluster=self.cluster.connection,
                there=self._share.rows(),
            ))
            self._say(left_words(left))

    def go_on(self, rounds: int | None = None) -> None:
        """Grow more rounds of the shown run, which has ended, with the live parameters of now.

        With `rounds` it is to have so many in all.
        """
        session, run = self._session, self._session.shown.run
        if run is None or run.state not in (RunState.ENDED, RunState.FAILED):
            session.notices.say("No run to continue. Train one first.", "warning", "training")
            return
        if not self._share.refuses_more(run):
            self._grow_on(run, self.let_go(), rounds)

    def branch_on(self) -> None:
        """Branch off the shown run at the shown round, as is wanted now, and grow on."""
        shown = self._session.shown.run
        if shown is not None and self._share.refuses_more(shown):
            return
        session, at = self._session, self._session.shown.round
        wanted = session.hyperparameters.wanted  # of the run that trains, as long as one does
        with session.events.act():
            left = self.let_go()
            try:
                run = session.branch_here(at, wanted)
            except WorkbenchError as error:
                self._refuse(str(error))
                return
            self._grow_on(run, left)

    def _grow_on(self, run: Run, left: Run | None, rounds: int | None = None) -> None:
        """Grow more rounds of the shown run; `left` had to give way."""
        session = self._session
        try:
            params = continuation(run, session.hyperparameters.wanted, rounds)
        except WorkbenchError as error:
            self._refuse(str(error))
            return
        there = run.there if isinstance(run.there, DistantRows) else None
        start, best = run.ensemble(), run.best
        self._run = run
        self._begin(TrainingWorker(
            session.data.table, run.plan or session.data.plan, params,
            RunControl(session.breakpoints.in_force), self.ready_for(params), self._news.emit, run.dataset,
            after=self._leaving, start=start, best=best, own=run.own, cluster=self.cluster.connection,
            there=there,
        ))
        with session.events.act():
            session.notices.recall_error()  # why it ended
            session.runs.go_on(run, params, self.cluster.record)
            self._say(left_words(left), self._what_stays(params))

    def _refuse(self, why: str) -> None:
        """Say why a run does not go on; where the person is still to decide about its table, ask again."""
        notices = self._session.notices
        if why == NEEDS_ROWS and notices.asks_for_rows:
            notices.recall()
        else:
            notices.say(why, "error", "training")

    @property
    def leaving(self) -> TrainingWorker | None:
        """A worker that was stopped, whose thread may still be at work."""
        return self._leaving

    def take_rows(self, dataset: Dataset | None) -> None:
        """Take over the encoded rows of the session's table and plan, so that nobody encodes them again."""
        if dataset is not None and self._session.data.table is not None:
            self._encoded = (self._session.data.table, self._session.data.plan, dataset)

    def _begin(self, worker: TrainingWorker) -> None:
        """Start a worker, and look regularly at what it has said."""
        self._worker, self._held = worker, []
        if self._run is not None:
            self._run.await_kernels(worker.ready)
        self._spent = time.thread_time()
        self.begins.emit()
        worker.start()
        self._timer.start(REPAINT_MS)

    def wait_for(self, other: TrainingWorker) -> None:
        """Let the worker that begins train only when the thread of another one is gone."""
        if self._worker is not None:
            self._worker.wait_for(other)

    def _say(self, *sentences: str) -> None:
        words = " ".join(filter(None, sentences))
        if words:
            self._session.notices.say(words, "info", "training")

    def _what_stays(self, params: TrainingParams) -> str:
        """Name what a run that goes on holds fixed, where other values are wished for now."""
        wanted = self._session.hyperparameters.wanted
        fixed = [
            p for p in PARAMETERS
            if not p.live and p.name != "objective" and getattr(params, p.name) != getattr(wanted, p.name)
        ]
        if not fixed:
            return ""
        values = ", ".join(f"{p.name} {p.shown(getattr(params, p.name))}" for p in fixed)
        return f"The run goes on with {values}, as it began. Start a new run for other values."

    def retrain(
        self, run: Run, params: TrainingParams, origin: str, told: Callable[[int], Action] | None = None
    ) -> Run | None:
        """Train beside an ended run, on its rows, with other parameters; what is shown stays.

        `told` makes the journal's line of its number. Returns the new run; None, after saying why, where it
        cannot be.
        """
        session = self._session
        if run.dataset is None or session.data.table is None:
            of_file = "Retraining needs the rows: open the table this model was trained on, and train."
            said = run.no_rows(of_file)
            session.notices.say(said, "warning", "training")
            return None
        if self.is_live:
            said = "A run is training. Stop it, or wait for its end, to retrain another."
            session.notices.say(said, "warning", "training")
            return None
        made = run.beside(params, origin)
        made.is_steered = False
        made.begin_stretch(params)
        session.runs.add(made, told, shown=False)
        session.runs.dataset_ready(made, run.dataset)
        self._run = made
        self._begin(TrainingWorker(
            session.data.table, session.data.plan, params, RunControl(), self.ready_for(params),
            self._news.emit, run.dataset, after=self._leaving, own=run.own,
        ))
        return made

    def train_other_order(self, run: Run) -> Run | None:
        """Train the same by the other of Newton's and Friedman's boosting; both curves are drawn."""
        try:
            params = in_other_order(run)
        except WorkbenchError as error:
            self._session.notices.say(str(error), "warning", "training")
            return None
        return self._train_beside(run, params, f"{run.name} trained by {METHODS[params.method].label}")

    def train_without(self, run: Run, column: str) -> Run | None:
        """Train the same with no split on a column; both curves are drawn."""
        try:
            params = without_column(run, column)
        except WorkbenchError as error:
            self._session.notices.say(str(error), "warning", "training")
            return None
        return self._train_beside(run, params, f"{run.name} without {isolated(column)}")

    def _train_beside(self, run: Run, params: TrainingParams, origin: str) -> Run | None:
        """Train a run to be compared with another."""
        made = self.retrain(run, params, origin, told(params))
        if made is not None:
            for one in (run, made):
                self._session.overlay.tick(one, True)
            self._session.overlay.compare(made)
        return made

    def pause(self) -> None:
        """Wait after the round that is being grown."""
        if self._worker:
            self._worker.control.pause()
            self._timer.start(REPAINT_MS)

    def resume(self) -> None:
        """Go on."""
        self.drain()  # a pause that is still on the queue came before this
        if self._worker and self._run:
            self._worker.control.resume()
            self._session.runs.resume(self._run)

    def step(self) -> None:
        """Grow one round and wait; starts a run where there is none."""
        if self._worker and self._run:
            self._worker.control.step()
            self._session.runs.step(self._run)
        else:
            self.train(paused_after=1)

    def stop(self) -> None:
        """End the run at once and keep the model so far."""
        if self._worker:
            self._worker.control.stop()

    def let_go(self) -> Run | None:
        """End the run, and return it, unless it had come to its end and just leaves the cluster.

        Its thread is not waited for, and what it still says is dropped.
        """
        self.drain()
        if not (self._worker and self._run):
            return None
        left = self._run if self._run.is_live else None
        self._worker.control.stop()
        self._leaving, self._worker = self._worker, None
        self._timer.stop()
        self._session.runs.end(self._run)
        return left

    def shutdown(self) -> None:
        """End the run and its thread, for closing the window."""
        self.let_go()
        if self._leaving:
            is_far = self.cluster.connection is not None
            self._leaving.join(FAR_PATIENCE_SECONDS if is_far else PATIENCE_SECONDS)
        self.cluster.shutdown()

    def drain(self) -> None:
        """Take in all that the trainer has said; one redraw for all of it."""
        self._drain(waits=False)

    def _look(self) -> None:
        """Drain; that training starts waits a beat for the first round, which is mostly there then."""
        self._drain(waits=not self._held)

    def _drain(self, *, waits: bool) -> None:
        worker, run = self._worker, self._run
        if worker is None or run is None:
            return
        ended = not worker.is_alive()
        with self._session.events.act():
            self._take_words(worker, run, waits=waits and not ended)
            if ended:
                self._worker = None
                self._timer.stop()
                self._session.runs.end(run)

    def _take_words(self, worker: TrainingWorker, run: Run, *, waits: bool) -> None:
        events, self._held = self._held, []
        for word in worker.words():
            match word:
                case Prepared(dataset):
                    if dataset is not run.dataset and worker.table is not None:
                        self._encoded = (worker.table, worker.plan, dataset)
                    self._session.runs.dataset_ready(run, dataset)
                case PreparedThere(schema, rows, shown):
                    self._session.runs.rows_are_there(run, schema, rows, shown)
                case Preparing(text):
                    self._session.runs.prepares(run, text)
                case Failed(text, can_be_mapped):
                    self._session.runs.apply(run, events)
                    events = []
                    self._session.runs.fail(run, text, can_be_mapped=can_be_mapped)
                case _:
                    events.append(word)
        if waits and all(isinstance(event, TrainingStarted) for event in events):
            self._held = events
        elif events:
            self._session.runs.apply(run, events)
            self._set_pace(run)

    def _set_pace(self, run: Run) -> None:
        """Draw less often where drawing takes a core from training: threads wait for each other."""
        before, self._spent = self._spent, time.thread_time()
        pace = REPAINT_MS
        threads = 0 if run.started is None or self._share.is_far else run.started.threads
        has_no_core = threads >= (os.cpu_count() or 1)
        if has_no_core and run.rounds and run.state is RunState.RUNNING:
            wanted = 1000 * (self._spent - before) / WINDOW_SHARE
            pace = round(min(max(wanted, REPAINT_MS), RAREST_REPAINT_MS))
        if pace != self._timer.interval():
            self._timer.setInterval(pace)

    def _known_dataset(self) -> Dataset | None:
        """Return the rows of the last run, if table and plan are still the same."""
        if self._encoded is None:
            return None
        table, plan, dataset = self._encoded
        if table is self._session.data.table and plan == self._session.data.plan:
            return dataset
        self._encoded = None
        return None

    def _pass_breakpoints(self) -> None:
        if self._worker and self._run is not None and self._run.is_steered:
            self._worker.control.break_at(self._session.breakpoints.in_force)

    def _pass_params(self) -> None:
        if not self._worker or self._run is None or self._session.hyperparameters.run is not self._run:
            return
        if not self._run.is_live or not self._run.is_steered:
            return
        clash = self._session.clash
        if clash is not None:
            self._session.notices.say(f"The run goes on unchanged: {clash.text}", "error", "training")
            return
        self._worker.control.change(self._session.hyperparameters.wanted)
