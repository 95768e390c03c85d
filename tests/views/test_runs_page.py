"""The left page of runs under the hand: shown, drawn, compared, named, pinned, noted, deleted, taken away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.views.made_forest import made_bench, show
from tests.views.made_runs import trained_study
from workbench.session.session import Session
from workbench.views.runs.page import NO_RUNS, NOTHING_FOUND, RunsPage

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def session():
    return trained_study().session


@pytest.fixture
def page(qtbot, session, jobs):
    made = RunsPage(made_bench(session, jobs))
    show(qtbot, made, (304, 700))
    return made


def middle(page, number: int) -> QPoint:
    row = page.model.row_of(page.model.session.runs.all[number])
    return page.list.visualRect(page.model.index(row)).center()


def click(page, number: int, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, modifiers, middle(page, number))


def swatch(page, number: int) -> QPoint:
    row = page.model.row_of(page.model.session.runs.all[number])
    rect = page.list.visualRect(page.model.index(row))
    return page.list.itemDelegate().swatch(rect, row).center()


def key(page, wanted) -> None:
    page.list.setFocus()
    QTest.keyClick(page.list, wanted)


def numbers(page) -> list[int]:
    return [place.run.number for place in page.model.places]


def entry(page, number: int, words: str):
    menu = page.list.menu_of(page.model.session.runs.all[number])
    return next(action for action in menu.actions() if action.text() == words)


def test_cards_stand_as_a_tree_with_what_differs(page):
    assert [place.depth for place in page.model.places] == [0, 1, 1, 2]
    cards = [page.model.card(place.run) for place in page.model.places]
    assert [card.differs for card in cards] == [
        "Max depth 2", "η 0.02 from 4", "λ 4, γ 0.5 from 6", "Max depth 4 from 7"]
    assert cards[0].facts.startswith("best at ")
    assert page.heading.title == "4 runs"


def test_a_click_shows_a_run_and_ctrl_compares_another(page, session):
    click(page, 3)
    assert session.shown.run.number == 3
    assert page.list.current is session.shown.run
    click(page, 2, CTRL)
    assert (session.shown.run.number, session.overlay.partner.number) == (3, 2)
    key(page, Qt.Key.Key_Down)
    assert session.shown.run.number == 4


def test_the_tick_draws_a_run_or_not(page, session, qtbot):
    run = session.runs.all[2]
    with qtbot.waitSignal(page.model.dataChanged):
        QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=swatch(page, 2))
    assert not session.overlay.is_ticked(run)
    assert session.shown.run.number == 1
    click(page, 2)
    key(page, Qt.Key.Key_T)
    assert session.overlay.is_ticked(run)


def test_a_name_is_written_over_the_old_one_and_taken_back(page, session, qtbot):
    click(page, 2)
    key(page, Qt.Key.Key_F2)
    field = page.list.findChild(QLineEdit)
    QTest.keyClicks(field, "slow one")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.runs.all[2].name == "slow one")
    session.journal.undo()
    assert session.runs.all[2].name == "Run 2"


def test_a_pin_brings_a_run_up_among_its_own(page, session, qtbot):
    click(page, 3)
    key(page, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: numbers(page) == [1, 3, 4, 2])
    entry(page, 3, "Unpin").trigger()
    qtbot.waitUntil(lambda: numbers(page) == [1, 2, 3, 4])


def test_a_note_is_taken_down_when_the_hand_leaves_it(page, session):
    click(page, 2)
    key(page, Qt.Key.Key_N)
    assert page.note.hasFocus()
    QTest.keyClicks(page.note, "too slow")
    click(page, 3)
    assert session.runs.all[2].card.note == "too slow"
    assert page.note.toPlainText() == ""
    assert "too slow" in page.model.card(session.runs.all[2]).facts


def test_a_hostile_name_stays_a_name(page, session, qtbot):
    session.runs.write_on(session.runs.all[2], title="<b>a & b</b>/\u202e.py " + "long " * 40)
    assert page.grab().toImage().width() == page.width()
    assert not page.list.horizontalScrollBar().isVisible()
    entry(page, 2, "Copy as Python").trigger()
    assert "rename(" in QApplication.clipboard().text()


def test_delete_is_undone(page, session, qtbot):
    click(page, 3)
    key(page, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: numbers(page) == [1, 2, 4])
    assert [place.depth for place in page.model.places] == [0, 1, 1]
    session.journal.undo()
    qtbot.waitUntil(lambda: numbers(page) == [1, 2, 3, 4])


def test_the_filter_finds_and_says_where_nothing_is(page):
    QTest.keyClicks(page.filter, "0.02 from")
    assert [place.run.number for place in page.model.places] == [2]
    QTest.keyClicks(page.filter, " nowhere")
    assert page.empty.isVisible()
    assert page.empty.text() == NOTHING_FOUND


def test_the_order_is_chosen(page):
    menu = page.sort_button.menu()
    next(action for action in menu.actions() if action.data() == "best metric").trigger()
    best = [place.run.best[1] for place in page.model.places if place.depth == 1]
    assert best == sorted(best)
    assert page.sort_button.text() == "sort: best metric"


def test_a_run_is_taken_away_as_python_or_the_reason_is_said(page, session, qtbot):
    entry(page, 3, "Copy as Python").trigger()
    assert "run3 = run1.branch(at=5, reg_lambda=4.0, gamma=0.5)" in QApplication.clipboard().text()
    entry(page, 3, "Copy as command line").trigger()
    reason = "branches off run 1 at round 5"
    qtbot.waitUntil(lambda: reason in session.notices.current.text)


def test_a_script_is_saved(page, session, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "run.py"
    monkeypatch.setattr(
        "workbench.views.export.save_dialog.QFileDialog.getSaveFileName", lambda *_: (str(path), ""))
    entry(page, 1, "Save script…").trigger()
    qtbot.waitUntil(path.exists)
    assert "run1 = study.train(" in path.read_text(encoding="utf-8")


def test_without_runs_it_says_what_to_do(qtbot, jobs):
    made = RunsPage(made_bench(Session(), jobs))
    show(qtbot, made, (304, 700))
    qtbot.waitUntil(lambda: made.empty.text() == NO_RUNS)
    assert not made.list.isVisible()
