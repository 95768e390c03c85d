from __future__ import annotations

import numpy as np
import pytest

from tests.session.words import round_finished, started
from workbench.data.table import Column, Table
from workbench.explain.what_if.rescoring import Values
from workbench.parameters.training import TrainingParams
from workbench.session.plan import Plan
from workbench.session.run import Run, RunState
from workbench.session.session import Session
from workbench.session.what_if.retraining import retraining_note


@pytest.fixture
def session():
    made = Session()
    column = Column("age", "number", np.arange(3, dtype=np.float32))
    label = Column("ill", "boolean", np.array([0, 1, 1], np.float32), ("no", "yes"))
    made.open_table(Table("t.csv", (column, label)), Plan({"age": "feature", "ill": "target"}), {})
    return made


def test_a_second_target_frees_the_first(session):
    session.data.set_role("age", "target")
    assert session.data.plan.roles == {"age": "target", "ill": "feature"}
    assert session.data.plan.target_guessed is False


def test_listeners_hear_of_changes_and_only_of_changes(session):
    heard = []
    session.events.params.connect(lambda: heard.append(session.hyperparameters.wanted.reg_lambda))
    session.hyperparameters.change(reg_lambda=3.0)
    session.hyperparameters.change(reg_lambda=3.0)
    assert heard == [3.0]


def test_rounds_of_one_drain_are_announced_once_and_none_is_lost(session):
    run, heard = session.new_run(), []
    session.events.rounds.connect(lambda: heard.append(len(run.rounds)))
    session.runs.apply(run, [started(run.params)] + [round_finished(i, run.params) for i in range(1, 600)])
    assert heard == [599]
    assert run.history.column("loss").tolist() == [100.0 / i for i in range(1, 600)]
    assert run.state is RunState.RUNNING


def test_words_for_a_run_that_is_not_shown_are_kept_but_not_announced(session):
    old = session.new_run()
    session.new_run()
    heard = []
    session.events.rounds.connect(lambda: heard.append(1))
    session.runs.apply(old, [started(old.params), round_finished(1, old.params)])
    assert heard == []
    assert len(old.rounds) == 1


def test_a_parameter_change_is_noted_with_its_round(session):
    run = session.new_run()
    changed = run.params.change(reg_lambda=4.0, early_stopping_rounds=5)
    session.runs.apply(run, [started(run.params), round_finished(1, run.params), round_finished(2, changed)])
    assert [(c.round, c.text) for c in run.changes] == [(2, "λ 1 → 4"), (2, "Patience none → 5")]


def test_another_choice_on_the_way_is_noted_in_the_words_of_the_form(session):
    run = session.new_run()
    changed = run.params.change(grow_policy="best_gain", sampling_method="goss", one_drop=True)
    session.runs.apply(run, [started(run.params), round_finished(1, run.params), round_finished(2, changed)])
    assert {c.text for c in run.changes} == {
        "Growth depth → best gain", "Rows drawn uniform → goss", "DART: at least one no → yes"}
    assert retraining_note(run, Values()) == (
        "Retraining takes Growth best gain, Rows drawn goss and DART: at least one yes for every round: the "
        "newest, though they were changed while the run trained.")


def test_what_a_run_holds_fixed_is_no_change(session):
    run = session.new_run()
    resolved = run.params.change(objective="logistic", metric="auc")
    session.runs.apply(run, [started(run.params), round_finished(1, resolved)])
    assert run.changes == []


def test_the_selection_follows_the_newest_round_until_one_is_picked(session):
    run = session.new_run()
    session.runs.apply(run, [started(run.params)] + [round_finished(i, run.params) for i in (1, 2, 3)])
    assert session.shown.round == 3
    session.shown.select(round=2, node=1)
    session.runs.apply(run, [round_finished(4, run.params)])
    assert session.shown.round == 2
    session.shown.select(round=1)
    assert session.shown.selection.node is None


def test_opening_another_table_lets_runs_go(session):
    session.new_run()
    session.open_table(session.data.table, session.data.plan, {})
    assert list(session.runs) == []
    assert session.shown.run is None


