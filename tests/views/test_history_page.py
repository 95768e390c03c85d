"""The left page of what was done: lines, the present one, and the way back by a click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.made_forest import made_bench, made_session, show
from workbench.session.session import Session
from workbench.views.history.page import HELD_TIP, NOTHING, HistoryPage


@pytest.fixture
def page(qtbot, session, jobs):
    session.hyperparameters.change(reg_lambda=3.0)
    session.runs.write_on(session.shown.run, title="mine")
    session.hyperparameters.change(gamma=0.5)
    made = HistoryPage(made_bench(session, jobs))
    show(qtbot, made, (304, 500))
    return made


def click(page, row: int) -> None:
    place = page.list.visualRect(page.model.index(row)).center()
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_click_goes_back_and_forth(page, session):
    lines = session.journal.lines
    assert page.model.rowCount() == len(lines)
    place = next(row for row in range(len(lines)) if page.model.words(row).startswith("λ 1 → 3"))
    click(page, place)
    assert (session.shown.run.name, session.hyperparameters.wanted.gamma) == ("Run 1", 0.0)
    assert session.hyperparameters.wanted.reg_lambda == 3.0
    assert [page.model.is_undone(row) for row in range(place, len(lines))] == [False, True, True]
    assert page.heading.note == "2 lines taken back"
    click(page, len(lines) - 1)
    assert (session.shown.run.name, session.hyperparameters.wanted.gamma) == ("mine", 0.5)


def test_the_present_line_is_told_to_those_who_do_not_see_it(page, session):
    texts = [page.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
             for row in range(page.model.rowCount())]
    assert [text.endswith(", now") for text in texts] == [False] * (len(texts) - 1) + [True]


def test_what_a_run_that_trains_holds_says_so(qtbot, jobs):
    session = made_session(ended=False)
    made = HistoryPage(made_bench(session, jobs))
    show(qtbot, made, (304, 500))
    held = [row for row in range(made.model.rowCount()) if made.model.is_held(row)]
    assert held
    assert "held by the run" in made.model.index(held[0]).data(Qt.ItemDataRole.AccessibleTextRole)
    before = session.journal.position
    click(made, 0)
    assert session.journal.position == before
    assert session.notices.current.text == HELD_TIP


def test_before_anything_is_done_it_says_what_comes(qtbot, jobs):
    made = HistoryPage(made_bench(Session(), jobs))
    show(qtbot, made, (304, 500))
    assert made.empty.text() == NOTHING
