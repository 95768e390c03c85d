"""Sliders of the playground over a table: they train what is planned now, or a sentence says why not."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest

from tests.views.made_forest import show
from workbench.app import build_bench
from workbench.session.opening.open_file import first_plan, known_objectives
from workbench.session.session import Session
from workbench.study.given_table import given_table
from workbench.views.playground.panel import FOLLOWS, DrawPanel
from workbench.workers.training_controller import TrainingController

READY = threading.Event()
READY.set()
LONG = 20_000


@pytest.fixture
def bench(jobs):
    session = Session()
    session.hyperparameters.change(rounds=3, max_depth=2)
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.normal(size=(80, 2)), columns=["a", "b"])
    table, _ = given_table(frame.assign(y=np.exp(frame["a"])), None)
    session.open_table(table, first_plan(table), {}, known_objectives())
    session.data.set_target("y", "squared")
    return build_bench(session, TrainingController(session, lambda _params: READY), jobs)


@pytest.fixture
def slide(qtbot, bench):
    """Move a slider, and wait until its run is the session's, or refused."""
    panel = DrawPanel(bench)
    show(qtbot, panel, (320, 640))

    def move(name, value):
        assert panel._follow_heading.note == FOLLOWS
        panel._follow(name, value)
        qtbot.waitUntil(lambda: not bench.playground.is_busy, timeout=LONG)

    return move


@pytest.mark.slow
def test_a_table_that_nobody_trained_on_is_trained_on_as_a_slider_moves(qtbot, bench, tab, slide):
    slide("reg_lambda", 3.0)
    run = bench.session.shown.run
    assert (run.params.reg_lambda, run.params.objective, len(run.rounds)) == (3.0, "squared", 3)
    qtbot.waitUntil(lambda: tab.page.plot.scene.picture is not None, timeout=LONG)


@pytest.mark.slow
def test_another_objective_in_the_plan_is_the_one_that_a_slider_trains(bench, tab, slide):
    slide("reg_lambda", 3.0)
    first = bench.session.shown.run
    bench.session.data.set_objective("poisson")
    slide("reg_lambda", 2.0)
    slide("reg_lambda", 1.0)
    run = bench.session.shown.run
    assert (run.params.objective, run.params.reg_lambda) == ("poisson", 1.0)
    assert run.plan == bench.session.data.plan
    assert run.dataset is not first.dataset


def test_no_other_model_is_seen_under_the_sentence_that_says_why_there_is_none(qtbot, bench, tab, slide):
    plot = tab.page.plot
    slide("reg_lambda", 3.0)
    qtbot.waitUntil(lambda: plot.scene.picture is not None, timeout=LONG)
    bench.session.choose_method("adaboost")
    slide("learning_rate", 0.5)
    assert "adaboost" in plot.sentence
    assert plot.scene.picture is None
    assert not len(plot.scene.x)
    assert tab.page.side.tree._tree is None
    bench.session.choose_method("newton")
    qtbot.waitUntil(lambda: plot.scene.picture is not None, timeout=LONG)
    assert plot.sentence == ""
