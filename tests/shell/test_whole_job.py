"""A newcomer's whole job in the window, with clicks and keys."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xgboost
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QPushButton

import workbench
from workbench.data.samples import sample_file
from workbench.data.table import Column, Table
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.session.plan import Plan
from workbench.session.run import RunState

LONG = 30_000


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def open_and_wait(qtbot, window, path):
    window.open_path(path)
    session = window.session
    qtbot.waitUntil(lambda: session.data.table or session.notices.current, timeout=LONG)
    assert session.notices.current is None, session.notices.current.text
    qtbot.waitUntil(lambda: not window.frame.on_welcome)


def train_to_the_end(qtbot, window, rounds=20):
    window.session.hyperparameters.change(rounds=rounds)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.ENDED, timeout=LONG)


def test_load_train_look_and_take_the_model_away(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("heart_disease"))
    assert window.session.data.plan.target == "disease"
    assert window.session.data.plan.objective == "logistic"
    train_to_the_end(qtbot, window)
    assert window.frame.transport.primary_button.text() == "Train"
    assert len(window.session.shown.run.rounds) == 20
    window.frame.centre.show_view("tree")
    window.session.shown.select(round=3, node=0)
    target = tmp_path / "model.json"
    window.documents.saving.save_model(window.session.shown.run, target)
    qtbot.waitUntil(target.exists, timeout=LONG)
    qtbot.waitUntil(lambda: window.session.notices.current is not None)
    assert "20 rounds" in window.session.notices.current.text

    frame = pd.read_csv(sample_file("heart_disease"))
    ours = workbench.load_model(target)
    booster = xgboost.Booster(model_file=target)
    from workbench.data.encoding import encode

    matrix = xgboost.DMatrix(
        np.ascontiguousarray(encode(ours.schema, frame)), feature_names=booster.feature_names,
        feature_types=booster.feature_types, enable_categorical=True,
    )
    theirs = booster.predict(matrix, output_margin=True)
    assert np.array_equal(theirs, ours.predict_raw(frame))


def test_pause_step_resume_and_stop(window, qtbot):
    open_and_wait(qtbot, window, sample_file("concrete_strength"))
    window.session.hyperparameters.change(rounds=100_000)
    transport = window.frame.transport
    click(qtbot, transport.step_button)
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run and shown.run.state is RunState.PAUSED, timeout=LONG)
    assert len(window.session.shown.run.rounds) == 1
    assert transport.primary_button.text() == "Resume"
    click(qtbot, transport.step_button)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) == 2, timeout=LONG)
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.PAUSED, timeout=LONG)
    click(qtbot, transport.primary_button)
    assert transport.primary_button.text() == "Pause"
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 5, timeout=LONG)
    click(qtbot, transport.primary_button)
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.PAUSED, timeout=LONG)
    paused_at = len(window.session.shown.run.rounds)
    click(qtbot, transport.stop_button)
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert len(window.session.shown.run.rounds) == paused_at
    qtbot.waitUntil(lambda: "The model so far is kept" in window.frame.status.sentence.text())


def test_space_pauses_from_inside_the_table(window, qtbot):
    open_and_wait(qtbot, window, sample_file("concrete_strength"))
    window.session.hyperparameters.change(rounds=100_000)
    window.runs.start()
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 0, timeout=LONG)
    window.frame.centre.show_view("table")
    grid = window.frame.centre.view("table").grid
    grid.setFocus()
    qtbot.keyClick(grid, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.PAUSED, timeout=LONG)


@pytest.mark.slow
def test_no_round_is_lost_when_there_are_thousands(window, qtbot):
    open_and_wait(qtbot, window, sample_file("nile_flow"))
    train_to_the_end(qtbot, window, rounds=5000)
    assert [event.round for event in window.session.shown.run.rounds] == list(range(1, 5001))
    assert len(window.session.shown.run.history.column("loss")) == 5000


def test_a_live_change_of_lambda_takes_hold_and_is_noted(window, qtbot):
    open_and_wait(qtbot, window, sample_file("concrete_strength"))
    click(qtbot, window.frame.transport.step_button)
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run and shown.run.state is RunState.PAUSED, timeout=LONG)
    window.session.hyperparameters.change(reg_lambda=7.0)
    click(qtbot, window.frame.transport.step_button)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) == 2, timeout=LONG)
    assert window.session.shown.run.rounds[1].trees[0].reg_lambda == 7.0
    assert [change.text for change in window.session.shown.run.changes] == ["λ 1 → 7"]


def test_closing_while_training_ends_cleanly(window, qtbot):
    open_and_wait(qtbot, window, sample_file("bike_rentals"))
    window.session.hyperparameters.change(rounds=100_000)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 3, timeout=LONG)
    window.close()
    assert window.session.shown.run.state is RunState.ENDED
    assert not window.controller.is_live


def test_closing_while_a_large_table_is_prepared_does_not_wait_for_it(window, qtbot):
    values = np.random.default_rng(0).random((20, 400_000), np.float32)
    columns = tuple(Column(f"x{j}", "number", row) for j, row in enumerate(values))
    table = Table("large.csv", columns)
    window.session.open_table(table, Plan({c.name: "feature" for c in columns} | {"x0": "target"}), {})
    window.runs.start()
    qtbot.waitUntil(lambda: window.controller.is_live)
    window.close()  # its thread must be gone within two seconds: see the leak check
    assert window.session.shown.run.state is RunState.ENDED
    assert window.session.shown.run.rounds == []


@pytest.mark.slow
def test_resume_right_after_a_step_shows_that_it_trains(window, qtbot):
    open_and_wait(qtbot, window, sample_file("concrete_strength"))
    window.session.hyperparameters.change(rounds=100_000)
    click(qtbot, window.frame.transport.step_button)
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run and shown.run.state is RunState.PAUSED, timeout=LONG)
    window.controller.step()
    window.controller.resume()
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 20, timeout=LONG)
    assert window.session.shown.run.state is RunState.RUNNING
    assert window.frame.transport.primary_button.text() == "Pause"


@pytest.mark.slow
def test_an_earlier_run_can_be_shown_again(window, qtbot):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=3)
    train_to_the_end(qtbot, window, rounds=5)
    assert window.session.shown.run.number == 2
    window.actions_by_name["earlier_run"].trigger()
    assert len(window.session.shown.run.rounds) == 3
    assert "Run 1" in window.frame.top_bar.title.text
    window.actions_by_name["later_run"].trigger()
    assert len(window.session.shown.run.rounds) == 5


def test_buttons_act_on_the_run_that_trains_while_an_earlier_one_is_shown(window, qtbot):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=3)
    window.session.hyperparameters.change(rounds=100_000)
    transport, status = window.frame.transport, window.frame.status.sentence
    click(qtbot, transport.primary_button)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 3, timeout=LONG)
    first, second = window.session.runs
    window.actions_by_name["earlier_run"].trigger()
    assert window.session.shown.run is first
    assert transport.primary_button.text() == "Pause"
    assert transport.stop_button.isEnabled()
    qtbot.waitUntil(lambda: status.text() == "Run 2 trains, Run 1 is shown. Pause and Stop act on Run 2.")
    click(qtbot, transport.primary_button)
    qtbot.waitUntil(lambda: transport.primary_button.text() == "Resume", timeout=LONG)
    assert second.state is RunState.PAUSED
    told = f"Run 2 is paused after round {len(second.rounds)}, Run 1 is shown."
    qtbot.waitUntil(lambda: status.text().startswith(told))
    click(qtbot, transport.stop_button)
    qtbot.waitUntil(lambda: transport.primary_button.text() == "Train", timeout=LONG)
    assert second.state is RunState.ENDED
    assert not transport.stop_button.isEnabled()


@pytest.mark.slow
def test_a_run_that_gives_way_to_a_new_one_is_named(window, qtbot):
    open_and_wait(qtbot, window, sample_file("penguins"))
    window.session.hyperparameters.change(rounds=100_000)
    click(qtbot, window.frame.transport.step_button)
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run and shown.run.state is RunState.PAUSED, timeout=LONG)
    window.actions_by_name["new_run"].trigger()
    assert window.frame.strip.text == "Run 1 was stopped at round 1 and is kept."


@pytest.mark.slow
def test_the_status_speaks_of_the_run_and_not_of_an_older_tree(window, qtbot):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=1)
    window.frame.centre.show_view("tree")
    status = window.frame.status.sentence
    qtbot.waitUntil(lambda: status.text().startswith("Tree 1."), timeout=LONG)
    window.session.hyperparameters.change(sampling_method="goss", subsample=0.5)
    assert not window.frame.transport.primary_button.isEnabled()
    qtbot.waitUntil(lambda: status.text() == f"Cannot train again: {window.session.clash.text}")
    window.session.hyperparameters.change(sampling_method="uniform")
    qtbot.waitUntil(lambda: status.text().startswith("Tree 1."))
    window.session.new_run()  # and stopped before its first tree
    window.session.runs.apply(window.session.shown.run, [TrainingEnded(EndReason.STOPPED, 0, 0, 0.0)])
    qtbot.waitUntil(lambda: status.text() == "Run 2 was stopped before its first tree.")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("header.csv", b"a,b,c\n", "no rows"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(64), "not"),
        ("model.json", b'{"learner": {"attributes"', "model.json"),
        ("foreign.json", b'{"hello": 1}', "model"),
        (None, b"", "no file"),
    ],
)
def test_bad_files_give_one_line_and_lose_nothing(window, qtbot, tmp_path, name, content, said):
    open_and_wait(qtbot, window, sample_file("penguins"))
    before = window.session.data.table
    path = tmp_path / (name or "absent.csv")
    if name:
        path.write_bytes(content)
    window.open_path(path)
    qtbot.waitUntil(lambda: window.session.notices.current is not None, timeout=LONG)
    assert said in window.session.notices.current.text.lower()
    assert "\n" not in window.session.notices.current.text
    assert window.session.data.table is before
    assert window.frame.notice.isVisible()


def test_a_target_that_cannot_be_trained_is_refused_in_words(window, qtbot, tmp_path):
    path = tmp_path / "constant.csv"
    path.write_text("a,b,y\n" + "1,2,5\n3,4,5\n" * 20)
    open_and_wait(qtbot, window, path)
    window.session.data.set_role("y", "target")
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: window.session.notices.current is not None, timeout=LONG)
    assert "'y'" in window.session.notices.current.text
    assert window.session.shown.run is None or window.session.shown.run.state is RunState.FAILED
    assert "0 rounds" not in window.frame.status.sentence.text()


def test_export_where_it_cannot_be_written_keeps_everything(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    window.documents.saving.save_model(window.session.shown.run, tmp_path / "no such folder" / "model.json")
    qtbot.waitUntil(lambda: window.session.notices.current is not None, timeout=LONG)
    assert window.session.notices.current.severity == "error"
    assert len(window.session.shown.run.rounds) == 2


def test_a_file_dropped_on_the_window_opens(window, qtbot):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(sample_file("nile_flow")))])
    window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
                                Qt.KeyboardModifier.NoModifier))
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.n_rows == 100
    qtbot.waitUntil(lambda: not window.frame.on_welcome)


@pytest.mark.slow
def test_exporting_code(window, qtbot, tmp_path, monkeypatch):
    """The dialog's kind gives the ending."""
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    chosen = str(tmp_path / "penguins")
    kind = "Python module without dependencies (*.py)"
    offered = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName",
                        lambda *args: (offered.append(args[3]), (chosen, kind))[1])
    window.actions_by_name["export"].trigger()
    made = tmp_path / "penguins.py"
    qtbot.waitUntil(lambda: window.session.notices.current is not None, timeout=LONG)
    assert window.session.notices.current.text == "Saved penguins.py: 2 rounds."
    space = {}
    exec(made.read_text(), space)
    assert set(space["CLASSES"]) == {"Adelie", "Chinstrap", "Gentoo"}
    assert offered[0].startswith("Model file (also loads in XGBoost) (*.json)")


