from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest

import workbench
from tests.ended_jobs import end_jobs
from workbench.data.table import Column, Table
from workbench.ensembles.prediction import raw_predictions
from workbench.explain.what_if.rescoring import STORED, Values
from workbench.formats.snapshot import snapshot
from workbench.session.opening.imported import run_of
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.session.what_if.question import words
from workbench.views.inspector.doubtful_view import DoubtfulView
from workbench.workers.edit_desk import EditDesk
from workbench.workers.explainer import Explainer, NodeSubject, ScanSubject
from workbench.workers.jobs import Jobs
from workbench.workers.training_controller import TrainingController
from workbench.workers.what_if_runner import NODES_AT_ONCE, WhatIfRunner
from workbench.workers.whole_trees import DoubtSubject, TreeSubject

LONG = 30_000
ASKED = Values(3.0, 0.5)


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] + rng.normal(0, 0.5, 300)).astype(np.float32)
    table = Table("made", (Column("a", "number", x[:, 0]), Column("b", "number", x[:, 1]),
                           Column("y", "number", y)))  # fmt: skip
    made = Session()
    made.open_table(table, Plan({"a": "feature", "b": "feature", "y": "target"}, "squared"), {})
    made.hyperparameters.change(rounds=12, max_depth=4, threads=1)
    return made


@pytest.fixture
def controller(qtbot, session):
    ready = threading.Event()
    ready.set()
    made = TrainingController(session, lambda _params: ready)
    yield made
    made.shutdown()


@pytest.fixture
def runner(qapp, session, controller):
    jobs = Jobs()
    yield WhatIfRunner(session, controller, jobs)
    end_jobs(jobs)


def train(qtbot, session, controller):
    controller.train()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    return session.shown.run


def ask(qtbot, session, runner, values=ASKED):
    runner.try_values(values)
    qtbot.waitUntil(lambda: session.shown.run.what_if.metrics_of == values, timeout=LONG)
    return session.shown.run.what_if


def saved_model(run):
    kept = run.kept()
    return snapshot(kept.schema, kept.started, kept.rounds, kept.ended)


def test_asking_scores_the_trees_and_then_the_rows(qtbot, session, controller, runner):
    run = train(qtbot, session, controller)
    asked = ask(qtbot, session, runner)
    assert asked.is_on
    assert asked.rescored.n_splits < asked.stored.n_splits
    assert asked.metrics.train["rmse"] > run.rounds[-1].train["rmse"]
    runner.try_values(STORED)
    assert not run.what_if.is_on
    assert run.what_if.rescored.n_splits == asked.stored.n_splits


def test_answers_to_older_questions_are_dropped(qtbot, session, controller, runner):
    train(qtbot, session, controller)
    ask(qtbot, session, runner)
    for value in (4.0, 8.0, 16.0):
        runner.try_values(Values(value, 0.5))
        assert session.shown.run.what_if.metrics_of == ASKED  # until the new ones are there
    qtbot.waitUntil(lambda: session.shown.run.what_if.metrics_of == Values(16.0, 0.5), timeout=LONG)


def test_large_models_are_scored_in_a_job_for_the_newest_question(
    qtbot, session, controller, runner, monkeypatch
):
    monkeypatch.setattr("workbench.workers.what_if_runner.NODES_AT_ONCE", 10)
    assert NODES_AT_ONCE > 10
    train(qtbot, session, controller)
    for value in (2.0, 3.0, 4.0):
        runner.try_values(Values(value))
    shown = session.shown
    qtbot.waitUntil(
        lambda: shown.run.what_if.is_on and shown.run.what_if.rescored.values == Values(4.0), timeout=LONG
    )


def test_applying_makes_a_run_that_predicts_and_exports(qtbot, session, controller, runner, tmp_path):
    run = train(qtbot, session, controller)
    asked = ask(qtbot, session, runner)
    runner.apply()
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    made = session.shown.run
    assert (made.number, made.origin) == (2, "run 1 with λ 3 and γ 0.5")
    assert sum(event.leaves for event in made.rounds) == asked.rescored.n_leaves
    assert made.rounds[-1].valid == pytest.approx(asked.metrics.valid)
    assert session.hyperparameters.wanted.reg_lambda == 3.0
    saved_model(made).save(tmp_path / "made.json")
    rows = made.dataset.features
    again = workbench.load_model(tmp_path / "made.json").predict_raw(np.asarray(rows))
    valid = made.dataset.valid_rows
    error = np.sqrt(np.mean((again[valid] - made.dataset.target[valid]) ** 2))
    assert error == pytest.approx(asked.metrics.valid["rmse"], rel=1e-5)


