"""Space and → act on the run wherever the keyboard is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTabBar,
    QWidget,
)

from workbench.data.samples import sample_file
from workbench.session.playground.patterns import PATTERNS
from workbench.session.run import RunState
from workbench.views.controls.parameter_field import ParameterField
from workbench.views.controls.slider import Slider

LONG = 30_000
SPACE, LEFT, RIGHT = Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right


@pytest.fixture
def paused(window, qtbot):
    """A window whose run waits after its first round."""
    window.open_path(sample_file("heart_disease"))
    qtbot.waitUntil(lambda: not window.frame.on_welcome, timeout=LONG)
    window.session.hyperparameters.change(rounds=100_000)
    qtbot.mouseClick(window.frame.transport.step_button, Qt.MouseButton.LeftButton)
    wait_for(window, qtbot, RunState.PAUSED)
    qtbot.waitUntil(lambda: window.frame.centre.current == "training")
    return window


def wait_for(window, qtbot, state):
    shown = window.session.shown
    qtbot.waitUntil(lambda: shown.run and shown.run.state is state, timeout=LONG)


def press(qtbot, key):
    qtbot.keyClick(QApplication.focusWidget(), key)


def steps(window, qtbot):
    """Press → and wait for the round it grows."""
    done = len(window.session.shown.run.rounds)
    press(qtbot, RIGHT)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) == done + 1, timeout=LONG)
    wait_for(window, qtbot, RunState.PAUSED)


def goes_on_and_pauses(window, qtbot):
    for state in (RunState.RUNNING, RunState.PAUSED):
        press(qtbot, SPACE)
        wait_for(window, qtbot, state)


def test_keys_after_a_click_on_a_button(paused, qtbot):
    steps(paused, qtbot)
    steps(paused, qtbot)
    goes_on_and_pauses(paused, qtbot)


def places(window):
    """What can have the keyboard beside text fields, of each kind one that is seen."""
    frame = window.frame
    frame.left.show_view("parameters")
    kinds = (QPushButton, QCheckBox, QComboBox, QAbstractItemView)
    seen = [w for kind in kinds for w in frame.findChildren(kind) if w.isVisible() and w.isEnabled()]
    one_each = list({type(w): w for w in seen if w.focusPolicy() != Qt.FocusPolicy.NoFocus}.values())
    return [*one_each, frame.transport.stop_button, frame.centre.bar, frame.left.bar]


def test_keys_wherever_the_focus_is(paused, qtbot):
    found = places(paused)
    assert len(found) > 4
    for place in found:
        place.setFocus()
        steps(paused, qtbot)
        goes_on_and_pauses(paused, qtbot)
        assert paused.frame.centre.current == "training"


@pytest.mark.slow
def test_a_slider_keeps_its_arrows_until_it_was_clicked(paused, qtbot):
    paused.frame.left.show_view("parameters")
    slider = next(s for s in paused.frame.left.findChildren(Slider) if s.isVisible())
    slider.setFocus(Qt.FocusReason.ShortcutFocusReason)  # as a key does
    before = slider.current
    press(qtbot, RIGHT)
    assert slider.current > before
    goes_on_and_pauses(paused, qtbot)
    paused.frame.centre.bar.setFocus()
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(20, 14))
    slider.setFocus(Qt.FocusReason.MouseFocusReason)
    at = slider.current
    steps(paused, qtbot)
    assert slider.current == at


@pytest.mark.slow
def test_what_has_rounds_cells_or_nodes_keeps_its_arrows(paused, qtbot):
    frame = paused.frame
    rounds = len(paused.session.shown.run.rounds)
    frame.centre.show_view("tree")
    canvas = frame.centre.view("tree").canvas
    qtbot.waitUntil(lambda: canvas.scene is not None, timeout=LONG)
    for place in (canvas, frame.ruler, frame.centre.view("training").board, frame.centre.view("table").grid):
        frame.centre.show_view(
            next((view.name for view in frame.centre.views if view.isAncestorOf(place)), frame.centre.current)
        )
        place.setFocus()
        press(qtbot, RIGHT)
        assert paused.session.shown.run.state is RunState.PAUSED
        assert len(paused.session.shown.run.rounds) == rounds
        goes_on_and_pauses(paused, qtbot)
        rounds = len(paused.session.shown.run.rounds)


@pytest.mark.slow
def test_a_text_field_takes_both_keys(paused, qtbot):
    paused.frame.left.show_view("parameters")
    field = next(f for f in paused.frame.left.findChildren(QLineEdit) if f.isVisible() and f.isEnabled())
    field.setFocus()
    field.setText("12")
    field.setCursorPosition(0)
    press(qtbot, RIGHT)
    press(qtbot, SPACE)
    assert field.text() == "1 2"
    assert paused.session.shown.run.state is RunState.PAUSED


def number_fields(window):
    """A field of each kind that takes a number, with one it takes and one it does not."""
    frame = window.frame
    frame.left.show_view("parameters")
    gamma = next(
        f for f in frame.left.view("parameters").findChildren(ParameterField)
        if f.accessibleName() == "Cost of a leaf"
    )
    return (gamma, "0.5", "much"), (frame.ruler.field, "1", "")


def test_enter_in_a_number_field_gives_the_keys_back_to_the_run(paused, qtbot):
    for field, right, wrong in number_fields(paused):
        qtbot.waitUntil(field.isVisible)
        if wrong:
            field.setFocus()
            field.selectAll()
            qtbot.keyClicks(field, wrong)
            press(qtbot, Qt.Key.Key_Return)
            assert QApplication.focusWidget() is field
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, right)
        press(qtbot, Qt.Key.Key_Return)
        assert QApplication.focusWidget() is not field
        goes_on_and_pauses(paused, qtbot)
        steps(paused, qtbot)
        assert field.text() == right or field is paused.frame.ruler.field
    assert paused.session.hyperparameters.wanted.gamma == 0.5


@pytest.mark.slow
def test_enter_in_a_search_stays_there(paused, qtbot):
    paused.frame.left.show_view("parameters")
    fields = paused.frame.left.findChildren(QLineEdit)
    search = next(field for field in fields if field.placeholderText() == "Find a parameter")
    qtbot.waitUntil(search.isVisible)
    search.setFocus()
    qtbot.keyClicks(search, "l")
    press(qtbot, Qt.Key.Key_Return)
    press(qtbot, SPACE)
    assert search.text() == "l "


def rings(window):
    """What shows that a key brought the keyboard to it."""
    return [w for w in window.frame.findChildren(QWidget)
            if w.property("ring") or getattr(w, "_ring", False)]  # fmt: skip


@pytest.mark.slow
def test_the_ring_is_drawn_after_a_key_and_not_where_the_focus_falls(paused, qtbot):
    stop = paused.frame.transport.stop_button
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    stop.setFocus(Qt.FocusReason.MouseFocusReason)
    wait_for(paused, qtbot, RunState.ENDED)
    stop.setEnabled(False)  # the focus falls to the next in line, with Tab for its reason
    assert QApplication.focusWidget() is not stop
    assert [w for w in rings(paused) if w is not paused.frame.ruler] == []
    assert not paused.frame.centre.bar.keeps_arrows
    qtbot.keyClick(paused, Qt.Key.Key_F6)
    bar = QApplication.focusWidget()
    assert isinstance(bar, QTabBar)
    assert bar.property("ring")
    assert bar.keeps_arrows


@pytest.mark.slow
def test_enter_presses_what_has_the_focus(paused, qtbot):
    paused.frame.transport.stop_button.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, Qt.Key.Key_Return)
    wait_for(paused, qtbot, RunState.ENDED)


def test_the_menu_keeps_its_keys(paused, qtbot):
    bar = paused.frame.top_bar.menu_bar
    menu = bar.actions()[2].menu()
    menu.popup(paused.mapToGlobal(QPoint(50, 40)))
    qtbot.waitUntil(menu.isVisible)
    qtbot.keyClick(menu, RIGHT)
    qtbot.keyClick(menu, SPACE)
    menu.hide()
    assert paused.session.shown.run.state is RunState.PAUSED


@pytest.mark.slow
def test_in_the_playground_arrows_go_from_tree_to_tree_wherever_the_focus_is(window, qtbot):
    session, desk = window.session, window.bench.playground
    session.hyperparameters.change(rounds=4, max_depth=2)
    window.documents.draw(PATTERNS.get("moons").draw(60))
    qtbot.waitUntil(lambda: session.shown.run is not None and not desk.is_busy, timeout=LONG)
    qtbot.waitUntil(lambda: window.frame.centre.current == "playground")
    run = session.shown.run
    window.frame.transport.primary_button.setFocus()
    for key, round in ((LEFT, 3), (LEFT, 2), (RIGHT, 3), (RIGHT, None), (RIGHT, None)):
        press(qtbot, key)
        assert session.shown.selection.round == round
    assert session.shown.run is run
    assert list(session.runs) == [run], "no round was grown"
    window.frame.centre.show_view("training")
    press(qtbot, RIGHT)
    qtbot.waitUntil(lambda: session.shown.run is not run, timeout=LONG)
