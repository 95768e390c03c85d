"""A person's own files in the window: shown, run only when agreed to, asked again when changed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton

from tests.own_files import file_with
from workbench.app import build_bench
from workbench.data.table import Column, Table
from workbench.session.objective_facts import known_objectives
from workbench.session.own_file import run_file
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.session import Session
from workbench.views.controls.objective_choice import ObjectiveChoice
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.parameter_form import ParameterForm
from workbench.workers.explainer import NodeSubject
from workbench.workers.jobs import Jobs
from workbench.workers.training_controller import TrainingController

if TYPE_CHECKING:
    from workbench.views.own_files.consent import Consent

LEFT = Qt.MouseButton.LeftButton
LONG = 120_000
OBJECTIVE = """
def loss(target, raw):
    return 0.5 * (target - raw) ** 2

def gradients(target, raw):
    return raw - target, 0 * raw + 1
"""
METRIC = """
higher_is_better = True

def metric(target, prediction, weight):
    return -abs(target - prediction).mean()
"""


@pytest.fixture
def bench(qtbot):
    session = Session()
    x = np.arange(60, dtype=np.float32)
    table = Table("made.csv", (Column("a", "number", x % 7), Column("y", "number", x)))
    plan = Plan(roles={"a": "feature", "y": "target"}, objective="squared")
    session.open_table(table, plan, {}, known_objectives())
    ready = threading.Event()
    ready.set()
    made = build_bench(session, TrainingController(session, lambda _params: ready), Jobs())
    yield made
    made.controller.shutdown()
    made.jobs.shutdown()


@pytest.fixture
def form(qtbot, bench):
    view = ParameterForm(bench)
    qtbot.addWidget(view)
    view.resize(304, 700)
    view.show()
    return view


def choose(qtbot, monkeypatch, form, words, path) -> Consent:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    qtbot.mouseClick(shown(form, words)[0], LEFT)
    return asked(qtbot, form)


def shown(form, words) -> list[QPushButton]:
    buttons = form.own_files.findChildren(QPushButton)
    return [b for b in buttons if b.accessibleName() == words and b.isVisible() and b.isEnabled()]


def asked(qtbot, form) -> Consent:
    qtbot.waitUntil(lambda: form.own_files.desk.consent is not None, timeout=LONG)
    return form.own_files.desk.consent


def test_an_objective_is_looked_at_and_then_run(qtbot, monkeypatch, tmp_path, form, bench):
    witness = tmp_path / "witness"
    path = file_with(tmp_path, OBJECTIVE + f"\nopen({str(witness)!r}, 'w').close()\n")
    consent = choose(qtbot, monkeypatch, form, "Objective from a file", path)
    assert consent.isVisible()
    assert not consent.isModal()
    assert consent.text.toPlainText() == path.read_text(encoding="utf-8")
    assert "This runs the code in own.py" in consent.question.text()
    assert not witness.exists()

    qtbot.mouseClick(consent.run_button, LEFT)
    qtbot.waitUntil(lambda: bench.session.data.plan.objective == "custom", timeout=LONG)
    assert witness.exists()
    combo = form.findChild(ObjectiveChoice)._combo
    assert combo.currentText() == "custom"

    bench.session.hyperparameters.change(rounds=3)
    bench.controller.train()
    run = bench.session.shown.run
    qtbot.waitUntil(lambda: run.state is RunState.ENDED, timeout=LONG)
    assert run.started.ensemble.objective == "custom"
    assert run.rounds[-1].train["custom_loss"] < run.rounds[0].train["custom_loss"]

    explainer = bench.explainer
    subject = NodeSubject(run, 2, 0, 0)
    qtbot.waitUntil(lambda: explainer.findings(subject) is not None, timeout=LONG)
    rows = explainer.findings(subject).rows
    raw = explainer.replays.of(run).after(1)[0, rows.rows].astype(float)
    assert rows.gradients == pytest.approx(raw - run.dataset.target[rows.rows], rel=1e-6)
    assert rows.gradients.sum() == pytest.approx(run.trees(2)[0].nodes["sum_gradient"][0], rel=1e-6)


@pytest.mark.parametrize("way", ["button", "escape"])
def test_cancel_leaves_all_as_it_was(qtbot, monkeypatch, tmp_path, form, bench, way):
    witness = tmp_path / "witness"
    path = file_with(tmp_path, f"open({str(witness)!r}, 'w').close()\n" + METRIC)
    plan, params = bench.session.data.plan, bench.session.hyperparameters.wanted
    consent = choose(qtbot, monkeypatch, form, "Metric from a file", path)
    if way == "button":
        qtbot.mouseClick(consent.cancel_button, LEFT)
    else:
        qtbot.keyClick(consent, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: form.own_files.desk.consent is None)
    assert not witness.exists()
    session = bench.session
    assert (session.data.plan, session.hyperparameters.wanted) == (plan, params)
    assert session.own_files.files == ()


def test_a_metric_is_reported_can_be_watched_and_left_out(qtbot, monkeypatch, tmp_path, form, bench):
    session = bench.session
    consent = choose(qtbot, monkeypatch, form, "Metric from a file", file_with(tmp_path, METRIC))
    qtbot.mouseClick(consent.run_button, LEFT)
    qtbot.waitUntil(lambda: session.own_files.files != (), timeout=LONG)
    assert session.hyperparameters.wanted.more_metrics == ("own",)
    metric = next(row for row in form.findChildren(ParameterRow) if row.declared.name == "metric")
    metric.show()
    metric._editor.show_value("own")
    assert metric._editor.findData("own") > 0
    session.hyperparameters.change(metric="own", rounds=3)

    bench.controller.train()
    run = session.shown.run
    qtbot.waitUntil(lambda: run.state is RunState.ENDED, timeout=LONG)
    assert run.watched == "own"
    assert run.facts.metric("own").higher_is_better
    assert run.rounds[-1].train["own"] == pytest.approx(-run.rounds[-1].train["mae"], rel=1e-5)

    qtbot.waitUntil(lambda: len(shown(form, "Do without own.py")) == 1)
    qtbot.mouseClick(shown(form, "Do without own.py")[0], LEFT)
    assert session.own_files.files == ()
    params = session.hyperparameters.wanted
    assert (params.metric, params.more_metrics) == ("auto", ())


def test_a_changed_file_is_asked_about_before_the_run(qtbot, tmp_path, form, bench):
    path = file_with(tmp_path, METRIC)
    bench.session.own_files.use(run_file("metric", str(path), METRIC))
    begun = []
    assert form.holds_run(lambda: begun.append("unchanged"))
    qtbot.waitUntil(lambda: begun == ["unchanged"], timeout=LONG)

    file_with(tmp_path, METRIC.replace("-abs", "-2 * abs"))
    form.holds_run(lambda: begun.append("refused"))
    consent = asked(qtbot, form)
    assert "own.py has changed since it was run" in consent.note.text()
    before = bench.session.own_files.files
    qtbot.mouseClick(consent.cancel_button, LEFT)
    qtbot.waitUntil(lambda: form.own_files.desk.consent is None)
    assert bench.session.own_files.files is before

    form.holds_run(lambda: begun.append("agreed"))
    qtbot.mouseClick(asked(qtbot, form).run_button, LEFT)
    qtbot.waitUntil(lambda: begun == ["unchanged", "agreed"], timeout=LONG)
    own = bench.session.own_files.files[0].part
    assert own.by_rows(np.zeros(2), np.ones(2, np.float32), np.ones(2)) == -2.0


def test_what_is_wrong_with_a_file_is_said_in_the_window(qtbot, monkeypatch, tmp_path, form, bench):
    path = file_with(tmp_path, "def broken(:")
    qtbot.mouseClick(choose(qtbot, monkeypatch, form, "Objective from a file", path).run_button, LEFT)
    qtbot.waitUntil(lambda: bench.session.notices.current is not None, timeout=LONG)
    assert "own.py cannot be run: SyntaxError" in bench.session.notices.current.text
    assert "line 1" in bench.session.notices.current.text
    assert bench.session.data.plan.objective == "squared"


def test_a_metric_that_fails_ends_the_run_in_words(qtbot, tmp_path, form, bench):
    text = METRIC.replace("return -abs", "return nothing")
    bench.session.own_files.use(run_file("metric", str(file_with(tmp_path, text)), text))
    bench.controller.train()
    qtbot.waitUntil(lambda: bench.session.shown.run.state is RunState.FAILED, timeout=LONG)
    assert "own.py failed: NameError" in bench.session.notices.current.text
    assert "(line 5)" in bench.session.notices.current.text


def test_without_own_files_nothing_holds_a_run(form):
    assert not form.holds_run(lambda: None)