def test_a_saved_model_opens_again_with_its_trees(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=3)
    trees = window.session.shown.run.rounds[2].trees
    target = tmp_path / "model.json"
    window.documents.saving.save_model(window.session.shown.run, target)
    qtbot.waitUntil(target.exists, timeout=LONG)
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(target)
    again = window.session.shown.run.rounds[2].trees
    assert len(again) == 3
    assert all(np.array_equal(a.nodes["gain"], b.nodes["gain"]) for a, b in zip(trees, again, strict=True))
    qtbot.waitUntil(lambda: window.frame.centre.current == "tree")


@pytest.mark.slow
def test_a_model_of_xgboosts_own_opens_too(window, qtbot, tmp_path):
    frame = pd.read_csv(sample_file("concrete_strength"))
    target = frame.pop("compressive_strength")
    matrix = xgboost.DMatrix(frame, target)
    xgboost.train({"max_depth": 3}, matrix, 5).save_model(tmp_path / "theirs.json")
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(tmp_path / "theirs.json")
    assert window.session.shown.run.rounds[4].trees[0].n_nodes > 1
    for view in window.frame.centre.views:
        window.frame.centre.show_view(view.name)
        window.grab()
    window.session.shown.select(round=2, node=0)
    window.grab()
    assert window.session.notices.current is None


