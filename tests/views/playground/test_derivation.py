"""The derivation as a person sees it: what is written computes, λ moves every line, the model stays."""

from __future__ import annotations

import re
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.reference.tables import random_dataset, train
from tests.views.made_forest import made_bench
from workbench.session.session import Session
from workbench.views.formula.digits import value
from workbench.views.playground.derivation.loss_formulas import Derivatives, parabola
from workbench.views.playground.pages.derivation import DerivationPage


def made(task="binary", **params):
    data = random_dataset(task, n=240, n_valid=60)
    params = {"rounds": 4, "max_depth": 3, "threads": 1} | params
    started, rounds, ended = train(data, **params)
    session = Session()
    session.hyperparameters.change(**params)
    session.data.set_objective(started.ensemble.objective)
    run = session.new_run()
    session.runs.dataset_ready(run, data)
    session.runs.apply(run, [started, *rounds, ended])
    return session


@pytest.fixture(autouse=True)
def _every_step_at_once(monkeypatch):
    monkeypatch.setattr("workbench.views.turns.in_turns.TURN_SECONDS", 60.0)


@pytest.fixture
def session(request):
    return made(**getattr(request, "param", {}))


@pytest.fixture
def page(qtbot, bench):
    shown = whole(bench)
    show(qtbot, shown, (1000, 700))
    shown.synchronize()
    qtbot.waitUntil(lambda: shown.subject is not None and shown.subject.loss is not None, timeout=60_000)
    qtbot.waitUntil(lambda: shown.scan.plot.curve is not None, timeout=60_000)
    return shown


def whole(bench):
    page = DerivationPage(bench)
    assert len(list(page.build())) > len(page.steps)  # one a turn, a large one in several
    return page


def show(qtbot, page, size):
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()


def formulas(page):
    return [formula for step in page.steps for formula in step.formulas.formulas]


def check(formula):
    """Run the Python text of a formula; what comes out is what is written behind it."""
    names = {}
    exec(compile(formula.python, "shown", "exec"), names)
    shown = formula.python.rpartition("# ")[2]
    room = 0.51 * float(Decimal(1).scaleb(int(value(shown).as_tuple().exponent)))
    assert names[formula.left.python] == pytest.approx(float(value(shown)), abs=room, rel=1e-9)


CASES = [
    {}, {"reg_alpha": 0.3}, {"task": "multiclass"}, {"task": "regression"}, {"gamma": 0.2, "reg_lambda": 0.0},
    {"task": "binary", "objective": "exponential"},
]


@pytest.mark.parametrize("session", CASES, indirect=True, ids=str)
def test_every_number_follows_from_what_is_written(page, session):
    for round in (1, 4):
        session.shown.select(round=round)
        page.synchronize()
        for formula in formulas(page):
            if formula.left.text != "Obj":  # a function of w, not a number
                check(formula)
            assert formula.latex.count("{") == formula.latex.count("}")


def test_the_numbers_are_the_models(page, session):
    tree, subject = session.shown.tree, page.subject
    assert subject.weight(subject.leaf) == pytest.approx(float(tree.nodes["weight"][subject.leaf]))
    assert subject.terms.structure_score == pytest.approx(tree.structure_score)
    event = session.shown.run.rounds[-1]
    assert subject.terms.omega == pytest.approx(event.omega_leaves + subject.terms.squares)
    row = subject.loss
    probability = 1 / (1 + np.exp(-row.raw_before))
    assert row.gradient == pytest.approx(probability - row.target, abs=1e-6)


def type_into(qtbot, page, name, text):
    field = page.assumptions.rows[name]._editor._field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_another_lambda_moves_every_line_and_no_tree(qtbot, page, session):
    tree = session.shown.tree
    before = {step.number: step.copied("Text") for step in page.steps}
    lines = page.leaf.plot.curves[0].y.copy(), page.scan.plot.curve.gain.copy()
    weights = tree.nodes["weight"].copy()
    type_into(qtbot, page, "reg_lambda", "12")
    assert page.subject.assumed.reg_lambda == 12.0
    qtbot.waitUntil(lambda: not np.array_equal(page.scan.plot.curve.gain, lines[1]))  # which is shown last
    after = {step.number: step.copied("Text") for step in page.steps}
    assert all(before[number] != after[number] for number in before)
    assert not np.array_equal(page.leaf.plot.curves[0].y, lines[0])
    assert page.leaf.plot.marks[0].hollow  # the stored minimum stays beside
    assert session.shown.tree is tree
    assert np.array_equal(tree.nodes["weight"], weights)
    assert page.assumptions.note.text().startswith("What if")

    qtbot.mouseClick(page.assumptions.back_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: {step.number: step.copied("Text") for step in page.steps} == before)


