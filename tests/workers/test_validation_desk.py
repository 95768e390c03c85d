"""Folds and refits train on a thread of their own, and give way to a run."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.session.comparison.verdict import verdict, words_against
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.validation.fold_plan import FoldPlan
from workbench.warmup.warmup import warm_up
from workbench.workers import validation_desk
from workbench.workers.jobs import Jobs
from workbench.workers.training_controller import TrainingController
from workbench.workers.validation_desk import ValidationDesk

NAMES = ("a", "b", "site", "y")


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    warm_up(lambda *_: None)


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    a, b, site = rng.normal(size=200), rng.normal(size=200), rng.integers(0, 9, 200)
    columns = (a, b, site, a + 0.5 * rng.normal(size=200))
    table = Table("made", tuple(Column(name, "number", values.astype(np.float32))
                                for name, values in zip(NAMES, columns, strict=True)))  # fmt: skip
    roles = {"a": "feature", "b": "feature", "site": "ignore", "y": "target"}
    made = Session()
    made.open_table(table, Plan(roles, "squared"), {})
    made.hyperparameters.change(rounds=6, max_depth=2, threads=1)
    return made


@pytest.fixture
def desk(qtbot, session, monkeypatch):
    monkeypatch.setattr(validation_desk, "IDLE_MS", 1)
    ready = threading.Event()
    ready.set()
    controller, jobs = TrainingController(session, lambda _params: ready), Jobs()
    made = ValidationDesk(session, controller, jobs)
    made.controller = controller
    yield made
    controller.shutdown()
    jobs.shutdown()


def train(qtbot, desk, session):
    desk.controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED)
    return session.shown.run


def test_folds_of_the_shown_run_stream_and_end(qtbot, desk, session):
    assert not desk.cross_validate(None, FoldPlan())
    assert "Train one first" in session.notices.current.text
    run = train(qtbot, desk, session)
    said = []
    session.events.validation.connect(lambda: said.append(session.validation.live))
    assert desk.cross_validate(run, FoldPlan(4, 2, 1))
    assert session.validation.live is run
    qtbot.waitUntil(lambda: session.validation.live is None)
    result = session.validation.result(run)
    assert result.is_whole
    assert len(result.folds) == 8
    assert result.band("rmse").mean.shape == (6,)
    assert said[-1] is None
    assert sorted(result.out_of_fold.rows) == sorted([*range(200)] * 2)
    assert desk.cross_validate(run, FoldPlan(3, by="groups", column="site"))
    qtbot.waitUntil(lambda: session.validation.live is None)
    assert len(session.validation.result(run).folds) == 3


def test_folds_have_the_rounds_of_a_run_that_was_stopped(qtbot, desk, session):
    session.hyperparameters.change(rounds=500)
    desk.controller.train(paused_after=3)
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.PAUSED)
    desk.controller.stop()
    run = session.shown.run
    qtbot.waitUntil(lambda: run.state is RunState.ENDED)
    assert desk.cross_validate(run, FoldPlan(3))
    qtbot.waitUntil(lambda: session.validation.live is None)
    assert len(session.validation.result(run).band("rmse").mean) == len(run.rounds) == 3


def test_what_cannot_be_divided_is_said(qtbot, desk, session):
    run = train(qtbot, desk, session)
    desk.cross_validate(run, FoldPlan(10, by="groups", column="site"))
    qtbot.waitUntil(lambda: session.validation.live is None)
    assert session.validation.problem == "10 folds need as many groups, and 'site' has 9. Take fewer folds."
    assert session.notices.current.text == session.validation.problem


def test_a_run_ends_folds_and_those_that_are_trained_stay(qtbot, desk, session):
    run = train(qtbot, desk, session)
    desk.cross_validate(run, FoldPlan(200))
    qtbot.waitUntil(lambda: (r := session.validation.result(run)) is not None and len(r.done) > 1)
    other = train(qtbot, desk, session)
    assert other is not run
    assert session.validation.live is None
    assert 1 < len(session.validation.result(run).done) < 200
    assert not desk.trains


def test_the_noise_floor_is_measured_in_idle_time_and_says_who_is_better(qtbot, desk, session):
    run = train(qtbot, desk, session)
    desk._idle.setInterval(1)
    assert session.validation.floor(run) is None
    session.validation.want_noise(True)
    qtbot.waitUntil(lambda: session.validation.measures(run) and not desk.trains)
    floor = session.validation.floor(run)
    assert len(floor.refits) == 30
    seen = np.array([refit.valid["rmse"] for refit in floor.refits])
    np.testing.assert_allclose(floor.half_width("rmse"), 2 * seen.std(axis=0, ddof=1))
    session.hyperparameters.change(seed=5, subsample=0.9)
    alike = train(qtbot, desk, session)
    session.hyperparameters.change(rounds=1, learning_rate=0.01)
    worse = train(qtbot, desk, session)
    session.validation.want_noise(False)
    apart = verdict(run, worse, session.validation).noise
    assert verdict(run, alike, session.validation).better == 0
    assert words_against(alike, run, session.validation) == "as good as Run 1"
    assert verdict(run, worse, session.validation).better == 1
    assert words_against(worse, run, session.validation) == "worse than Run 1"
    assert words_against(run, worse, session.validation) == "better than Run 3"
    session.validation.want_noise(True)
    session.overlay.compare(run)
    qtbot.waitUntil(lambda: session.validation.measures(worse) and not desk.trains)
    session.validation.want_noise(False)
    pairs = [[refit.valid["rmse"].min() for refit in session.validation.floor(one).refits]
             for one in (run, worse)]  # fmt: skip
    noise = verdict(run, worse, session.validation).noise
    assert noise == pytest.approx(2 * np.std(np.subtract(*pairs), ddof=1))
    assert noise != apart
    session.data.hold_out(split_seed=4)
    elsewhere = train(qtbot, desk, session)
    assert verdict(run, elsewhere, session.validation) is None, "other rows are held out"


def test_refits_end_when_nobody_wants_them(qtbot, desk, session):
    session.hyperparameters.change(rounds=400)
    run = train(qtbot, desk, session)
    desk._idle.setInterval(1)
    session.validation.want_noise(True)
    qtbot.waitUntil(lambda: (f := session.validation.floor(run)) is not None and len(f.refits) > 0)
    session.validation.want_noise(False)
    assert not desk.trains
    assert session.validation.measured is None
    assert 0 < len(session.validation.floor(run).refits) < 30


def test_what_folds_say_of_a_table_before_is_dropped(qtbot, desk, session):
    run = train(qtbot, desk, session)
    desk.cross_validate(run, FoldPlan(50))
    qtbot.waitUntil(lambda: (r := session.validation.result(run)) is not None and len(r.done) > 1)
    session.open_table(session.data.table, session.data.plan, {})
    assert not desk.trains
    other = train(qtbot, desk, session)
    assert other.number == run.number
    assert session.validation.result(other) is None
    assert session.validation.floor(other) is None
