"""Calls that wait until what is under way is done, and then come one by one."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakMethod, ref

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QObject, Qt, QTimer
from shiboken6 import Shiboken

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
OWN_EVENT_MS = 1
PASS_SECONDS = 0.004  # of the window's thread in a pass of the loop, after which what can wait does


class OwnEvents(QObject):
    """Calls one after another, in events of their own: timers that are due are all served in one go.

    What is due in a pass of the event loop that has done much already waits for the next.
    """

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._waiting: deque[tuple[Callable[[], Any], Callable[[], Any], bool]] = deque()  # references
        self._timer = QTimer(self, singleShot=True, interval=OWN_EVENT_MS)
        self._timer.timeout.connect(self._turn)
        self._pass_began, self._has_waited = time.thread_time(), False
        QAbstractEventDispatcher.instance().awake.connect(self._begin_pass)

    def add(self, call: Callable[[], object], parent: QObject, *, alone: bool = False) -> None:
        """Let a call wait for its turn; it is dropped where its parent is gone by then.

        No other comes before what it asks for is painted where it is `alone`.

        A method of a widget of our own is held weakly, as that widget is: it may listen to a session.
        """
        is_method = isinstance(call, MethodType)
        waits = WeakMethod(call) if is_method else partial(_itself, call)
        self._waiting.append((reference(parent), waits, alone))
        if not self._timer.isActive():
            self._timer.start()

    @property
    def is_pass_full(self) -> bool:
        """Whether the present pass of the event loop has done much already."""
        return time.thread_time() - self._pass_began > PASS_SECONDS

    def _begin_pass(self) -> None:
        self._pass_began = time.thread_time()

    def _turn(self) -> None:
        self._has_waited = self.is_pass_full and not self._has_waited
        if self._has_waited:
            self._timer.start()
            return
        is_last = False
        while self._waiting and not is_last:
            parent, call, is_alone = self._waiting.popleft()
            if self._waiting:
                self._timer.start()
            _call(parent(), call())
            is_last = is_alone or self.is_pass_full


def _call(parent: QObject | None, call: Callable[[], object] | None) -> None:
    if parent is not None and call is not None and Shiboken.isValid(parent):
        call()


def reference(made: QObject) -> Callable[[], Any]:
    """Return what gives an object: weakly, but for one of Qt's own classes, which Python forgets at once."""
    return partial(_itself, made) if type(made).__module__.startswith("PySide6") else ref(made)


def _itself(made: T) -> T:
    return made


def own_events() -> OwnEvents:
    """Return the one queue of the program."""
    app = QCoreApplication.instance()
    found = app.findChild(OwnEvents, options=Qt.FindChildOption.FindDirectChildrenOnly) if app else None
    return found or OwnEvents(app)


def in_own_event(call: Callable[[], object], parent: QObject) -> None:
    """Call when what is under way is done and painted: what is posted would still be part of it."""
    own_events().add(call, parent)