@pytest.fixture
def opened():
    """A session in which a model of 7 rounds is shown over the person's 30 rounds and depth of 3."""
    made = Session()
    made.hyperparameters.change(rounds=30, max_depth=3)
    params = made.hyperparameters.wanted.change(rounds=7, max_depth=9, reg_lambda=2.0)
    made.open_model(Run(1, params), "model.json")
    return made


def open_any_table(session):
    column = Column("a", "number", np.arange(3, dtype=np.float32))
    session.open_table(Table("t.csv", (column,)), Plan({"a": "target"}), {})


def test_parameters_of_a_model_that_is_looked_at_are_shown_but_not_inherited(opened):
    assert (opened.hyperparameters.wanted.rounds, opened.hyperparameters.wanted.max_depth) == (7, 9)
    open_any_table(opened)
    params = opened.hyperparameters.wanted
    assert (params.rounds, params.max_depth, params.reg_lambda) == (30, 3, 1.0)
    assert opened.hyperparameters.of_model == {"rounds": 7, "max_depth": 9, "reg_lambda": 2.0}
    opened.hyperparameters.take_model()
    params = opened.hyperparameters.wanted
    assert (params.rounds, params.max_depth, params.reg_lambda) == (7, 9, 2.0)
    open_any_table(opened)
    assert (opened.hyperparameters.wanted.rounds, opened.hyperparameters.of_model) == (7, {})


def test_what_a_person_changes_beside_a_model_is_their_own(opened):
    opened.hyperparameters.change(learning_rate=0.5)
    opened.open_model(Run(1, opened.hyperparameters.wanted.change(rounds=8)), "other.json")
    opened.hyperparameters.change(subsample=0.5)
    open_any_table(opened)
    params = opened.hyperparameters.wanted
    assert (params.rounds, params.max_depth, params.learning_rate, params.subsample) == (30, 3, 0.5, 0.5)


def test_a_reset_beside_a_model_is_a_reset_of_ones_own(opened):
    opened.hyperparameters.reset()
    assert opened.hyperparameters.wanted == TrainingParams()
    open_any_table(opened)
    assert opened.hyperparameters.wanted == TrainingParams()
    assert opened.hyperparameters.of_model == {"rounds": 7, "max_depth": 9, "reg_lambda": 2.0}


def test_a_parameter_is_taken_back_and_changed_again(session):
    heard = []
    session.events.params.connect(lambda: heard.append(session.hyperparameters.wanted.reg_lambda))
    session.hyperparameters.change(reg_lambda=3.0)
    session.hyperparameters.change(max_depth=2)
    session.journal.undo()
    assert (session.hyperparameters.wanted.reg_lambda, session.hyperparameters.wanted.max_depth) == (3.0, 6)
    session.journal.undo()
    assert session.hyperparameters.wanted == TrainingParams()
    assert not session.journal.done
    session.journal.undo()
    session.journal.redo()
    assert session.hyperparameters.wanted.reg_lambda == 3.0
    session.hyperparameters.change(gamma=1.0)
    assert not session.journal.undone
    assert heard == [3.0, 3.0, 3.0, 1.0, 3.0, 3.0]


def test_resetting_all_parameters_is_taken_back(session):
    session.hyperparameters.change(reg_lambda=3.0, max_depth=2)
    chosen = session.hyperparameters.wanted
    session.hyperparameters.reset()
    session.journal.undo()
    assert session.hyperparameters.wanted == chosen


def test_what_a_run_holds_fixed_is_not_taken_back_while_it_trains(session):
    session.hyperparameters.change(max_bin=16)
    run = session.new_run()
    session.runs.apply(run, [started(run.params)])
    assert not session.journal.done
    session.hyperparameters.change(reg_lambda=3.0)
    session.journal.undo()
    assert session.hyperparameters.wanted.reg_lambda == 1.0
    session.journal.undo()
    assert session.hyperparameters.wanted.max_bin == 16


def test_another_table_leaves_nothing_to_take_back(session):
    session.hyperparameters.change(reg_lambda=3.0)
    session.open_table(session.data.table, session.data.plan, {})
    assert not session.journal.done
    assert session.hyperparameters.wanted.reg_lambda == 3.0