@pytest.mark.slow
def test_of_a_model_that_tells_its_trees_alone_nothing_is_made_up(window, qtbot, tmp_path):
    kept = json.loads((Path(__file__).parents[1] / "formats/kept/catboost_levels.json").read_text("utf-8"))
    (tmp_path / "theirs.json").write_text(json.dumps(kept["model"]), "utf-8")
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(tmp_path / "theirs.json")
    qtbot.waitUntil(lambda: window.frame.centre.current == "tree", timeout=LONG)
    for dock in (window.frame.centre, window.frame.left, window.frame.bottom):
        for view in dock.views:
            dock.show_view(view.name)
            window.grab()
    window.frame.centre.show_view("tree")
    window.session.shown.select(round=1, node=0)
    window.frame.bottom.show_view("node")
    inspector = window.frame.bottom.view("node")
    qtbot.waitUntil(lambda: "Depth" in inspector.facts.text)
    assert inspector.missing.text().endswith(", as the model's file says.")
    assert "Share" not in inspector.facts.text
    window.frame.centre.show_view("ensemble")
    view = window.frame.centre.view("ensemble")
    qtbot.waitUntil(lambda: "does not tell the gain" in view.list.sentence, timeout=LONG)
    window.grab()
    view.choose("count")
    qtbot.waitUntil(lambda: bool(view.list.bars.names), timeout=LONG)
    window.grab()
    rounds = window.session.shown.run.rounds[: window.session.shown.round]
    splits = sum(tree.n_leaves - 1 for event in rounds for tree in event.trees)
    assert sum(view.list.bars.values) == splits
    view.choose("cover")
    qtbot.waitUntil(lambda: "does not tell the hessian" in view.list.sentence, timeout=LONG)
    assert not view.list.bars.names


