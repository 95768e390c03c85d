"""From a trained run to a re-scored, exported and retrained one, with clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

import workbench
from tests.shell.test_whole_job import LONG, click, open_and_wait, train_to_the_end
from workbench.data.samples import sample_file
from workbench.explain.what_if.rescoring import Values
from workbench.session.project.read import read_project
from workbench.session.run import RunState
from workbench.views.controls.slider import Slider


def test_ask_retrain_apply_and_take_the_model_away(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("heart_disease"))
    train_to_the_end(qtbot, window)
    frame, session = window.frame, window.session
    run = session.shown.run
    frame.centre.show_view("tree")
    frame.bottom.show_view("node")
    frame.left.show_view("what_if")
    assert frame.bottom.current == "what_if_splits"
    panel = frame.left.view("what_if")
    qtbot.waitUntil(lambda: run.what_if.stored is not None, timeout=LONG)
    slider = panel.rows["gamma"].findChild(Slider)
    slider.setFocus(Qt.FocusReason.ShortcutFocusReason)  # as a key does
    for _ in range(40):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert run.what_if.values.gamma > 0.5
    assert window.frame.top_bar.title.text.endswith("what if")
    qtbot.waitUntil(lambda: run.what_if.metrics_of == run.what_if.values, timeout=LONG)

    click(qtbot, panel.retrain_button)
    qtbot.waitUntil(lambda: "–" not in panel.table.texts(2) and "…" not in panel.table.texts(2), timeout=LONG)
    assert session.shown.run is run
    assert len(session.runs) == 2

    left = run.what_if.rescored.n_leaves
    click(qtbot, panel.apply_button)
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    assert "run 1 with γ" in window.frame.top_bar.title.text
    target = tmp_path / "applied.json"
    window.documents.saving.save_model(session.shown.run, target)
    qtbot.waitUntil(target.exists, timeout=LONG)
    model = workbench.load_model(target)
    assert sum(tree.n_leaves for tree in model.trees) == left
    frame.left.show_view("trees")
    assert frame.bottom.current == "node"


@pytest.mark.slow
def test_sliders_can_be_used_and_no_name_is_cut_in_a_small_window(window, qtbot):
    window.resize(1280, 800)
    open_and_wait(qtbot, window, sample_file("heart_disease"))
    train_to_the_end(qtbot, window)
    for name in ("parameters", "what_if"):
        window.frame.left.show_view(name)
        sliders = [slider for slider in window.frame.left.findChildren(Slider) if slider.isVisible()]
        assert sliders
        qtbot.waitUntil(lambda sliders=sliders: all(slider.width() >= 80 for slider in sliders))
    panel = window.frame.left.view("what_if")
    qtbot.waitUntil(lambda: panel.table.texts(0)[0] != "–", timeout=LONG)
    assert all(name.shown == name.text() for name in (panel.table.head, *panel.table.names))
    for cell in (cell for cells in panel.table.cells for cell in cells):
        assert cell.width() >= cell.sizeHint().width()


@pytest.mark.slow
def test_a_run_whose_lambda_was_changed_says_what_retraining_takes(window, qtbot):
    open_and_wait(qtbot, window, sample_file("heart_disease"))
    session, panel = window.session, window.frame.left.view("what_if")
    session.hyperparameters.change(rounds=6)
    click(qtbot, window.frame.transport.step_button)
    shown = session.shown
    qtbot.waitUntil(lambda: shown.run is not None and shown.run.state is RunState.PAUSED, timeout=LONG)
    session.hyperparameters.change(reg_lambda=5.0, learning_rate=0.2)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    run = session.shown.run
    window.frame.left.show_view("what_if")
    qtbot.waitUntil(lambda: run.what_if.stored is not None, timeout=LONG)
    assert panel.retraining.isVisible()
    assert panel.retraining.text() == (
        "Retraining takes λ 5 and η 0.2 for every round: the newest, though they were changed while the run "
        "trained.")
    field = panel.rows["reg_lambda"].findChild(QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, "2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert panel.retraining.text().startswith("Retraining takes η 0.2 for every round: the newest, though it")
    click(qtbot, panel.retrain_button)
    qtbot.waitUntil(lambda: "Run 2 is what came of it" in panel.retraining.text(), timeout=LONG)
    assert session.runs[1].origin == "run 1 retrained with η 0.2 and λ 2"
    params = session.runs[1].params
    assert (params.reg_lambda, params.learning_rate) == (2.0, 0.2)


@pytest.mark.slow
def test_a_choice_that_was_changed_by_hand_is_told_and_taken(window, qtbot):
    open_and_wait(qtbot, window, sample_file("heart_disease"))
    session, panel = window.session, window.frame.left.view("what_if")
    session.hyperparameters.change(rounds=4)
    click(qtbot, window.frame.transport.step_button)
    shown = session.shown
    qtbot.waitUntil(lambda: shown.run is not None and shown.run.state is RunState.PAUSED, timeout=LONG)
    window.frame.left.show_view("parameters")
    combos = window.frame.left.view("parameters").findChildren(QComboBox)
    growth = next(combo for combo in combos if combo.accessibleName() == "Growth")
    growth.setFocus()
    qtbot.keyClick(growth, Qt.Key.Key_Down)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    window.frame.left.show_view("what_if")
    qtbot.waitUntil(lambda: session.shown.run.what_if.stored is not None, timeout=LONG)
    assert panel.retraining.text() == (
        "Retraining takes Growth best gain for every round: the newest, though it was changed while the run "
        "trained.")
    click(qtbot, panel.retrain_button)
    qtbot.waitUntil(lambda: "Run 2 is what came of it" in panel.retraining.text(), timeout=LONG)
    assert session.runs[1].origin == "run 1 retrained with Growth best gain"
    assert session.runs[1].params.grow_policy == "best_gain"


@pytest.mark.slow
def test_a_model_opened_without_its_table_is_scored_too(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=4)
    target = tmp_path / "model.json"
    window.documents.saving.save_model(window.session.shown.run, target)
    qtbot.waitUntil(target.exists, timeout=LONG)
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))  # with its own table the model would have its rows
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(target)
    qtbot.waitUntil(lambda: window.frame.centre.current == "tree")
    window.frame.left.show_view("what_if")
    run, panel = window.session.shown.run, window.frame.left.view("what_if")
    qtbot.waitUntil(lambda: run.what_if.stored is not None, timeout=LONG)
    window.bench.what_if.try_values(Values(gamma=0.7))
    qtbot.waitUntil(lambda: "without" in panel.honesty.text(), timeout=LONG)
    assert run.what_if.rescored.n_splits < run.what_if.stored.n_splits
    assert panel.table.texts(1)[3:] == ["–"] * 3
    click(qtbot, panel.retrain_button)
    assert "open the table" in window.session.notices.current.text
    click(qtbot, panel.apply_button)
    qtbot.waitUntil(lambda: window.session.shown.run is not run, timeout=LONG)
    made = window.session.shown.run
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("concrete_strength"))
    assert "is kept" in window.session.notices.current.text
    *_, path = sorted((tmp_path / "settings" / "sittings").glob("*.workbench"))
    window.projects.autosave.shutdown()  # which waits for what is being written
    kept = read_project(path).runs[2]
    assert sum(event.leaves for event in kept.rounds) == sum(event.leaves for event in made.rounds)
