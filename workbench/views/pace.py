"""When views do what need not be done at once: at a slower beat while a run trains, or after a picture."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakMethod, ref

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QWidget

    from workbench.session.session import Session

T = TypeVar("T")
BEAT_MS = 120
PAINTED_MS = 60
FIRST_ROUND_MS = 150  # within which the first round of a run is mostly there
OWN_EVENT_MS = 1
TURN_SECONDS = 0.005  # of the window's thread, after which the rest waits for what else it has to do
HELD = "held"  # a property of widgets that are not painted meanwhile
LATE_MS = 300  # after which a wait is told


class OwnEvents(QObject):
    """Calls one after another, each in an event of its own: timers that are due are all served in one go."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[Callable[[], Any], Callable[[], Any]]] = deque()  # references
        self._timer = QTimer(self, singleShot=True, interval=OWN_EVENT_MS)
        self._timer.timeout.connect(self._turn)

    def add(self, call: Callable[[], object], parent: QObject) -> None:
        """Let a call wait for its turn; it is dropped where its parent is gone by then.

        What Python made lives as long as Qt has it: it is not kept alive, for it may listen to a session.
        """
        is_method = isinstance(call, MethodType)
        self._waiting.append((_reference(parent), WeakMethod(call) if is_method else partial(_itself, call)))
        if not self._timer.isActive():
            self._timer.start()

    def _turn(self) -> None:
        parent, call = (reference() for reference in self._waiting.popleft())
        if self._waiting:
            self._timer.start()
        if parent is not None and call is not None and Shiboken.isValid(parent):
            call()


def _reference(made: QObject) -> Callable[[], Any]:
    """Return what gives an object: weakly, but for one of Qt's own classes, which Python forgets at once."""
    return partial(_itself, made) if type(made).__module__.startswith("PySide6") else ref(made)


def _itself(made: T) -> T:
    return made


def in_own_event(call: Callable[[], object], parent: QObject) -> None:
    """Call when what is under way is done and painted: what is posted would still be part of it."""
    app = QCoreApplication.instance()
    found = app.findChild(OwnEvents, options=Qt.FindChildOption.FindDirectChildrenOnly) if app else None
    (found or OwnEvents(app)).add(call, parent)


def painted_in_own_event(*widgets: QWidget) -> None:
    """Let widgets show what they show until what is under way is done, and paint what is new one by one.

    The first, which may hold the others, is seen now; what nobody sees is painted as it comes to be seen. One
    that waits already goes on waiting.
    """
    if widgets[0].isVisible():
        for widget in widgets:
            if not widget.testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled):
                _hold(widget)
                in_own_event(partial(_let_go_of, _reference(widget)), widget)


def _hold(widget: QWidget) -> None:
    """Let a widget show what it shows, whatever is painted around it: an opaque one is not painted over."""
    widget.setUpdatesEnabled(False)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent):
        widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        widget.setProperty(HELD, True)


def _let_go(widget: QWidget) -> None:
    """Let it be painted again."""
    if widget.property(HELD):
        widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)
        widget.setProperty(HELD, None)
    widget.setUpdatesEnabled(True)


def _let_go_of(reference: Callable[[], Any]) -> None:
    _let_go(reference())


def once_painted(call: Callable[[], None], parent: QObject, interval: int = PAINTED_MS) -> QTimer:
    """Return a timer that calls once what is new is painted, which work on other threads would hold up."""
    timer = QTimer(parent, singleShot=True, interval=interval)
    timer.timeout.connect(call)
    return timer


class Pace(QObject):
    """Calls `redraw` at most every 120 ms while a run trains, and at once when none does."""

    def __init__(self, session: Session, redraw: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._at_once = session.events.another()
        self._at_once.connect(redraw)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(redraw)
        session.events.rounds.connect(self._rounds_added)

    def _rounds_added(self) -> None:
        run = self._session.shown.run
        if run is None or not run.is_live:
            self._timer.stop()
            self._at_once.emit()
        elif not self._timer.isActive():
            self._timer.start()


class InTurns(QObject):
    """Takes many small steps: as many at once as take a few milliseconds, the rest in events of their own.

    `steps` returns an iterator that takes one each time it is asked for the next. Where steps are left for
    later, `changed` is painted when all are taken, not after each turn. A start meanwhile lets all of them be
    taken once more, so that something is painted while a hand moves on and on.
    """

    def __init__(
        self, steps: Callable[[], Iterator[None]], parent: QObject, changed: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._steps, self._changed = steps, changed
        self._left: Iterator[None] = iter(())
        self._waits = self._again = self._is_begun = False

    def start(self) -> None:
        """Begin with the first at once, or take all once more where some of an earlier start are left."""
        if self._waits and self._is_begun:
            self._again = True
        else:
            self._left = self._steps()
            self._turn()

    def start_soon(self) -> None:
        """Likewise, but begin when what is under way is done."""
        if self._waits:
            self._again = self._is_begun
        else:
            self._left, self._is_begun = self._steps(), False
            self._hold()
            self._wait()

    def _wait(self) -> None:
        self._waits = True
        in_own_event(self._turn, self)

    def _turn(self) -> None:
        self._waits, self._is_begun, end = False, True, time.thread_time() + TURN_SECONDS
        try:
            for _ in self._left:
                if time.thread_time() > end:
                    self._hold()
                    self._wait()
                    return
        finally:
            if not self._waits:  # all are taken, or one failed
                self._let_paint()
        if self._again:
            self._again, self._left = False, self._steps()
            self._wait()

    def _hold(self) -> None:
        if self._changed is not None:
            _hold(self._changed)

    def _let_paint(self) -> None:
        changed = self._changed
        if changed is not None and changed.isVisible() and not changed.updatesEnabled():
            in_own_event(partial(_let_go_of, _reference(changed)), changed)
        elif changed is not None:
            _let_go(changed)
