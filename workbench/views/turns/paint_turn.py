"""When a window is painted: in a pass of the event loop that has done little else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer

from workbench.views.turns.own_events import own_events

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

LAST = Qt.EventPriority.LowEventPriority.value  # as Qt asks a window to paint what is new


class PaintTurn(QObject):
    """Puts off, once, what a window is asked to paint in a pass that has done much already."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._own_events, self._is_put_off = window, own_events(), False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._ask_again)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        self._is_put_off = self._own_events.is_pass_full and not self._is_put_off
        if self._is_put_off:
            self._timer.start()
        return self._is_put_off

    def _ask_again(self) -> None:
        QCoreApplication.postEvent(self._window, QEvent(QEvent.Type.UpdateRequest), LAST)
