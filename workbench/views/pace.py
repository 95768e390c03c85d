"""When views do what need not be done at once: at a slower beat while a run trains, or after a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.session.session import Session

BEAT_MS = 120
PAINTED_MS = 60
FIRST_ROUND_MS = 150  # within which the first round of a run is mostly there
LATE_MS = 300  # after which a wait is told


def once_painted(call: Callable[[], None], parent: QObject, interval: int = PAINTED_MS) -> QTimer:
    """Return a timer that calls once what is new is painted, which work on other threads would hold up."""
    return _OncePainted(call, parent, interval)


class _OncePainted(QTimer):
    """Holds its call where Python sees it: what a signal holds would keep a view alive for ever."""

    def __init__(self, call: Callable[[], None], parent: QObject, interval: int) -> None:
        super().__init__(parent, singleShot=True, interval=interval)
        self._call = call
        self.timeout.connect(self._is_due)

    def _is_due(self) -> None:
        in_own_event(self._call, self)


class Pace(QObject):
    """Calls `redraw` at most every 120 ms while a run trains, and at once when none does."""

    def __init__(self, session: Session, redraw: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._redraw = session, redraw
        self._at_once = session.events.another()
        self._at_once.connect(redraw)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._is_due)
        session.events.rounds.connect(self._rounds_added)

    def _is_due(self) -> None:
        in_own_event(self._redraw, self)

    def _rounds_added(self) -> None:
        run = self._session.shown.run
        if run is None or not run.is_live:
            self._timer.stop()
            self._at_once.emit()
        elif not self._timer.isActive():
            self._timer.start()
