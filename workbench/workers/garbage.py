"""Reference cycles are collected on the window's thread alone.

Python collects them on whichever thread happens to allocate. A widget in a cycle would then be destroyed on a
worker thread, which ends the process.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 1000
LIMITS = (700, 10, 10)  # allocations, then collections of the younger generation


class GarbageCollection(QObject):
    """Takes over from Python's own collector for as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(collect)
        self._timer.start()


    def leave_out_what_is_there(self) -> None:
        """Look no more at what is alive now, such as all modules: that takes a tenth of a second."""
        gc.collect()
        gc.freeze()


def collect() -> None:
    """Collect the generations that are due, as Python's own collector does."""
    for generation, (count, limit) in enumerate(zip(gc.get_count(), LIMITS, strict=True)):
        if count <= limit:
            break
        gc.collect(generation)
