"""How long worker threads rest after answers that nobody asked for by hand, for training to keep its pace."""

from __future__ import annotations

from math import ceil
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

SHARE = 0.005  # of a processor: training waits for its slowest thread, so it is held up as long as is worked


class Rest(QObject):
    """What all who work beside a run take together: after so much work of any of them, all rest."""

    over = Signal()

    def __init__(self, parent: QObject | None = None, share: float = SHARE) -> None:
        super().__init__(parent)
        self._share = share
        self._until = 0.0  # seconds, on the clock
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.over)

    def add(self, worked: float) -> None:
        """Rest for as long as so many seconds of work are worth, after what is left of the present rest."""
        self._until = max(self._until, perf_counter()) + worked * (1 / self._share - 1)

    def lasts(self) -> bool:
        """Whether it is too soon to work again; `over` tells when it is not."""
        left = self._until - perf_counter()
        if left <= 0.0:
            return False
        self._timer.start(ceil(1000 * left))
        return True
