"""Reference cycles are collected on the window's thread alone, and never for long.

Python collects them on whichever thread happens to allocate. A widget in a cycle would then be destroyed on a
worker thread, which ends the process.

What survives where very many objects are made, such as those of a table of 60,000 columns, is left out of
later collections: to look at all of it takes a tenth of a second or more. That is done while the program has
nothing to do, and no run goes on: one on a cluster leaves the program itself quiet, but is looked at.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY_MS = 100
LIMITS = (700, 10, 100)  # allocations, then collections of the younger generation
MANY, TOO_MANY = 5000, 20_000  # allocations in a beat: some milliseconds' work, and more than that
QUIET_SHARE, QUIET_MS = 0.1, 30_000  # of a processor, and for how long


class GarbageCollection(QObject):
    """Takes over from Python's own collector for as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._spent, self._quiet_ms = time.process_time(), 0
        self._unseen = False  # whether something was left out since all was looked at
        self._holds: Callable[[], bool] = bool
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def wait_while(self, holds: Callable[[], bool]) -> None:
        """Do not look at all there is while this holds."""
        self._holds = holds

    def leave_out_what_is_there(self) -> None:
        """Look at all there is, which takes a tenth of a second or two, then no more at what is alive now."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._unseen = False

    def leave_out(self) -> None:
        """Look no more at what is there now, such as all modules, until there is nothing to do."""
        gc.freeze()
        self._unseen = True

    def _beat(self) -> None:
        allocated = gc.get_count()[0]
        before, self._spent = self._spent, time.process_time()
        is_quiet = self._spent - before < QUIET_SHARE * EVERY_MS / 1000
        self._quiet_ms = self._quiet_ms + EVERY_MS if is_quiet else 0
        if self._unseen and self._quiet_ms >= QUIET_MS and not self._holds():
            self.leave_out_what_is_there()
        elif allocated > MANY:
            if allocated < TOO_MANY:
                gc.collect(0)
            self.leave_out()
        elif _collect() == 2:
            self.leave_out()



def _collect() -> int:
    """Collect the generations that are due, as Python's own collector does; return the oldest, or −1."""
    oldest = -1
    for generation, (count, limit) in enumerate(zip(gc.get_count(), LIMITS, strict=True)):
        if count <= limit:
            break
        gc.collect(generation)
        oldest = generation
    return oldest
