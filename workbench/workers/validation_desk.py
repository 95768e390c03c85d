"""Folds and refits off the window's thread; both give way as soon as a run is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from workbench.ensembles.control import RunControl
from workbench.session.growing import NEEDS_ROWS
from workbench.session.run import RunState
from workbench.workers.fold_workers import AgainWorker, Divided, FoldWorker, NoiseWorker
from workbench.workers.training_controller import PATIENCE_SECONDS, REPAINT_MS
from workbench.workers.training_worker import Failed

if TYPE_CHECKING:
    from workbench.data.table import Column
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.validation.fold_plan import FoldPlan
    from workbench.workers.jobs import Jobs
    from workbench.workers.training_controller import TrainingController

T = TypeVar("T", bound=AgainWorker)
IDLE_MS = 1200  # after the last thing that was done
MOST_REPAINT_MS = 120  # folds are many: their curves are drawn less often than a run's own


class ValidationDesk(QObject):
    """One cross-validation at a time; in idle time the noise floor of the shown run, then of its partner.

    Attributes
    ----------
    trains : bool
        Whether a thread is at work.
    """

    _news = Signal()  # said on the thread, heard on the window's

    def __init__(
        self, session: Session, controller: TrainingController, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._controller = session, controller
        self._worker: AgainWorker | None = None
        self._leaving: AgainWorker | None = None
        self._run: Run | None = None
        self._timer = QTimer(self, interval=max(REPAINT_MS, MOST_REPAINT_MS))
        self._timer.timeout.connect(self.drain)
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self._measure)
        self._news.connect(self.drain)
        controller.begins.connect(self._give_way)
        jobs.over.connect(self.shutdown)
        for signal in (session.events.runs, session.events.state, session.events.params,
                       session.events.plan, session.events.validation, session.events.overlay):
            signal.connect(self._wait)
        session.events.table.connect(self.stop)

    @property
    def trains(self) -> bool:
        """Whether a thread is at work."""
        return self._worker is not None

    # --- folds ------------------------------------------------------------------------------

    def cross_validate(self, run: Run | None, plan: FoldPlan) -> bool:
        """Train a run's parameters on folds of its rows; say why, and return False, where it cannot be."""
        session = self._session
        problem = self._problem(run)
        if run is None or problem:
            session.notices.say(problem, "warning", "training")
            return False
        self.stop()
        session.validation.choose(plan)
        session.validation.begin(run, plan)
        worker = self._made(FoldWorker, run, plan.column)
        worker.folds = plan
        self._begin(worker, run)
        return True

    def _problem(self, run: Run | None) -> str:
        if run is None or run.state is RunState.PREPARING or run.started is None:
            return "No run to cross-validate. Train one first: folds take its parameters."
        if run.dataset is None or run.plan is None:
            return run.no_rows(NEEDS_ROWS.replace("Continuing", "Cross-validation"))
        if self._controller.is_live:
            return "A run is training. Stop it, or wait for its end, to cross-validate."
        if run.own_missing:
            return f"{run.name} trains with {run.own_missing}; its file is not run without asking."
        return ""

    def stop(self) -> None:
        """End what trains; the folds and refits so far stay."""
        self._idle.stop()
        self.drain()
        if self._worker is None:
            return
        self._worker.control.stop()
        self._leaving, self._worker = self._worker, None
        self._end()

    def shutdown(self) -> None:
        """End what trains, and its thread, for closing the window."""
        self.stop()
        self._idle.stop()
        if self._leaving is not None:
            self._leaving.join(PATIENCE_SECONDS)

    def _give_way(self) -> None:
        self.stop()
        if self._leaving is not None:
            self._controller.wait_for(self._leaving)

    # --- the noise floor --------------------------------------------------------------------

    def _wait(self) -> None:
        """Measure the noise floor when nothing else has been done for a while."""
        if self._session.validation.wants_noise:
            if self._worker is None:
                self._idle.start()
        elif isinstance(self._worker, NoiseWorker):
            self.stop()

    def _measure(self) -> None:
        session, validation = self._session, self._session.validation
        if not validation.wants_noise or self._worker is not None:
            return
        pair = (session.shown.run, session.overlay.partner)
        run = next((run for run in pair if self.can_measure(run)), None)
        if run is None:
            return
        floor = validation.measure(run)
        column = run.plan.split_column if run.plan is not None else None
        worker = self._made(NoiseWorker, run, column)
        worker.known = len(floor.refits)
        self._begin(worker, run)

    def can_measure(self, run: Run | None) -> bool:
        """Whether there is a noise floor of a run that could be measured now."""
        if self._controller.is_live or run is None or run.state is not RunState.ENDED or not run.rounds:
            return False
        if self._session.validation.measures(run):
            return False
        has_rows = run.dataset is not None and run.plan is not None and not run.own_missing
        return has_rows and run.dataset is not None and len(run.dataset.valid_rows) > 0

    # --- the thread -------------------------------------------------------------------------

    def _made(self, kind: type[T], run: Run, column: str | None) -> T:
        assert run.dataset is not None
        params = run.params_again
        after = self._leaving if self._leaving is not None else self._controller.leaving
        return kind(
            run, run.dataset, params, self._column(column), RunControl(), self._controller.ready_for(params),
            self._news.emit, after,
        )

    def _column(self, name: str | None) -> Column | None:
        table = self._session.data.table
        return table.column(name) if table is not None and name in table.names else None

    def _begin(self, worker: AgainWorker, run: Run) -> None:
        self._worker, self._run = worker, run
        worker.start()
        self._timer.start()

    def drain(self) -> None:
        """Take in all that was said; one redraw for all of it."""
        worker, run = self._worker, self._run
        if worker is None or run is None:
            return
        ended = not worker.is_alive()
        with self._session.events.act():
            problem = self._take_words(worker, run)
            if ended:
                self._worker = None
                self._end(problem)

    def _take_words(self, worker: AgainWorker, run: Run) -> str:
        validation, problem = self._session.validation, ""
        if run not in (validation.live, validation.measured):
            return ""  # another table is open
        words: list[Any] = []
        found: list[Any] = []
        for word in worker.words():
            match word:
                case Failed(text, _):
                    problem = text
                case Divided(result):
                    validation.divided(run, result)
                case _:
                    (found if isinstance(worker, NoiseWorker) else words).append(word)
        validation.take(run, words)
        validation.take_refits(run, found)
        return problem

    def _end(self, problem: str = "") -> None:
        """Nothing trains any more."""
        self._timer.stop()
        validation = self._session.validation
        if validation.live is not None:
            validation.end(problem)
        if validation.measured is not None:
            if problem:
                validation.want_noise(False)
            validation.leave_noise()
        if problem:
            self._session.notices.say(problem, "error", "training")
