"""What is put off is done, and leaves nothing behind."""

from __future__ import annotations

import gc
from weakref import getweakrefcount, ref

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from workbench.views.pace import once_painted
from workbench.views.turns.held import hold, let_go, let_go_in_own_event, painted_in_own_event, picture_of
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event, own_events
from workbench.views.turns.paint_turn import PaintTurn


class Painted(QWidget):
    """Keeps in which order widgets were painted."""

    order = []  # noqa: RUF012

    def paintEvent(self, event):
        self.order.append(self.objectName())


class Receiver(QObject):
    called = 0

    def call(self) -> None:
        self.called += 1


def test_a_call_in_its_own_event_leaves_no_reference(qtbot):
    receiver = Receiver()
    before = getweakrefcount(receiver)
    for _ in range(5):
        in_own_event(receiver.call, receiver)
    qtbot.waitUntil(lambda: receiver.called == 5)
    assert getweakrefcount(receiver) == before


def test_what_waits_until_all_is_painted_keeps_no_view_alive(qapp):
    class View(QWidget):
        def __init__(self):
            super().__init__()
            self._soon = once_painted(self.draw, self)

        def draw(self) -> None:
            pass

    view = View()
    kept = ref(view)
    del view
    gc.collect()
    assert kept() is None


def test_many_steps_let_other_events_through_and_are_all_taken_once_more_where_asked(qtbot, monkeypatch):
    spent = iter(range(1000))
    monkeypatch.setattr("workbench.views.turns.in_turns.time.thread_time", lambda: 0.003 * next(spent))
    taken, receiver = [], Receiver()

    def steps():
        for step in range(4):
            taken.append(step)
            yield

    made = InTurns(steps, receiver)
    made.start()
    assert taken == [0, 1]
    made.start()
    made.start()
    qtbot.waitUntil(lambda: len(taken) == 8)
    assert taken == [*range(4), *range(4)]


def test_what_changes_in_turns_is_painted_once_all_are_taken(qtbot, monkeypatch):
    spent = iter(range(1000))
    monkeypatch.setattr("workbench.views.turns.in_turns.time.thread_time", lambda: 0.003 * next(spent))
    widget, painted = QWidget(), []
    qtbot.addWidget(widget)

    def steps():
        for _ in range(4):
            painted.append(widget.updatesEnabled())
            yield

    InTurns(steps, widget, widget).start()
    assert not widget.updatesEnabled()
    qtbot.waitUntil(widget.updatesEnabled)
    assert painted == [True, True, False, False]


def test_something_is_painted_while_a_hand_moves_on_and_on(qtbot, monkeypatch):
    page, first, _, order = _two_painted(qtbot, monkeypatch)
    spent = iter(range(10**6))
    monkeypatch.setattr("workbench.views.turns.in_turns.time.thread_time", lambda: 0.003 * next(spent))
    monkeypatch.setattr("workbench.views.turns.own_events.PASS_SECONDS", -1.0)  # much else is done, too
    made = InTurns(lambda: iter([None] * 4), page, first)
    hand = QTimer(page, interval=0)
    hand.timeout.connect(made.start)
    hand.start()
    qtbot.waitUntil(lambda: order.count("part 0") > 2)


def test_what_comes_to_be_shown_is_painted_an_event_later(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    painted_in_own_event(widget)
    assert widget.updatesEnabled()  # nobody sees it
    widget.show()
    painted_in_own_event(widget)
    assert not widget.updatesEnabled()
    qtbot.waitUntil(widget.updatesEnabled)


def test_several_widgets_are_painted_one_after_another(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    first, second = QWidget(page), QWidget(page)
    page.show()
    painted_in_own_event(page, first)
    painted_in_own_event(second)
    seen = set()

    def look():
        seen.add((page.updatesEnabled(), first.updatesEnabled(), second.updatesEnabled()))
        return second.updatesEnabled()

    assert not look()
    qtbot.waitUntil(look)
    assert seen <= {(False,) * 3, (True, False, False), (True, True, False), (True,) * 3}


def test_what_waits_is_not_painted_over_by_what_stands_around_it(qtbot, qapp):
    class Painted(QWidget):
        def paintEvent(self, event):
            QPainter(self).fillRect(self.rect(), "red")

    page = QWidget()
    qtbot.addWidget(page)
    part = Painted(page)
    page.resize(40, 40)
    part.resize(20, 20)

    def seen():
        picture = qapp.primaryScreen().grabWindow(page.winId()).toImage()
        return "" if picture.isNull() else picture.pixelColor(10, 10).name()

    page.show()
    qtbot.waitUntil(lambda: seen() == "#ff0000")
    painted_in_own_event(part)
    page.repaint()
    assert seen() == "#ff0000"
    assert picture_of(page).pixelColor(10, 10).name() == "#ff0000"
    assert not part.updatesEnabled()
    qtbot.waitUntil(part.updatesEnabled)
    assert not part.testAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def test_a_widget_that_two_hold_is_painted_when_both_let_go(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    hold(widget)
    hold(widget)
    let_go(widget)
    assert not widget.updatesEnabled()
    let_go(widget)
    assert widget.updatesEnabled()


def _two_painted(qtbot, monkeypatch):
    page, order = QWidget(), []
    qtbot.addWidget(page)
    monkeypatch.setattr(Painted, "order", order)
    parts = Painted(page), Painted(page)
    for place, part in enumerate(parts):
        part.setObjectName(f"part {place}")
        part.setGeometry(0, 20 * place, 20, 20)
    page.show()
    qtbot.waitUntil(lambda: len(order) == 2)
    order.clear()
    return page, *parts, order


def test_what_has_its_own_turn_is_not_painted_with_what_waits_already(qtbot, monkeypatch):
    _, first, second, order = _two_painted(qtbot, monkeypatch)
    monkeypatch.setattr("workbench.views.turns.own_events.PASS_SECONDS", 60.0)
    hold(first)
    second.update()
    let_go_in_own_event(first)
    own_events()._timer.stop()
    own_events()._turn()
    assert order == ["part 1"]
    qtbot.waitUntil(lambda: order == ["part 1", "part 0"])


def test_a_pass_that_has_done_much_leaves_painting_and_calls_to_the_next(qtbot, monkeypatch):
    page, first, _, order = _two_painted(qtbot, monkeypatch)
    turn, receiver = PaintTurn(page), Receiver()
    monkeypatch.setattr("workbench.views.turns.own_events.PASS_SECONDS", -1.0)
    first.repaint()
    assert not order
    in_own_event(receiver.call, receiver)
    own_events()._turn()
    assert not receiver.called
    qtbot.waitUntil(lambda: order == ["part 0"] and receiver.called)
    assert turn.parent() is page
