"""Ctrl+Z takes back what was set in the form, wherever the keyboard is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from tests.shell.test_whole_job import train_to_the_end
from workbench.data.samples import sample_file

LONG = 30_000


@pytest.fixture
def form(window, qtbot):
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome)
    window.activateWindow()
    window.frame.left.show_view("parameters")
    return window.frame.left.view("parameters")


def field(form, name):
    return next(f for f in form.findChildren(QLineEdit) if f.accessibleName() == name and f.isVisible())


def test_what_was_typed_is_taken_back_and_set_again(window, form, qtbot):
    depth = field(form, "Max depth")
    depth.setFocus()
    depth.selectAll()
    QTest.keyClicks(depth, "3")
    QTest.keyClick(depth, Qt.Key.Key_Return)
    assert window.session.hyperparameters.wanted.max_depth == 3
    assert window.actions_by_name["undo"].isEnabled()
    QTest.keyClick(depth, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (window.session.hyperparameters.wanted.max_depth, depth.text()) == (6, "6")
    assert not window.actions_by_name["undo"].isEnabled()
    window.actions_by_name["redo"].trigger()
    assert (window.session.hyperparameters.wanted.max_depth, depth.text()) == (3, "3")


def test_while_something_is_typed_the_letters_are_taken_back(window, form, qtbot):
    depth = field(form, "Max depth")
    window.session.hyperparameters.change(max_depth=4)
    depth.setFocus()
    QTest.keyClicks(depth, "1")
    QTest.keyClick(depth, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.hyperparameters.wanted.max_depth == 4


def test_a_reset_of_all_is_taken_back(window, form, qtbot):
    window.session.hyperparameters.change(max_depth=4, reg_lambda=3.0)
    window.actions_by_name["reset_params"].trigger()
    assert field(form, "Max depth").text() == "6"
    window.actions_by_name["undo"].trigger()
    assert field(form, "Max depth").text() == "4"


def test_opening_another_table_is_taken_back_and_done_again(window, form, qtbot):
    session, undo, redo = window.session, window.actions_by_name["undo"], window.actions_by_name["redo"]
    assert not undo.isEnabled(), "there was nothing before"
    train_to_the_end(qtbot, window, rounds=3)
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))
    qtbot.waitUntil(lambda: undo.text() == "Undo: Open nile_flow.csv")
    with qtbot.waitSignal(window.documents.opened_project, timeout=LONG):
        undo.trigger()
    assert (session.name, len(session.shown.run.rounds)) == ("penguins.csv", 3), "with its runs and history"
    assert undo.text().startswith("Undo: Train run 1")
    assert redo.text() == "Redo: Open nile_flow.csv"
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        redo.trigger()
    assert session.name == "nile_flow.csv"
    qtbot.waitUntil(lambda: not redo.isEnabled())
    with qtbot.waitSignal(window.documents.opened_project, timeout=LONG):
        undo.trigger()
    assert len(session.shown.run.rounds) == 3


def test_opening_another_table_is_taken_back_with_what_was_chosen_but_not_trained(window, form, qtbot):
    session, undo, redo = window.session, window.actions_by_name["undo"], window.actions_by_name["redo"]
    session.data.set_role("island", "ignore")
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))
    session.data.hold_out(valid_fraction=0.4)
    undo.trigger()
    assert undo.text() == "Undo: Open nile_flow.csv"
    undo.trigger()
    qtbot.waitUntil(lambda: session.name == "penguins.csv")
    assert session.data.plan.roles["island"] == "ignore"
    undo.trigger()
    assert session.data.plan.roles["island"] == "feature"
    redo.trigger()
    redo.trigger()
    qtbot.waitUntil(lambda: session.name == "nile_flow.csv")
    redo.trigger()
    assert session.data.plan.valid_fraction == 0.4
    assert not window.projects.autosave.others(), "nothing to go on with at the next start"
    window.projects.shutdown()
    assert not list(window.projects.autosave.folder.glob("*.workbench"))