def test_a_run_after_a_model_was_looked_at_has_the_persons_own_parameters(window, qtbot, tmp_path):
    frame = pd.read_csv(sample_file("concrete_strength"))
    target = frame.pop("compressive_strength")
    xgboost.train({"max_depth": 3}, xgboost.DMatrix(frame, target), 5).save_model(tmp_path / "theirs.json")
    with qtbot.waitSignal(window.documents.opened_model, timeout=LONG):
        window.open_path(tmp_path / "theirs.json")
    assert window.session.hyperparameters.wanted.rounds == 5
    window.session.hyperparameters.change(max_depth=2)  # as the form does
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("penguins"))
    params = window.session.hyperparameters.wanted
    assert (params.rounds, params.max_depth) == (100, 2)
    strip = window.frame.strip
    assert strip.text == "Parameters are as you set them, not as in theirs.json."
    button = next(b for b in strip.findChildren(QPushButton) if b.text() == "Use the model's")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    params = window.session.hyperparameters.wanted
    assert (params.rounds, params.max_depth) == (5, 2)
    assert not strip.isVisible()
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("heart_disease"))
    assert window.session.hyperparameters.wanted.rounds == 5
    assert window.session.notices.current.text == "Parameters stay as you set them: Max depth 2, Rounds 5."


def test_every_button_has_a_name_for_screen_readers(window):
    for button in window.findChildren(QPushButton):
        assert button.text() or button.accessibleName(), button
