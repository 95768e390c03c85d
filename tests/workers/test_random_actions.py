"""Random actions on session, controller and edit desk while trainers' threads work: nothing hangs or is lost.

The clock is the test's: what the trainer says is drained at a tick, and no time passes else.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from PySide6.QtCore import QCoreApplication

from tests.session.journal.test_long_sittings import told_back_and_forth
from tests.session.journal.test_undo_and_redo import OTHERS, study
from tests.workers.by_hand import ByHand
from workbench.ensembles.breakpoints.first_split import FirstSplit
from workbench.ensembles.breakpoints.gain_below import GainBelow
from workbench.ensembles.breakpoints.goals import RunFor, RunTo, RunUntilStale
from workbench.ensembles.breakpoints.leakage import Leakage
from workbench.ensembles.breakpoints.metric_rises import MetricRises
from workbench.errors import WorkbenchError
from workbench.explain.edits.base import edit_of
from workbench.session.run import RunState
from workbench.workers import training_controller
from workbench.workers.edit_desk import EditDesk
from workbench.workers.explainer import Explainer
from workbench.workers.jobs import Jobs
from workbench.workers.training_controller import TrainingController

LONGEST = 60.0  # seconds after which threads are locked for good
BREAKPOINTS = GainBelow(50.0), MetricRises(1), FirstSplit("a"), Leakage(30.0, 2)
PLACE, SHARE = st.integers(0, 5), st.floats(0.0, 1.0)


class ClockOfTheTest:
    """A timer that runs out when the test says so."""

    def __init__(self, *_: object) -> None:
        self._interval, self._is_active, self.calls = 0, False, []
        self.timeout = self

    def connect(self, call) -> None:
        self.calls.append(call)

    def setInterval(self, interval: int) -> None:
        self._interval = interval

    def interval(self) -> int:
        return self._interval

    def start(self, interval: int) -> None:
        self._interval, self._is_active = interval, True

    def stop(self) -> None:
        self._is_active = False

    def tick(self) -> None:
        for call in self.calls if self._is_active else ():
            call()


class Sitting(RuleBasedStateMachine):
    """A person who does anything at any time."""

    actions = 0

    def __init__(self) -> None:
        super().__init__()
        self.threads = threading.active_count()
        self.session, ready = study().session, threading.Event()
        ready.set()
        self.controller = TrainingController(self.session, lambda _params: ready)
        self.clock, self.hand = self.controller._timer, ByHand()
        self.jobs = Jobs(self.hand)
        self.desk = EditDesk(self.session, self.controller, self.jobs, Explainer(self.session, self.jobs))
        self.heard = (None, 0)
        for signal in (self.session.events.rounds, self.session.events.runs, self.session.events.state):
            signal.connect(self.hear)
        self.session.hyperparameters.change(rounds=40, max_depth=2, threads=2)

    def hear(self) -> None:
        run = self.session.shown.run
        self.heard = (run, 0 if run is None else len(run.rounds))

    def some_run(self, place: int):
        runs = self.session.runs
        return runs[place % len(runs)] if runs else None

    @rule(rounds=st.integers(1, 400), is_paused=st.booleans())
    def train(self, rounds, is_paused):
        self.session.hyperparameters.change(rounds=rounds)
        self.controller.train(paused_after=1 if is_paused else None)

    @rule(value=SHARE, depth=st.integers(1, 3))
    def steer(self, value, depth):
        self.session.hyperparameters.change(reg_lambda=value, max_depth=depth)

    @rule(name=st.sampled_from(["pause", "resume", "step", "stop", "go_on", "branch_on"]))
    def control(self, name):
        getattr(self.controller, name)()

    @rule(goal=st.sampled_from([RunTo(30), RunFor(0.01), RunUntilStale(3)]))
    def aim(self, goal):
        run = self.session.runs.in_hand
        if run is not None and run.is_live:
            self.session.breakpoints.aim(goal)
            self.session.breakpoints.tell_goal(run.number)

    @rule(one=st.sampled_from(BREAKPOINTS), on=st.booleans())
    def watch(self, one, on):
        self.session.breakpoints.set(one)
        self.session.breakpoints.switch(one.name, on=on)

    @rule(place=PLACE, share=SHARE, other=st.sampled_from(OTHERS))
    def branch(self, place, share, other):
        run = self.some_run(place)
        if run is not None and run.rounds:
            with suppress(WorkbenchError):
                self.session.branch(run, max(1, round(share * len(run.rounds))), learning_rate=share, **other)

    @rule(place=PLACE, share=SHARE, kind=st.sampled_from(["prune", "drop_tree"]), grow_on=st.booleans())
    def edit(self, place, share, kind, grow_on):
        run = self.some_run(place)
        if run is None or not run.rounds:
            return
        where = {"place": 0, **({"node": 0} if kind == "prune" else {})}
        self.desk.ask(run, edit_of({"kind": kind, "round": max(1, round(share * len(run.rounds))), **where}))
        self.work()
        self.desk.keep(grow_on=grow_on)
        self.work()

    @rule(name=st.sampled_from(["undo", "redo"]))
    def take_back(self, name):
        getattr(self.session.journal, name)()

    @rule(share=SHARE)
    def go_to(self, share):
        journal = self.session.journal
        journal.go_to(round(share * len(journal.lines)))

    @rule(place=PLACE, name=st.sampled_from(["show", "delete", "rename", "note", "pin"]))
    def handle(self, place, name):
        run = self.some_run(place)
        if run is None:
            return
        if name == "show":
            self.session.shown.show(run)
            self.hear()
        elif name == "delete":
            self.session.runs.delete(run)
        else:
            written = {"rename": {"title": f"name {place}"}, "note": {"note": f"so {place}"},
                       "pin": {"pinned": not run.card.pinned}}  # fmt: skip
            self.session.runs.write_on(run, **written[name])

    @rule(role=st.sampled_from(["ignore", "feature"]))
    def plan(self, role):
        self.session.data.set_role("c", role)

    @rule()
    def tick(self):
        self.clock.tick()

    @rule()
    def work(self):
        """Let jobs be done, and deliver what threads have said."""
        self.hand.run_all()
        QCoreApplication.processEvents()

    @invariant()
    def the_rounds_of_each_run_are_there(self):
        type(self).actions += 1
        for run in self.session.runs.all.values():
            assert [event.round for event in run.rounds] == list(range(1, len(run.rounds) + 1))
            assert len(run.history) == len(run.rounds)
            if run.state is RunState.ENDED and run.ended is not None:
                assert run.ended.round == len(run.rounds)

    @invariant()
    def one_run_trains_at_most(self):
        live = [run for run in self.session.runs.all.values() if run.is_live]
        assert len(live) <= 1
        assert self.controller.is_live or not live

    @invariant()
    def who_looks_has_heard_of_all_rounds(self):
        run = self.session.shown.run
        if run is not None and run.rounds:
            assert self.heard == (run, len(run.rounds))

    def teardown(self):
        self.controller.stop()
        self.until(lambda: not self.controller.is_live, "The run does not end.")
        self.the_rounds_of_each_run_are_there()
        told_back_and_forth(self.session)
        self.controller.shutdown()
        self.jobs.shutdown()
        self.until(lambda: threading.active_count() <= self.threads, "A thread is left.")

    def until(self, condition, words: str) -> None:
        end = time.monotonic() + LONGEST
        while not condition():
            assert time.monotonic() < end, words
            self.tick()
            self.work()
            threading.Event().wait(0.001)


def sit(monkeypatch, sittings: int, actions: int, **more) -> None:
    monkeypatch.setattr(training_controller, "QTimer", ClockOfTheTest)
    run_state_machine_as_test(Sitting, settings=settings(
        max_examples=sittings, stateful_step_count=actions, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate], **more,
    ))  # fmt: skip


@pytest.mark.usefixtures("qapp")
def test_a_short_sitting(monkeypatch):
    sit(monkeypatch, 8, 25, derandomize=True)


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
def test_ten_thousand_actions(monkeypatch):
    Sitting.actions = 0
    while Sitting.actions < 10_000:
        sit(monkeypatch, 40, 100)
