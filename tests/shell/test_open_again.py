"""What was trained is there again: a model with its own table, a file that is open, the way back."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

import workbench
from workbench.data.samples import sample_file
from workbench.session.run import RunState
from workbench.show import _file_of, _table_of
from workbench.views.controls.welcome_rows import RecentRow

LONG = 30_000
CONTROL = Qt.KeyboardModifier.ControlModifier


def open_and_wait(qtbot, window, path, signal="opened"):
    with qtbot.waitSignal(getattr(window.documents, signal), timeout=LONG):
        window.open_path(path)
    qtbot.waitUntil(lambda: not window.frame.on_welcome)


def train(qtbot, window, **values):
    session, before = window.session, len(window.session.runs)
    session.hyperparameters.change(**values)
    qtbot.mouseClick(window.frame.transport.primary_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: len(session.runs) == before + 1 and session.shown.run.state is RunState.ENDED, timeout=LONG
    )


def offered(window, words):
    return next(b for b in window.frame.notice.findChildren(QPushButton) if b.text() == words)


@pytest.fixture
def heart(window, qtbot, tmp_path):
    path = tmp_path / "heart.csv"
    shutil.copy(sample_file("heart_disease"), path)
    open_and_wait(qtbot, window, path)
    return path


def trees(run):
    return [tree.nodes.tobytes() for made in run.rounds for tree in made.trees]


def test_a_model_and_its_own_table_are_put_together_and_go_on(window, qtbot, heart, tmp_path):
    session = window.session
    session.data.set_role("cholesterol", "ignore")
    session.data.hold_out(valid_fraction=0.3, split_seed=4)
    train(qtbot, window, rounds=6, reg_lambda=5.8)
    plan, whole = session.data.plan, trees(session.shown.run)
    model = tmp_path / "model.json"
    window.documents.saving.save_model(session.shown.run, model)
    qtbot.waitUntil(model.exists, timeout=LONG)
    open_and_wait(qtbot, window, sample_file("penguins"))
    session.hyperparameters.reset()
    open_and_wait(qtbot, window, model, "opened_model")
    assert session.data.table is None
    open_and_wait(qtbot, window, heart)
    assert (session.data.plan.roles, session.data.plan.target) == (plan.roles, "disease")
    assert (session.data.plan.valid_fraction, session.data.plan.split_seed) == (0.3, 4)
    assert (trees(session.shown.run), session.hyperparameters.wanted.reg_lambda) == (whole, 5.8)
    assert "is the table that this model was trained on" in session.notices.current.text
    session.hyperparameters.change(rounds=3)
    window.actions_by_name["go_on"].trigger()
    shown = session.shown
    qtbot.waitUntil(lambda: len(shown.run.rounds) == 9 and not shown.run.is_live, timeout=LONG)
    train(qtbot, window, rounds=9)
    assert trees(session.runs[0]) == trees(session.runs[1])


@pytest.mark.slow
def test_a_model_alone_is_what_is_spoken_of_and_is_among_the_recent_files(window, qtbot, heart, tmp_path):
    session = window.session
    qtbot.waitUntil(lambda: "303 shown" in window.frame.status.sentence.text())
    train(qtbot, window, rounds=4)
    model = tmp_path / "model.json"
    window.documents.saving.save_model(session.shown.run, model)
    qtbot.waitUntil(model.exists, timeout=LONG)
    open_and_wait(qtbot, window, sample_file("penguins"))
    open_and_wait(qtbot, window, model, "opened_model")
    window.frame.centre.show_view("table")
    told = "A model of 4 rounds. Open a table to train on it."
    qtbot.waitUntil(lambda: window.frame.status.sentence.text() == told)
    newest = window.documents.recent.entries()[0]
    assert (newest.path, newest.rounds, newest.target) == (str(model), 4, "disease")
    window.pages.show_welcome()
    said = [row.accessibleName() for row in window.frame.welcome.findChildren(RecentRow)]
    assert any(words.startswith("model.json: model of 4 rounds, target disease") for words in said)
    open_and_wait(qtbot, window, heart)  # its own table: all is as it was, until something is changed
    assert session.notices.current.text.endswith("as they were.")
    session.data.hold_out(split_seed=9)
    assert session.notices.current is None
    assert not window.frame.notice.isVisible()


def test_a_model_is_opened_beside_its_own_table(window, qtbot, heart, tmp_path):
    train(qtbot, window, rounds=4)
    model = tmp_path / "model.json"
    window.documents.saving.save_model(window.session.shown.run, model)
    qtbot.waitUntil(model.exists, timeout=LONG)
    open_and_wait(qtbot, window, model, "opened_model")
    assert window.session.name == "heart.csv"
    assert window.session.shown.run.dataset is not None


@pytest.mark.slow
def test_a_file_that_is_open_is_shown_with_its_runs(window, qtbot, heart):
    train(qtbot, window, rounds=4)
    run = window.session.shown.run
    window.pages.show_welcome()
    window.frame.welcome.file_chosen.emit(str(heart))
    assert not window.frame.on_welcome
    assert window.session.shown.run is run
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        qtbot.mouseClick(offered(window, "Begin anew"), Qt.MouseButton.LeftButton)
    assert list(window.session.runs) == []


@pytest.mark.slow
def test_a_file_that_was_changed_since_is_read_again(window, qtbot, heart):
    train(qtbot, window, rounds=4)
    heart.write_text("\n".join(heart.read_text().splitlines()[:200]))
    open_and_wait(qtbot, window, heart)
    assert (list(window.session.runs), window.session.data.table.n_rows) == ([], 199)


@pytest.mark.slow
def test_the_welcome_page_leads_back(window, qtbot, heart):
    welcome = window.frame.welcome
    window.pages.show_welcome()
    back = next(b for b in welcome.findChildren(QPushButton) if b.text() == " Back to heart.csv")
    assert back.isVisible()
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert not window.frame.on_welcome
    window.pages.show_welcome()
    QTest.keyClick(back, Qt.Key.Key_Escape)
    assert not window.frame.on_welcome
    window.actions_by_name["welcome"].trigger()
    window.actions_by_name["welcome"].trigger()
    assert not window.frame.on_welcome


def test_there_is_no_way_back_to_nothing(window):
    back = next(b for b in window.frame.welcome.findChildren(QPushButton) if b.text().startswith(" Back"))
    assert not back.isVisible()


@pytest.mark.slow
def test_each_run_shows_its_own_parameters_and_what_would_differ(window, qtbot, heart):
    train(qtbot, window, rounds=3, max_depth=6)
    train(qtbot, window, max_depth=3)
    window.frame.left.show_view("parameters")
    depth = window.frame.left.view("parameters")._rows["max_depth"]
    window.actions_by_name["earlier_run"].trigger()
    assert (depth.value, depth.note) == (6, "")
    window.session.hyperparameters.change(max_depth=4)
    assert depth.note == "6 → 4 in the next run or branch"
    window.actions_by_name["later_run"].trigger()
    assert (depth.value, depth.note) == (3, "")


@pytest.mark.slow
def test_parameters_that_go_on_to_the_next_table_are_said(window, qtbot, heart):
    window.session.hyperparameters.change(reg_lambda=5.8, gamma=0.19)
    open_and_wait(qtbot, window, sample_file("penguins"))
    assert window.session.notices.current.text == "Parameters stay as you set them: λ 5.8, γ 0.19."
    qtbot.mouseClick(offered(window, "Use the defaults"), Qt.MouseButton.LeftButton)
    assert (window.session.hyperparameters.wanted.reg_lambda, window.session.notices.current) == (1.0, None)


@pytest.mark.slow
def test_gamma_that_refuses_every_split_is_named_in_the_form_and_below(window, qtbot, heart):
    train(qtbot, window, rounds=12, gamma=1000.0)
    words = "γ 1000 refuses every split since round 1: the trees are single leaves."
    window.frame.left.show_view("parameters")
    row = window.frame.left.view("parameters")._rows["gamma"]
    qtbot.waitUntil(lambda: row.note == words)
    assert window.session.notices.current.text == f"Run 1: {words}"


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("same_names", [True, False])
def test_a_new_table_opens_at_its_top(window, qtbot, heart, tmp_path, same_names):
    grid = window.frame.centre.view("table").grid
    grid.verticalScrollBar().setValue(grid.verticalScrollBar().maximum())
    assert grid.shown_rows()[0] > 0
    other = tmp_path / "other.csv"
    shutil.copy(sample_file("heart_disease" if same_names else "penguins"), other)
    open_and_wait(qtbot, window, other)
    assert grid.shown_rows()[0] == 0


def test_a_script_opens_a_model_with_its_table(window, qtbot, tmp_path):
    rows = pd.read_csv(sample_file("penguins"))
    files = [_table_of(rows, tmp_path)]
    files.insert(0, _file_of(workbench.fit(rows, target="species", rounds=2), tmp_path, *files))
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(*files)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert [len(run.rounds) for run in window.session.runs] == [2]
    assert window.session.data.plan.target == "species"
    assert window.session.shown.run.dataset is not None
