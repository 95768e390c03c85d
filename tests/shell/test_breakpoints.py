"""Goals and breakpoints in the window, with clicks and keys."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench.data.samples import sample_file
from workbench.ensembles.breakpoints.metric_rises import MetricRises
from workbench.session.run import RunState
from workbench.shell.settings import Settings
from workbench.views.breakpoints.panel import BreakpointsPanel

LONG = 30_000


def click(qtbot, widget):
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def opened(qtbot, window, path, rounds=40):
    window.open_path(path)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    qtbot.waitUntil(lambda: not window.frame.on_welcome)
    window.session.hyperparameters.change(rounds=rounds)
    return window.session


def panel_of(window, name=""):
    window.frame.transport.until_button.open_panel(name)
    return window.frame.transport.until_button.findChildren(BreakpointsPanel)[-1]


def paused(qtbot, session, rounds=None):
    def waits():
        run = session.shown.run
        return run is not None and run.state is RunState.PAUSED and rounds in (None, len(run.rounds))

    qtbot.waitUntil(waits, timeout=LONG)
    return session.shown.run


def typed(qtbot, field, text):
    click(qtbot, field)
    field.selectAll()
    qtbot.keyClicks(field, text)


def press_offer(qtbot, window, word):
    buttons = [b for b in window.frame.notice.findChildren(QPushButton) if b.text() == word]
    click(qtbot, buttons[-1])


def test_run_to_a_round_and_further(window, qtbot):
    session = opened(qtbot, window, sample_file("heart_disease"))
    panel = panel_of(window, "run_to")
    field = panel.goals["run_to"].fields["round"]
    typed(qtbot, field, "7")
    click(qtbot, panel.buttons["run_to"])
    paused(qtbot, session, 7)
    assert session.notices.current.text == "Run 1 waits. Round 7 is done, as was asked."
    assert session.breakpoints.goal is None
    aimed, waits = (line.action for line in session.journal.lines[-2:])
    assert (aimed.words, aimed.python) == ("Run 1 goes on to round 7", "run1.grow(until=7)")
    assert waits.words == "Run 1 waits after round 7, as was asked"
    panel = panel_of(window, "run_to")
    field = panel.goals["run_to"].fields["round"]
    typed(qtbot, field, "9")
    click(qtbot, panel.buttons["run_to"])
    paused(qtbot, session, 9)
    press_offer(qtbot, window, "Go on")
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert len(session.shown.run.rounds) == 40
    assert session.notices.current is None


@pytest.mark.slow
def test_a_round_beyond_the_last_is_granted(window, qtbot):
    session = opened(qtbot, window, sample_file("heart_disease"), rounds=3)
    panel = panel_of(window)
    field = panel.goals["run_to"].fields["round"]
    typed(qtbot, field, "6")
    click(qtbot, panel.buttons["run_to"])
    qtbot.waitUntil(lambda: session.shown.run and session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert len(session.shown.run.rounds) == 6
    assert session.breakpoints.goal is None


@pytest.mark.slow
def test_a_goal_is_taken_back_and_set_again_while_it_trains(window, qtbot):
    session = opened(qtbot, window, sample_file("heart_disease"), rounds=100_000)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: bool(session.shown.run and session.shown.run.rounds), timeout=LONG)
    panel = panel_of(window, "run_until_stale")
    typed(qtbot, panel.goals["run_until_stale"].fields["rounds"], "90000")
    click(qtbot, panel.buttons["run_until_stale"])
    told = "Run 1 goes on until 90,000 rounds in a row bring nothing better"
    assert session.journal.done.action.words == told
    goal = session.breakpoints.goal
    session.journal.undo()
    assert session.breakpoints.goal is None
    assert session.shown.run.is_live
    session.journal.redo()
    assert session.breakpoints.goal == goal
    window.controller.stop()
    qtbot.waitUntil(lambda: not session.shown.run.is_live, timeout=LONG)
    assert session.breakpoints.goal is None
    assert told in [line.action.words for line in session.journal.lines]
    assert session.journal.done.action.words != told  # it is behind the run


@pytest.fixture
def leaky(tmp_path):
    """Heart disease with a column that was written down after the diagnosis."""
    frame = pd.read_csv(sample_file("heart_disease"))
    frame["discharge_code"] = (frame["disease"] == "yes") * 40.0 + frame.index % 7
    path = tmp_path / "leaky.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_leak_is_named_and_ignored(window, qtbot, leaky):
    session = opened(qtbot, window, leaky)
    click(qtbot, window.frame.transport.primary_button)
    run = paused(qtbot, session, 3)
    said = session.notices.current
    assert said.suspect == "discharge_code"
    assert "'discharge_code' may give the target away" in said.text
    assert "of the gain of the first 3 rounds" in said.text
    told = session.journal.lines[-1].action.words
    assert told == "Run 1 waits after round 3: one column gives the target away"
    press_offer(qtbot, window, "Ignore it and start again")
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
    qtbot.waitUntil(lambda: session.shown.run.state is RunState.ENDED, timeout=LONG)
    assert session.data.plan.roles["discharge_code"] == "ignore"
    assert len(session.shown.run.rounds) == 40


def test_a_breakpoint_is_set_while_it_trains_and_kept(window, qtbot, tmp_path):
    session = opened(qtbot, window, sample_file("heart_disease"), rounds=100_000)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: bool(session.shown.run and session.shown.run.rounds), timeout=LONG)
    panel = panel_of(window)
    row = panel.rows["metric_rises"].fields["rounds"]
    typed(qtbot, row, "2")
    qtbot.keyClick(row, Qt.Key.Key_Tab)
    click(qtbot, panel.checks["metric_rises"])
    run = paused(qtbot, session)
    assert "on the hold-out rows rose 2 rounds in a row" in session.notices.current.text
    values = [event.valid["logloss"] for event in run.rounds[-3:]]
    assert values == sorted(values)
    panel.close()
    window.settings.save()
    again = type(session)()
    again.breakpoints.take(json.loads(Settings(tmp_path / "settings").get("breakpoints")))
    assert MetricRises(2) in again.breakpoints.in_force