def test_gamma_kills_splits_and_eta_shortens_the_step(qtbot, page, session):
    type_into(qtbot, page, "gamma", "1e6")
    assert page.subject.terms.n_leaves == 1
    qtbot.waitUntil(lambda: {row[-1] for row in page.pruning.model.rows} == {"killed", "not reached"})
    assert page.pruning.model.rows[0][-1] == "killed"
    qtbot.mouseClick(page.assumptions.back_button, Qt.MouseButton.LeftButton)
    whole = page.subject.step
    type_into(qtbot, page, "learning_rate", "0.01")
    assert page.subject.step == pytest.approx(whole * 0.01 / session.shown.tree.learning_rate)


SIGNS = [("LaTeX", r"\begin{aligned}"), ("Python", "omega ="), ("Text", "3. Ω")]


@pytest.mark.parametrize(("form", "sign"), SIGNS)
def test_a_step_is_copied(qtbot, page, form, sign):
    qtbot.mouseClick(page.omega.copy_buttons[form], Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert sign in copied
    if form == "LaTeX":
        assert all(part in copied for part in (r"\sum_{j}", r"\lambda", r"\Omega"))


def test_a_leaf_and_a_split_are_chosen(qtbot, page, session):
    choice = page.leaf.choice
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_End)
    page.synchronize()
    assert page.subject.leaf == session.shown.selection.node == page.subject.terms.leaves[-1]
    assert page.subject.split == int(session.shown.tree.nodes["parent"][page.subject.leaf])


def test_the_tree_beside_is_another_round(qtbot, page):
    assert page.subject.other_round == 3
    qtbot.mouseClick(page.score.rounds.previous, Qt.MouseButton.LeftButton)
    assert page.subject.other_round == 2
    qtbot.waitUntil(lambda: page.score.sides[1].title.text() == "Tree 2")


@pytest.mark.parametrize("session", [{"task": "multiclass"}, {"task": "multiclass", "num_parallel_tree": 2}],
                         indirect=True)
def test_the_class_is_chosen(page, session):
    assert page.assumptions.classes.isVisibleTo(page)
    page.assumptions.class_chosen.emit(2)
    page.synchronize()
    assert page.subject.tree.class_index == 2


@pytest.mark.parametrize("session", [{"task": "regression", "objective": "absolute"}], indirect=True)
def test_searched_leaves_are_said_to_be(page):
    assert not page.subject.follows
    assert "searched" in page.leaf.remark.text()
    assert page.leaf.plot.marks[-1].token == "validation"


def test_without_trees_the_page_says_what_to_do(qtbot, jobs):
    shown = whole(made_bench(Session(), jobs))
    show(qtbot, shown, (900, 500))
    shown.synchronize()
    assert "Train" in shown.empty.text()


def test_a_model_without_its_table_keeps_the_steps_of_its_trees(qtbot, session, jobs):
    session.shown.run.dataset = session.shown.run.plan = None
    shown = whole(made_bench(session, jobs))
    show(qtbot, shown, (900, 500))
    shown.synchronize()
    qtbot.waitUntil(lambda: "came from a file" in shown.loss.sentence.text())
    qtbot.waitUntil(shown.area.updatesEnabled)
    assert shown.omega.formulas.formulas
    assert shown.scan.formulas.formulas


def test_the_parabola_is_written_with_as_few_digits_as_it_follows_from():
    loss = SimpleNamespace(loss=4.08506816023146, gradient=-2.8583099, hessian=1.0)
    told = Derivatives((), "−2.8583", "1")
    text = parabola(loss, 0.55372574011485, told).text
    assert max(map(len, re.findall(r"[\d.]+", text))) <= 8
    assert "½ · 1 ·" in text.replace("½·", "½ · ")
