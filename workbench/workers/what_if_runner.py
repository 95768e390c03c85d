"""Answers what-ifs about the shown run: scores its trees at once, takes metrics and makes models in jobs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from workbench.explain.what_if.rescoring import STORED, Rescorer, Values, refusal
from workbench.explain.what_if.tree_sums import NO_DIRECTIONS, directions
from workbench.session.journal.kinds.apply_what_if import ApplyWhatIf
from workbench.session.no_trees import no_trees
from workbench.session.run_parts.by_objective import objectives_of
from workbench.session.what_if.made_again import rescored_run, retraining_params
from workbench.session.what_if.question import Retrained, WhatIf, given
from workbench.session.what_if.retraining import retrained_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from workbench.explain.what_if.model_metrics import MetricValues, ModelMetrics
    from workbench.explain.what_if.rescoring import Rescored
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree
    from workbench.workers.jobs import Job, Jobs
    from workbench.workers.training_controller import TrainingController

NODES_AT_ONCE = 100_000  # scored on the window's thread, in some milliseconds; more in a job
REST_MS = 120  # of the hand on the slider, before metrics are taken
NO_ROWS = "Metrics need the rows: this model came from a file without them."


class Packed(NamedTuple):
    """The trees of a run, ready to be scored; `problem` says why they are not."""

    run: Run
    trees: tuple[Tree, ...]
    rescorer: Rescorer | None
    problem: str


class WhatIfRunner(QObject):
    """What is asked and answered stands in the run's `what_if`; answers to older questions are dropped."""

    def __init__(
        self, session: Session, controller: TrainingController, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._controller, self._start = session, controller, jobs.start
        self._packed: Packed | None = None
        self._measure: tuple[Run, ModelMetrics] | None = None
        self._jobs: dict[str, tuple[Run | None, Job]] = {}  # by purpose, with their run
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._take_metrics)
        jobs.over.connect(self._end)
        for signal in (session.events.runs, session.events.state):
            signal.connect(self._follow)

    @property
    def is_applying(self) -> bool:
        """Whether a new model is being made."""
        return "apply" in self._jobs

    # --- the trees --------------------------------------------------------------------------

    def prepare(self) -> None:
        """Pack the trees of the shown run, once it has ended."""
        run = self._session.shown.run
        if run is None or run.is_live or not run.rounds or self._is_packed(run) or "pack" in self._jobs:
            return
        trees = tuple(tree for event in run.rounds for tree in event.trees)
        self._run_job("pack", lambda _job: _packed(run, trees), self._take_packed)

    def _is_packed(self, run: Run) -> bool:
        return self._packed is not None and self._packed.run is run

    def _take_packed(self, answer: tuple[Packed, Rescored | None]) -> None:
        packed, stored = answer
        self._packed = packed
        with self._session.events.act():  # told once, with what they come to
            self._session.runs.set_what_if(packed.run, stored=stored, problem=packed.problem)
            self._score(packed.run)

    def _follow(self) -> None:
        """Forget trees that are not shown any more, and what was asked of a run that goes on."""
        run = self._session.shown.run
        if self._packed is not None and (self._packed.run is not run or run.is_live):
            old = self._packed.run
            self._packed = self._measure = None
            self._session.runs.set_what_if(old, stored=None, rescored=None)
        if run is not None and run.is_live and not run.what_if.values.is_stored:
            self._session.runs.set_what_if(run, **vars(WhatIf()))
        for name, (subject, _) in list(self._jobs.items()):
            if name != "apply" and (run is None or run.is_live or subject is not run):
                self._drop(name)

    # --- the values -------------------------------------------------------------------------

    def try_values(self, values: Values) -> None:
        """Score the trees of the shown run with other values."""
        run = self._session.shown.run
        if run is None or run.is_live or not run.rounds or values == run.what_if.values:
            return
        self._drop("metrics")
        rescorer = self._rescorer(run)
        if rescorer is not None and rescorer.sums.n_nodes <= NODES_AT_ONCE:
            self._take_scored(run, rescorer.score(values), values=values)  # told once, with its answer
            return
        self._session.runs.set_what_if(run, values=values)
        self.prepare()
        self._score(run)

    def _rescorer(self, run: Run) -> Rescorer | None:
        return self._packed.rescorer if self._packed is not None and self._packed.run is run else None

    def _score(self, run: Run) -> None:
        rescorer, values = self._rescorer(run), run.what_if.values
        if rescorer is None or "score" in self._jobs:
            return
        if rescorer.sums.n_nodes <= NODES_AT_ONCE:
            self._take_scored(run, rescorer.score(values))
        else:
            self._run_job("score", lambda _job: rescorer.score(values), partial(self._take_scored, run))

    def _take_scored(self, run: Run, rescored: Rescored, **changes: Any) -> None:
        self._session.runs.set_what_if(run, rescored=rescored, **changes)
        if rescored.values != run.what_if.values:
            self._score(run)  # the hand went on meanwhile
        elif not rescored.values.is_stored:
            self._rest.start()

    # --- the metrics ------------------------------------------------------------------------

    def _take_metrics(self) -> None:
        run, packed = self._session.shown.run, self._packed
        if run is None or packed is None or packed.run is not run or not run.what_if.is_on:
            return
        rescored = run.what_if.rescored
        if run.dataset is None or rescored is None:
            self._session.runs.set_what_if(run, metrics_problem=run.no_rows(NO_ROWS))
            return
        self._drop("metrics")
        known = self._measure[1] if self._measure is not None and self._measure[0] is run else None

        def done(answer: tuple[ModelMetrics, MetricValues]) -> None:
            self._measure = run, answer[0]
            values, of = answer[1], rescored.values
            self._session.runs.set_what_if(run, metrics=values, metrics_of=of, metrics_problem="")

        def failed(text: str) -> None:
            self._session.runs.set_what_if(run, metrics=None, metrics_problem=text)

        self._run_job("metrics", lambda job: _metrics(run, packed.trees, rescored, known, job), done, failed)

    # --- new models -------------------------------------------------------------------------

    def apply(self) -> None:
        """Make a new run of the re-scored trees, with metrics taken anew, and show it."""
        run = self._session.shown.run
        if run is None or not run.what_if.is_on or self.is_applying:
            return
        rescored = run.what_if.rescored
        if rescored is not None and rescored.values == run.what_if.values:
            of, asked = run.number, rescored.values
            self._run_job(
                "apply", lambda job: (rescored_run(run, rescored, job.cancelled), of, asked),
                self._show_applied,
            )
            self._session.runs.set_what_if(run)

    def _show_applied(self, answer: tuple[Run, int, Values]) -> None:
        made, number, asked = answer
        session, values, known = self._session, made.params, given(asked)
        if not self._controller.is_live:
            names = vars(STORED)
            session.hyperparameters.change(**{name: getattr(values, name) for name in names})
        session.runs.add(made, partial(_told, made.origin, of=number, values=dict(known), retrained=False))
        said = f"{made.name} is {made.origin}. Export it, continue it, or go back to the run before."
        session.notices.say(said)

    def retrain(self) -> None:
        """Train with the values on the same rows, for as many rounds; what is shown stays."""
        run = self._session.shown.run
        if run is None or run.is_live or not run.rounds:
            return
        values = run.what_if.values
        origin = f"run {run.number} retrained with {retrained_words(run, values)}"
        told = partial(_told, origin, of=run.number, values=given(values), retrained=True)
        made = self._controller.retrain(run, retraining_params(run, values), origin, told)
        if made is not None:
            retrained = (*run.what_if.retrained, Retrained(values, made))
            self._session.runs.set_what_if(run, retrained=retrained)

    def stop_retraining(self) -> None:
        """End the retraining."""
        self._controller.stop()

    # --- jobs -------------------------------------------------------------------------------

    def _run_job(
        self, name: str, call: Callable[[Job], Any], done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Run a job of which there is one at a time; one that is dropped says nothing more."""

        def finish(take: Callable[[Any], None], answer: Any) -> None:
            self._jobs.pop(name, None)
            take(answer)

        job = self._start(
            call, done=lambda answer: finish(done, answer),
            failed=lambda text: finish(failed or self._fail, text),
        )
        self._jobs[name] = self._session.shown.run, job

    def _drop(self, name: str) -> None:
        _, job = self._jobs.pop(name, (None, None))
        if job is not None:
            job.cancel()

    def _end(self) -> None:
        """Nothing is run any more."""
        self._rest.stop()
        for name in list(self._jobs):
            self._drop(name)

    def _fail(self, text: str) -> None:
        self._session.notices.say(text, "error", "training")


def _told(origin: str, number: int, *, of: int, values: dict[str, Any], retrained: bool) -> ApplyWhatIf:
    return ApplyWhatIf(number, of, values, origin, retrained)


def _packed(run: Run, trees: tuple[Tree, ...]) -> tuple[Packed, Rescored | None]:
    monotone = directions(run.params, run.schema.names) if run.schema is not None else NO_DIRECTIONS
    problem = no_trees(run) if run.is_linear else refusal(trees, objectives_of(run), monotone)
    if problem:
        return Packed(run, trees, None, problem), None
    rescorer = Rescorer(trees, monotone)
    return Packed(run, trees, rescorer, ""), rescorer.score(STORED)


def _metrics(
    run: Run, trees: tuple[Tree, ...], rescored: Rescored, known: ModelMetrics | None, job: Job
) -> tuple[ModelMetrics, MetricValues]:
    from workbench.errors import Cancelled
    from workbench.explain.what_if.model_metrics import ModelMetrics
    from workbench.explain.what_if.rescored_trees import rescored_trees

    if job.cancelled() or run.started is None or run.dataset is None:
        raise Cancelled
    begun = run.started.ensemble
    whole = begun.with_rounds(tuple(run.rounds))
    ensemble = whole.with_trees((*begun.trees, *rescored_trees(trees, rescored)))
    known = known or ModelMetrics(run.dataset, ensemble.objective, run.params)
    return known, known.of_model(ensemble, job.cancelled)
