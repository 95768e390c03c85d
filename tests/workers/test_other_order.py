"""First and second order side by side."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from workbench.data.table import Column, Table
from workbench.session.comparison.differences import differences
from workbench.session.comparison.other_order import other_order
from workbench.session.plan import Plan
from workbench.session.script import script_of
from workbench.session.session import Session
from workbench.workers.training_controller import TrainingController

LONG = 60_000


@pytest.fixture
def session():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2)).astype(np.float32)
    y = (x[:, 0] + rng.normal(size=200) > 0).astype(np.float32)
    table = Table("made", (
        Column("a", "number", x[:, 0]), Column("b", "number", x[:, 1]),
        Column("y", "category", y, ("no", "yes")),
    ))  # fmt: skip
    made = Session()
    made.open_table(table, Plan({"a": "feature", "b": "feature", "y": "target"}, "logistic"), {})
    made.hyperparameters.change(rounds=5, learning_rate=0.3, max_depth=2, threads=1, reg_lambda=2.0)
    return made


@pytest.mark.parametrize("method", ["newton", "friedman"])
def test_the_same_is_trained_by_the_other_method(qtbot, session, method):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    if method == "friedman":
        session.choose_method("friedman")
        session.hyperparameters.change(max_depth=2, learning_rate=0.3)
    controller.train()
    run = session.shown.run
    assert controller.train_other_order(run) is None
    qtbot.waitUntil(lambda: not run.is_live, timeout=LONG)
    other = {"newton": "friedman", "friedman": "newton"}[method]
    assert other_order(run)
    made = controller.train_other_order(run)
    qtbot.waitUntil(lambda: not made.is_live, timeout=LONG)
    assert session.shown.run is run
    assert made.params.method == other
    same = ("rounds", "learning_rate", "max_depth", "objective", "seed")
    assert [getattr(made.params, name) for name in same] == [getattr(run.params, name) for name in same]
    assert made.params.reg_lambda == 0.0
    told = {found.label for found in differences(run, made)}
    assert {"Method", "Min child H"} <= told, "also what one of the two holds fixed"
    assert ("λ" in told) == (method == "newton"), "of Newton's the person's, of the other's comparison 0"
    assert session.overlay.partner is made
    assert {run, made} <= set(session.overlay.drawn)
    assert ("method=" in script_of(session, made)) == (other != "newton")
    assert made.rounds[0].train["logloss"] != run.rounds[0].train["logloss"]


def test_what_the_other_lacks_is_not_offered(session):
    session.data.set_objective("exponential")
    session.hyperparameters.change(method="adaboost")
    run = session.new_run()
    assert other_order(run) == ""


def test_the_same_is_trained_without_a_column_and_can_be_taken_back(qtbot, session):
    ready = threading.Event()
    ready.set()
    controller = TrainingController(session, lambda _params: ready)
    controller.train()
    run = session.shown.run
    assert controller.train_without(run, "a") is None  # while it trains
    qtbot.waitUntil(lambda: not run.is_live, timeout=LONG)
    made = controller.train_without(run, "a")
    qtbot.waitUntil(lambda: not made.is_live, timeout=LONG)
    assert session.shown.run is run
    assert len(made.rounds) == len(run.rounds)
    asked = {int(f) for r in made.rounds for t in r.trees for f in t.nodes["feature"][~t.is_leaf]}
    assert asked == {1}
    assert session.overlay.partner is made
    assert "forbidden_columns" in script_of(session, made)
    assert controller.train_without(made, "b") is None  # which would leave no column
    session.journal.undo()
    assert made not in list(session.runs)
