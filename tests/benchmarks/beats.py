"""Beats of the window's event loop: how long it stalls, and how much of that is its own thread's work."""

from __future__ import annotations

import cProfile
import gc
import pstats
import time
from typing import Any, NamedTuple

import numpy as np

LONG_MS = 16.0  # a frame of the screen: what a stall must not exceed
PROFILED_CALLS = 14


class Stall(NamedTuple):
    """What some seconds of beats came to, in milliseconds.

    `own` is the most processor time that the window's own thread took in one beat, `many` counts beats with
    more than LONG_MS of it, and `collected` is the longest that the search for reference cycles took.
    """

    gap: float
    own: float
    many: int
    beats: int
    collected: float


class Heartbeat:
    """A timer on the window's thread; the longest gap between two beats is the longest stall.

    What the thread itself takes of the processor in a gap tells how much of it is the window's own doing.
    With `profiled_ms`, where a beat that took more of it went is printed; profiling makes all of them longer.
    """

    def __init__(self, profiled_ms: float = 0.0) -> None:
        from PySide6.QtCore import QTimer

        self._timer = QTimer()
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._beat)
        self.gaps: list[float] = []
        self.own: list[float] = []
        self._last = self._spent = self._gc_began = self._collected = 0.0
        self._profiled_ms, self._profile = profiled_ms, cProfile.Profile(time.thread_time)

    def start(self) -> None:
        self.gaps.clear()
        self.own.clear()
        self._collected = 0.0
        gc.callbacks.append(self._collecting)
        self._last, self._spent = time.perf_counter(), time.thread_time()
        self._timer.start()
        if self._profiled_ms:
            self._profile.enable()

    def stop(self) -> Stall:
        """Return what there was since the start."""
        self._profile.disable()
        self._timer.stop()
        gc.callbacks.remove(self._collecting)
        gaps, own = np.array(self.gaps) * 1000, np.array(self.own) * 1000
        longest = (float(gaps.max(initial=0)), float(own.max(initial=0)))
        return Stall(*longest, int((own > LONG_MS).sum()), len(own), self._collected * 1000)

    def _beat(self) -> None:
        now, spent = time.perf_counter(), time.thread_time()
        self.gaps.append(now - self._last)
        self.own.append(spent - self._spent)
        if self._profiled_ms:
            self._look_into(1000 * self.own[-1])
        self._last, self._spent = time.perf_counter(), time.thread_time()

    def _look_into(self, own: float) -> None:
        """Print where a long beat went, and profile the next one alone."""
        self._profile.disable()
        if own > self._profiled_ms:
            print(f"--- a beat of {own:.1f} ms")
            statistics = pstats.Stats(self._profile)
            for order in ("cumulative", "tottime"):
                statistics.sort_stats(order).print_stats(PROFILED_CALLS)
        self._profile = cProfile.Profile(time.thread_time)
        self._profile.enable()

    def _collecting(self, phase: str, _info: dict[str, Any]) -> None:
        if phase == "start":
            self._gc_began = time.thread_time()
        else:
            self._collected = max(self._collected, time.thread_time() - self._gc_began)
