"""From the window: continue from an earlier round, see both futures, and go back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QMenu

from workbench.data.samples import sample_file
from workbench.session.comparison.differences import label_of
from workbench.session.run import RunState
from workbench.views.controls.objective_choice import ObjectiveChoice
from workbench.views.curves.run_plots import Options, plots

LONG = 60_000


def test_continue_from_here_and_back_again(window, qtbot):
    window.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome, timeout=LONG)
    session, action = window.session, window.actions_by_name["branch"]
    assert not action.isEnabled()
    session.hyperparameters.change(rounds=30, max_depth=2)
    window.runs.start()
    qtbot.waitUntil(lambda: bool(session.runs) and session.runs[0].state is RunState.ENDED, timeout=LONG)
    session.shown.select(round=10)
    session.hyperparameters.change(learning_rate=0.3)
    form, button = window.frame.left.view("parameters"), window.frame.transport.until_button
    told = "0.1 → 0.3 in the next run or branch"
    qtbot.waitUntil(lambda: form._rows["learning_rate"].note == told)
    window.frame.centre.show_view("training")
    sentence = window.frame.status.sentence
    qtbot.waitUntil(lambda: sentence.text().startswith("Round 10 of 30 is shown. Continue from here"))
    window.frame.left.show_view("run_cards")
    window.frame.centre.show_view("runs")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = button.findChild(QMenu)
    assert menu.actions()[0].text() == "Continue from round 10"
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: len(session.runs) == 2 and not session.runs[1].is_live, timeout=LONG)
    first, second = session.runs
    assert second.rounds[:10] == first.rounds[:10]
    assert (len(first.rounds), len(second.rounds)) == (30, 30)
    panel = window.frame.centre.view("runs").compare
    known = (first, second, (30, 30))
    qtbot.waitUntil(lambda: panel.findings is not None and panel.findings.pair[:3] == known, timeout=LONG)
    assert panel.findings.partings.weight.round == 11
    page = window.frame.left.view("run_cards")
    assert [page.model.card(place.run).differs for place in page.model.places][1] == "η 0.3 from 11"
    for _ in range(2):
        window.actions_by_name["undo"].trigger()
    assert list(session.runs) == [first]
    assert session.hyperparameters.wanted.learning_rate == 0.3


@pytest.mark.slow
def test_a_branch_goes_on_with_the_objective_that_is_chosen_beside_the_run(window, qtbot):
    window.open_path(sample_file("concrete_strength"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome, timeout=LONG)
    session, button = window.session, window.frame.transport.until_button
    session.hyperparameters.change(rounds=20, max_depth=3)
    window.runs.start()
    qtbot.waitUntil(lambda: bool(session.runs) and session.runs[0].state is RunState.ENDED, timeout=LONG)
    session.shown.select(round=8)
    window.frame.left.show_view("parameters")
    combo = window.frame.left.view("parameters").findChild(ObjectiveChoice).findChild(QComboBox)
    combo.setFocus()
    qtbot.keyClicks(combo, "abs")
    qtbot.waitUntil(lambda: session.data.plan.objective == "absolute")
    window.frame.centre.show_view("training")
    sentence, words = window.frame.status.sentence, "Continue from here with absolute"
    told = f"Round 8 of 20 is shown. {words} (Ctrl+Shift+B) makes a branch."
    qtbot.waitUntil(lambda: sentence.text() == told)
    assert window.actions_by_name["branch"].text() == words
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = button.findChild(QMenu)
    assert menu.actions()[0].text() == "Continue from round 8 with absolute"
    place = menu.actionGeometry(menu.actions()[0]).center()
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: len(session.runs) == 2 and not session.runs[1].is_live, timeout=LONG)
    branch = session.runs[1]
    assert (branch.watched, len(branch.rounds)) == ("mae", 20)
    assert [event.params.objective for event in branch.rounds] == ["squared"] * 8 + ["absolute"] * 12
    assert label_of(branch) == "Objective squared → absolute at 8"
    assert "of squared up to round 8" in plots(session, Options())[1].phrase
    session.shown.show(session.runs[0])
    session.shown.select(round=8)
    assert session.with_objective == " with absolute"


def test_what_a_run_shows_first_is_made_while_nobody_waits(window, qtbot):
    board = window.frame.centre.view("training").board
    assert not board.panes
    window.open_path(sample_file("penguins"))
    qtbot.waitUntil(lambda: len(board.panes) == 4, timeout=LONG)
    form = window.frame.left.view("parameters")
    assert form.size() == window.frame.left.view("data").size()
    assert not form.isVisible()
    assert not board.isVisible()