def test_an_applied_run_is_not_replayed_as_its_sums_are_of_other_rounds(qtbot, session, controller, runner):
    run = train(qtbot, session, controller)
    ask(qtbot, session, runner)
    runner.apply()
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    made, jobs = session.shown.run, Jobs()
    explainer = Explainer(session, jobs)
    node, own = NodeSubject(made, 3, 0, 0), NodeSubject(run, 3, 0, 0)
    for inquiry, subject in (
        (explainer.nodes, node), (explainer.members, node), (explainer.scans, ScanSubject(node, 0)),
        (explainer.whole_trees.holdout, TreeSubject(made, 3, 0)),
        (explainer.whole_trees.doubts, DoubtSubject(made, 12)),
    ):
        inquiry.ask(subject)
        qtbot.waitUntil(lambda inquiry=inquiry, subject=subject: bool(inquiry.problem(subject)), timeout=LONG)
        assert inquiry.problem(subject) == (
            "These trees were scored again; their G and H are those of Run 1. Look at its rows there."
        )
    assert made.no_replay(12)
    assert not made.no_replay(13)
    qtbot.waitUntil(lambda: explainer.findings(own) is not None, timeout=LONG)
    edits = EditDesk(session, controller, Jobs(), explainer)
    view = DoubtfulView(SimpleNamespace(session=session, explainer=explainer, edits=edits))
    for widget in (view, *view.tools()):
        qtbot.addWidget(widget)
    view.show()
    assert view.words.text() == made.no_replay()
    end_jobs(jobs)


def test_an_applied_run_can_go_on(qtbot, session, controller, runner):
    run = train(qtbot, session, controller)
    ask(qtbot, session, runner)
    runner.apply()
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    controller.go_on()
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert session.notices.current.severity == "info"
    assert len(session.shown.run.rounds) == 24
    assert session.shown.run.rounds[-1].trees[0].reg_lambda == 3.0
    assert session.shown.run.rounds[-1].train["rmse"] < session.shown.run.rounds[11].train["rmse"]


def test_retraining_gives_the_exact_answer_beside_what_is_shown(qtbot, session, controller, runner):
    run = train(qtbot, session, controller)
    run.kinds = {"b": "number"}  # as where a person has changed it
    ask(qtbot, session, runner)
    runner.retrain()
    made = run.what_if.answer
    assert (made.plan, made.kinds, made.own) == (run.plan, run.kinds, run.own)
    session.hyperparameters.change(reg_lambda=50.0)  # which is for the next run
    qtbot.waitUntil(lambda: not made.is_live, timeout=LONG)
    assert session.shown.run is run
    assert list(session.runs) == [run, made]
    assert {tree.reg_lambda for event in made.rounds for tree in event.trees} == {3.0}
    session.hyperparameters.change(reg_lambda=3.0, gamma=0.5)
    wanted = train(qtbot, session, controller)
    assert made.rounds[-1].train == wanted.rounds[-1].train
    session.shown.show(run)
    runner.try_values(Values(9.0))
    assert run.what_if.answer is None
    runner.try_values(ASKED)
    assert run.what_if.answer is made


def test_a_model_from_a_file_is_scored_and_applied_without_its_rows(qtbot, session, controller, runner):
    opened = run_of(saved_model(train(qtbot, session, controller)))
    session.open_model(opened, "model.json")
    runner.try_values(ASKED)
    qtbot.waitUntil(lambda: opened.what_if.metrics_problem != "", timeout=LONG)
    assert "without" in opened.what_if.metrics_problem
    assert opened.what_if.rescored.n_splits < opened.what_if.stored.n_splits
    runner.retrain()
    assert "open the table" in session.notices.current.text
    runner.apply()
    qtbot.waitUntil(lambda: session.shown.run is not opened, timeout=LONG)
    assert saved_model(session.shown.run).trees[0].reg_lambda == 3.0


def test_objectives_that_search_their_leaves_say_why_not(qtbot, session, controller, runner):
    session.data.set_objective("absolute")
    run = train(qtbot, session, controller)
    runner.try_values(ASKED)
    qtbot.waitUntil(lambda: run.what_if.problem != "", timeout=LONG)
    assert "search" in run.what_if.problem
    assert not run.what_if.is_on
    runner.apply()
    assert list(session.runs) == [run]


def test_monotone_runs_are_scored_within_their_bounds(qtbot, session, controller, runner):
    session.hyperparameters.change(monotone_constraints=(("a", 1),))
    run = train(qtbot, session, controller)
    asked = ask(qtbot, session, runner)
    assert asked.problem == ""
    runner.apply()
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    ensemble = saved_model(session.shown.run).ensemble
    rows = np.tile(np.linspace(-2, 2, 60, dtype=np.float32)[:, None], (1, 2))
    for other in (-1.0, 0.0, 1.0):
        rows[:, 1] = other
        assert (np.diff(raw_predictions(ensemble, rows)) >= 0).all()
    assert session.shown.run.rounds[-1].valid == pytest.approx(asked.metrics.valid)
    again = ask(qtbot, session, runner, Values(9.0))  # of the model that was applied
    assert again.problem == ""


def test_a_run_that_goes_on_forgets_the_question(qtbot, session, controller, runner):
    run = train(qtbot, session, controller)
    ask(qtbot, session, runner)
    controller.go_on()
    assert run.what_if.values == STORED
    qtbot.waitUntil(lambda: run.state is RunState.ENDED, timeout=LONG)
    asked = ask(qtbot, session, runner)
    assert asked.rescored.sums.n_trees == 24


def test_values_in_words():
    assert words(Values(3.0, 0.8)) == "λ 3 and γ 0.8"
    assert words(Values(1.5, 0.0, 2.0)) == "λ 1.5, γ 0 and α 2"
    assert words(STORED) == ""

