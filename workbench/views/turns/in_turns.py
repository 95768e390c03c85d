"""Many small steps that leave the window's thread to others again and again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.views.turns.held import hold, is_held, let_go, let_go_in_own_event
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QWidget

TURN_SECONDS = 0.005  # of the window's thread, after which the rest waits for what else it has to do


class InTurns(QObject):
    """Takes many small steps: as many at once as take a few milliseconds, the rest in events of their own.

    `steps` returns an iterator that takes one each time it is asked for the next. Where steps are left for
    later, `changed` is painted when all are taken, not after each turn. A start meanwhile lets all of them be
    taken once more; but for a first turn they wait until that is painted, while a hand moves on and on.
    """

    def __init__(
        self, steps: Callable[[], Iterator[None]], parent: QObject, changed: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._steps, self._changed = steps, changed
        self._left: Iterator[None] = iter(())
        self._waits = self._again = self._is_begun = self._holds = False

    def start(self) -> None:
        """Begin with the first at once, or take all once more where some of an earlier start are left."""
        if self._waits and (self._is_begun or self._is_unpainted):
            self._again = self._is_begun
        else:
            self._left = self._steps()
            self._turn()

    def start_soon(self) -> None:
        """Likewise, but begin when what is under way is done."""
        if self._waits:
            self._again = self._is_begun
        else:
            self._hold()
            self._begin_later()

    @property
    def _is_unpainted(self) -> bool:
        """Whether what earlier steps changed waits to be painted."""
        return self._changed is not None and not self._holds and is_held(self._changed)

    def _begin_later(self) -> None:
        self._left, self._is_begun = self._steps(), False
        self._wait()

    def _wait(self) -> None:
        self._waits = True
        in_own_event(self._turn, self)

    def _turn(self) -> None:
        if self._waits and self._is_unpainted:
            self._wait()
            return
        self._waits, self._is_begun, end = False, True, time.thread_time() + TURN_SECONDS
        try:
            for _ in self._left:
                if time.thread_time() > end:
                    self._hold()
                    self._wait()
                    return
        finally:
            if not self._waits:  # all are taken, or one failed
                self._let_go()
        if self._again:
            self._again = False
            self._begin_later()

    def _hold(self) -> None:
        if self._changed is not None and not self._holds and not self._is_unpainted:
            self._holds = True
            hold(self._changed)

    def _let_go(self) -> None:
        changed, held, self._holds = self._changed, self._holds, False
        if changed is not None and held:
            (let_go_in_own_event if changed.isVisible() else let_go)(changed)
