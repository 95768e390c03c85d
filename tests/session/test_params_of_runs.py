"""Each run has its own hyperparameters, and what is changed beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import workbench
from tests.session.words import round_finished, started
from workbench.data.table import Column, Table
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.parameters.training import TrainingParams
from workbench.session.carried import carried
from workbench.session.opening.imported import run_of
from workbench.session.plan import Plan
from workbench.session.refusal import SOONEST, refusal
from workbench.session.session import Session


@pytest.fixture
def session():
    made = Session()
    columns = (Column("a", "number", np.arange(3, dtype=np.float32)),
               Column("b", "number", np.arange(3, dtype=np.float32)))
    made.open_table(Table("t.csv", columns), Plan({"a": "feature", "b": "target"}), {})
    return made


def trained(session, **values):
    session.hyperparameters.change(**values)
    run = session.new_run()
    ended = TrainingEnded(EndReason.FINISHED, 1, 1, 0.01)
    session.runs.apply(run, [started(run.params), round_finished(1, run.params), ended])
    return run


def test_a_run_that_is_shown_again_shows_its_own(session):
    first, second = trained(session, max_depth=6), trained(session, max_depth=3)
    heard = []
    session.events.params.connect(lambda: heard.append(session.hyperparameters.wanted.max_depth))
    session.shown.show(first)
    assert (session.hyperparameters.wanted.max_depth, heard) == (6, [6])
    session.shown.show(second)
    assert heard == [6, 3]


def test_what_is_changed_beside_a_run_stays_with_it_until_it_is_trained(session):
    first, second = trained(session, max_depth=6), trained(session, max_depth=3)
    session.shown.show(first)
    session.hyperparameters.change(max_depth=4)
    session.shown.show(second)
    assert session.hyperparameters.wanted.max_depth == 3
    session.shown.show(first)
    assert session.hyperparameters.wanted.max_depth == 4
    assert session.new_run().params.max_depth == 4
    session.shown.show(first)
    assert first.wanted.max_depth == 6


def test_while_a_run_trains_its_own_are_set_whichever_is_shown(session):
    first = trained(session, max_depth=6)
    session.hyperparameters.change(max_depth=3)
    live = session.new_run()
    session.runs.apply(live, [started(live.params), round_finished(1, live.params)])
    session.shown.show(first)
    assert (session.hyperparameters.run, session.hyperparameters.wanted.max_depth) == (live, 3)
    session.runs.apply(live, [TrainingEnded(EndReason.STOPPED, 1, 1, 0.01)])
    assert (session.hyperparameters.run, session.hyperparameters.wanted.max_depth) == (first, 6)


def test_what_the_shown_run_has_goes_on_to_the_next_table(session):
    first = trained(session, reg_lambda=5.8, gamma=0.19)
    trained(session, reg_lambda=1.0)
    session.shown.show(first)
    session.open_table(session.data.table, session.data.plan, {})
    assert carried(session.hyperparameters.wanted) == "λ 5.8, γ 0.19"
    session.hyperparameters.reset()
    assert carried(session.hyperparameters.wanted) == ""
    session.journal.undo()
    assert session.hyperparameters.wanted.reg_lambda == 5.8


def test_many_are_counted():
    params = TrainingParams(reg_lambda=2, gamma=1, learning_rate=0.5, max_depth=3, subsample=0.5, rounds=7,
                            max_bin=16, seed=1)  # fmt: skip
    assert carried(params).endswith(" and 2 more")


def bare(number, params, hessian=100.0):
    """A round whose tree is one leaf."""
    made = round_finished(number, params)
    tree = made.trees[0]
    nodes = tree.nodes[:1].copy()
    nodes["feature"], nodes["left"], nodes["right"], nodes["sum_hessian"] = -1, -1, -1, hessian
    leaf = replace(tree, nodes=nodes, category_begin=np.zeros(2, np.int32))
    return replace(made, trees=(leaf,), leaves=1, depth=0, gain=0.0)


def grown(session, splits, bares, hessian=100.0):
    run = session.new_run()
    rounds = [round_finished(number, run.params) for number in range(1, splits + 1)]
    rounds += [bare(number, run.params, hessian) for number in range(splits + 1, splits + bares + 1)]
    session.runs.apply(run, [started(run.params), *rounds])
    return run


@pytest.mark.parametrize(
    ("values", "hessian", "words"),
    [
        ({"gamma": 0.19}, 100.0, "γ 0.19 refuses every split since round 60: the trees are single leaves."),
        ({"gamma": 0.19, "min_child_weight": 60.0}, 100.0,
         "Min child H 60 refuses every split since round 60: the trees are single leaves."),
        ({"reg_alpha": 9.0}, 100.0, "α 9 refuses every split since round 60: the trees are single leaves."),
        ({}, 100.0, "No gain is left for a split since round 60: the trees are single leaves."),
    ],
)
def test_what_refuses_every_split_is_said_once(session, values, hessian, words):
    session.hyperparameters.change(**values)
    run = grown(session, 59, SOONEST, hessian)
    assert session.notices.current is not None
    assert (session.notices.current.text, session.notices.current.severity) == (f"Run 1: {words}", "warning")
    session.notices.dismiss()
    session.runs.apply(run, [bare(60 + SOONEST, run.params)])
    assert session.notices.current is None


def test_few_single_leaves_are_nothing_to_speak_of(session):
    assert refusal(grown(session, 10, SOONEST - 1)) is None
    assert session.notices.current is None


def test_a_steered_model_goes_on_with_what_its_last_round_had():
    rows = np.arange(20.0)[:, None]
    model = workbench.fit(rows, rows[:, 0] ** 2, rounds=3)
    history = [dict(row) for row in model.history]
    history[-1]["reg_lambda"] = 5.0
    run = run_of(replace(model, history=history))
    assert (run.params.reg_lambda, run.wanted.reg_lambda) == (1.0, 5.0)
    session = Session()
    session.open_model(run, "m.json")
    assert session.hyperparameters.wanted.reg_lambda == 5.0


def test_a_run_of_another_method_can_be_trained_again_as_soon_as_it_is_shown(session):
    first = trained(session, max_depth=3)
    session.choose_method("forest")
    second = trained(session)
    objectives = {second: session.data.plan.objective}
    for run, method in ((first, "newton"), (second, "forest"), (first, "newton")):
        session.shown.show(run)
        assert session.hyperparameters.wanted.method == method
        assert session.clash is None
        assert session.data.plan.objective == objectives.setdefault(run, "squared")
    assert session.new_run().params.method == "newton"


def test_a_choice_that_is_taken_back_leaves_the_person_at_the_run_where_it_was_made(session):
    first = trained(session, max_depth=3)
    second = trained(session, max_depth=6)
    session.shown.show(first)
    session.choose_method("forest")
    session.shown.show(second)
    session.journal.undo()
    assert session.shown.run is first
    assert (session.hyperparameters.wanted.method, session.data.plan.objective) == ("newton", "squared")
    assert session.clash is None
    session.shown.show(second)
    session.journal.redo()
    assert session.shown.run is first
    assert session.hyperparameters.wanted.method == "forest"
    assert session.clash is None
