"""The round ruler, and that a round stands at the same place in it and in every plot."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.views.made_forest import made_bench
from tests.views.made_run import BEST, add_rounds, end, made_session, with_tools
from workbench.data.schema import DataSchema
from workbench.ensembles.events import EndReason, TrainingPaused
from workbench.session.session import Session
from workbench.views.curves.ink import font, width
from workbench.views.curves.view import TrainingView
from workbench.views.look.fonts import AXIS, NOTE
from workbench.views.ruler import paint
from workbench.views.ruler.paint import RulerMarks, paint_ruler, room, shortened
from workbench.views.ruler.round_axis import LEFT, RIGHT, RoundAxis, nice_step
from workbench.views.ruler.round_ruler import RoundRuler
from workbench.views.ruler.words import duration, left, pace


@pytest.fixture
def ruler_of(qtbot):
    def show(session, width=1000):
        ruler = RoundRuler(made_bench(session))
        qtbot.addWidget(ruler)
        ruler.resize(width, ruler.height())
        with qtbot.waitActive(ruler):
            ruler.show()
            ruler.activateWindow()
        return ruler

    return show


def at(ruler, number):
    return QPoint(round(ruler.axis.x(number)), 30)


@given(rounds=st.integers(1, 100_000), width=st.integers(300, 2000), share=st.floats(0, 1))
def test_a_round_is_found_where_it_stands(rounds, width, share):
    axis = RoundAxis.over(width, rounds)
    number = 1 + round(share * (rounds - 1))
    assert axis.round_at(axis.x(number)) == number
    assert LEFT < axis.x(number) < axis.right


@given(rounds=st.integers(1, 100_000), width=st.integers(400, 2000))
def test_ticks_are_round_numbers_that_do_not_collide(rounds, width):
    axis = RoundAxis.over(width, rounds)
    places = [axis.x(tick) for tick in axis.ticks()]
    assert places
    assert all(LEFT <= x <= axis.right for x in places)
    assert all(b - a >= 25 for a, b in pairwise(places))
    assert [nice_step(step) for step in (1, 3, 7, 11, 300)] == [1, 5, 10, 20, 500]


@pytest.mark.parametrize("width", [760, 1016, 1136, 1616])
@pytest.mark.parametrize("planned", [7, 200, 5000])
def test_a_round_is_the_same_x_in_the_ruler_and_in_every_plot(qtbot, width, planned):
    session = made_session(min(planned, 150), planned)
    bench = made_bench(session)
    ruler, view = RoundRuler(bench), TrainingView(bench)
    holder = with_tools(qtbot, view)
    holder.layout().insertWidget(0, ruler)
    holder.resize(width, 900)
    with qtbot.waitExposed(holder):
        holder.show()
    board = view.board
    assert len(board.shown) == 4
    for number in (1, 2, len(session.shown.run.rounds), planned):
        x = ruler.axis.x(number)
        assert board.axis.x(number) == x
        for pane in board.shown:
            drawn = board.mapFromScene(pane.box.mapViewToScene(QPointF(number, 0)))
            assert drawn.x() == pytest.approx(x, abs=0.51)  # mapFromScene gives whole pixels
            assert pane.box.mapViewToScene(QPointF(number, 0)).x() == pytest.approx(x, abs=1e-6)
    for pane in board.shown:
        assert (pane.box.screenGeometry().left(), pane.rect.right()) == (
            board.mapToGlobal(QPoint(LEFT, 0)).x(), width - RIGHT)


def test_clicking_and_dragging_choose_the_round(qtbot, ruler_of):
    session = made_session(150, 200)
    ruler = ruler_of(session)
    qtbot.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=at(ruler, 40))
    assert session.shown.selection.round == 40
    assert ruler.field.text() == "40"
    qtbot.mousePress(ruler, Qt.MouseButton.LeftButton, pos=at(ruler, 40))
    qtbot.mouseMove(ruler, at(ruler, 90))
    assert session.shown.selection.round == 90
    qtbot.mouseMove(ruler, at(ruler, 190))
    qtbot.mouseRelease(ruler, Qt.MouseButton.LeftButton, pos=at(ruler, 190))
    assert session.shown.selection.round is None, "beyond the newest round means to follow"
    add_rounds(session, 160)
    assert ruler.field.text() == "160"


def test_a_chosen_round_stays_while_rounds_arrive(ruler_of):
    session = made_session(50, 200)
    ruler = ruler_of(session)
    session.shown.select(round=20)
    add_rounds(session, 80)
    assert (ruler.field.text(), ruler.words[0]) == ("20", "80 of 200")


def test_keys_step_through_the_rounds(qtbot, ruler_of):
    session = made_session(100, 100)
    ruler = ruler_of(session)
    ruler.setFocus(Qt.FocusReason.TabFocusReason)
    for key, expected in ((Qt.Key.Key_Left, 99), (Qt.Key.Key_PageDown, 89), (Qt.Key.Key_Right, 90),
                          (Qt.Key.Key_Home, 1), (Qt.Key.Key_PageUp, 11), (Qt.Key.Key_End, None)):
        qtbot.keyClick(ruler, key)
        assert session.shown.selection.round == expected


def test_a_round_can_be_typed(qtbot, ruler_of):
    session = made_session(100, 100)
    ruler = ruler_of(session)
    ruler.field.setFocus()
    ruler.field.selectAll()
    qtbot.keyClicks(ruler.field, "37")
    qtbot.keyClick(ruler.field, Qt.Key.Key_Return)
    assert session.shown.selection.round == 37
    ruler.field.selectAll()
    qtbot.keyClicks(ruler.field, "many")
    qtbot.keyClick(ruler.field, Qt.Key.Key_Return)
    assert (session.shown.selection.round, ruler.field.text()) == (37, "37")


def test_it_is_a_slider_to_assistive_tools(ruler_of):
    session = made_session(60, 100)
    ruler = ruler_of(session)
    interface = QAccessible.queryAccessibleInterface(ruler)
    assert interface.role() == QAccessible.Role.Slider
    value = interface.valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (1, 60, 60)
    value.setCurrentValue(12)
    assert session.shown.selection.round == 12
    assert "60 of 100" in ruler.accessibleDescription()


def test_words_follow_the_run(ruler_of):
    assert ruler_of(Session()).words == ("No trees yet", "100 rounds planned")
    session = made_session(60, 100)
    ruler = ruler_of(session)
    assert ruler.words == ("60 of 100", "100 rounds/s, 1 s left")
    session.runs.apply(session.shown.run, [TrainingPaused(60)])
    assert ruler.words == ("Paused at 60", "of 100 rounds")
    end(session, EndReason.STOPPED)
    assert ruler.words == ("Stopped at 60", "The model is kept.")
    end(session, EndReason.EARLY)
    assert ruler.words == ("Stopped early", f"at 60, best {BEST}")
    finished = made_session(100, 100)
    end(finished)
    assert ruler_of(finished).words == ("Finished", "100 rounds in 2.1 s")


def test_best_round_and_changes_are_marked(ruler_of):
    marks = ruler_of(made_session(60, 100, change_at=45)).marks()
    assert (marks.best, marks.changes) == (BEST, ((45, "λ 4"),))
    assert ruler_of(made_session(60, 100, valid=False)).marks().best == 0


def test_the_base_line_is_dark_where_trees_are_and_pale_after_the_playhead(ruler_of):
    session = made_session(100, 200)
    ruler = ruler_of(session)
    session.shown.select(round=50)
    image = ruler.grab().toImage()
    grown, later, to_come = (image.pixelColor(round(ruler.axis.x(r)), 33) for r in (40, 80, 150))
    assert grown.saturation() > 60
    assert later.saturation() < 20
    assert later != to_come


def test_pace_is_taken_over_the_last_two_seconds():
    assert pace(np.array([])) == 0
    assert pace(np.concatenate([np.full(1000, 0.5), np.full(100, 0.02)])) == pytest.approx(50)
    assert pace(np.array([30.0])) == pytest.approx(1 / 30)
    assert [left(s) for s in (0.2, 42, 200, 9000)] == ["1 s left", "42 s left", "3 min left", "2 h left"]
    spoken = ["30 ms", "2.1 s", "42 s", "1 min 20 s", "3 h 5 min"]
    assert [duration(s) for s in (0.03, 2.14, 42, 80, 11_100)] == spoken


def test_rounds_of_unknown_gain_are_low_bars(qtbot):
    """As in models of CatBoost, whose files tell no gain."""
    pictures = []
    for gain in (np.nan, 0.0):
        image = QImage(800, 56, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.white)
        marks = RulerMarks(newest=30, shown=30, best=0, changes=(), words=("Finished", "30 rounds"))
        painter = QPainter(image)
        paint_ruler(painter, RoundAxis.over(800, 30), np.full(30, gain), marks)
        painter.end()
        pictures.append(image)
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("shown", [9, 11, 12, 13, 14, 16, 20])
def test_the_words_of_the_best_round_stand_clear_of_the_playhead(qtbot, shown):
    image = QImage(800, 56, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    axis = RoundAxis.over(800, 30)
    marks = RulerMarks(newest=30, shown=shown, best=11, changes=(), words=("Finished", "30 rounds"))
    painter = QPainter(image)
    paint_ruler(painter, axis, np.ones(30), marks)
    painter.end()

    def is_orange(x, y):
        color = image.pixelColor(x, y)
        return color.red() - color.blue() > 60

    columns = [x for x in range(800) if any(is_orange(x, y) for y in range(4, 17))
               and abs(x - axis.x(11)) > 7]
    assert columns
    assert min(abs(x - axis.x(shown)) for x in columns) > 3


def test_where_little_has_room_the_time_left_is_told(qapp):
    assert shortened("439 rounds/s, 2 min left", 400) == "439 rounds/s, 2 min left"
    assert shortened("439 rounds/s, 2 min left", 80) == "2 min left"
    assert shortened("500 rounds in 1 min 20 s", 80) == "in 1 min 20 s"
    assert shortened("10,000 rounds planned", 80) == "10,000 rounds"


@pytest.mark.parametrize("words", [
    ("Finished", "200 rounds in 85 ms"), ("Finished", "100,000 rounds in 59 min 59 s"),
    ("No trees yet", "100,000 rounds planned"), ("Preparing", "10,000 rounds planned"),
    ("9,999 of 10,000", "1,096 rounds/s, 59 min left"), ("9,999 of 10,000", "growing the first tree"),
    ("Stopped early", "at 10,000, best 9,973"), ("Stopped at 10,000", "before the first tree"),
    ("Paused at 10,000", "of 10,000 rounds"), ("Failed", "10,000 rounds kept"),
])  # fmt: skip
def test_the_words_end_where_the_button_above_them_ends_and_are_whole(qtbot, words):
    image = QImage(800, 56, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_ruler(painter, RoundAxis.over(800, 30), np.ones(30), RulerMarks(30, 30, 0, (), words))
    painter.end()
    assert {image.pixel(x, y) for x in range(800 - 12, 800) for y in range(56)} == {0xFFFFFFFF}
    assert width(words[0], NOTE, bold=True) <= room()
    assert width(shortened(words[1], room()), AXIS) <= room()


def test_the_ruler_shows_where_branches_leave(ruler_of):
    session = made_session(40, 60)
    end(session)
    run = session.shown.run
    ruler = ruler_of(session)
    bare = ruler.grab().toImage()
    run.schema = DataSchema((), "y", "binary", ("no", "yes"), rows=1)
    session.branch(run, 20, gamma=1.0)
    assert ruler.branches == (20,)
    session.shown.show(run)
    assert "branches at 20" in ruler.accessibleDescription()
    x = round(ruler.axis.x(20.5))
    assert ruler.grab().toImage().copy(x - 4, 30, 8, 10) != bare.copy(x - 4, 30, 8, 10)
    session.journal.undo()
    assert ruler.branches == ()


def test_the_menu_of_the_ruler_continues_from_its_round(ruler_of, qtbot):
    session = made_session(40, 60)
    end(session)
    ruler = ruler_of(session)
    place = at(ruler, 20)
    QApplication.sendEvent(ruler, QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, ruler.mapToGlobal(place)))  # fmt: skip
    menu = QApplication.activePopupWidget()
    (action,) = menu.actions()
    assert (action.text(), action.isEnabled()) == ("Continue from here", True)
    action.trigger()
    menu.close()
    assert session.notices.current.text.startswith("Continuing needs the rows")


def test_the_words_of_the_marks_have_a_band_above_the_tallest_bar(qtbot):
    letters = QFontMetricsF(font(AXIS, True))
    below = letters.tightBoundingRect("best 120, λ 14").bottom()
    assert paint.MARKS_Y + letters.capHeight() / 2 + below < paint.BASE - paint.LOWEST - paint.RISE
