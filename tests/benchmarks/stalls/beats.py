"""Beats of the window's event loop: how long it stalls, and how much of that is its own thread's work."""

from __future__ import annotations

import cProfile
import gc
import os
import pstats
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from tests.benchmarks.stalls.witness import Witness

LONG_MS = 16.0  # a frame of the screen: what a stall must not exceed
PROFILED_CALLS = 14


class Stall(NamedTuple):
    """What some seconds of beats came to, in milliseconds.

    `own` is the most processor time that the window's own thread took in one beat, `many` counts beats with
    more than LONG_MS of it, and `collected` is the longest that the search for reference cycles took. `held`
    is the longest gap without what the thread waited in it for a core (Linux says that; elsewhere nothing is
    taken off): its own work and what it waited for other threads of the program, however busy the machine is.
    `crawled` counts beats above LONG_MS in which a witness crawled too; they are in no other of the figures.
    """

    gap: float
    held: float
    own: float
    many: int
    beats: int
    collected: float
    crawled: int


class Waits:
    """Tells how long the thread that makes it has waited for a core."""

    def __init__(self) -> None:
        self._file = -1
        with suppress(OSError):
            path = Path("/proc/self/task", str(threading.get_native_id()), "schedstat")
            self._file = os.open(path, os.O_RDONLY)

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)

    @property
    def seconds(self) -> float:
        """In all so far; 0 where the system does not say it."""
        return 0.0 if self._file < 0 else int(os.pread(self._file, 100, 0).split()[1]) / 1e9


class Heartbeat:
    """A timer on the window's thread; the longest gap between two beats is the longest stall.

    What the thread itself takes of the processor in a gap tells how much of it is the window's own doing,
    unless the machine crawls, which a witness tells.
    With `profiled_ms`, where a beat that took more of it went is printed; profiling makes all of them longer.
    """

    def __init__(self, profiled_ms: float = 0.0, witness: Witness | None = None) -> None:
        from PySide6.QtCore import QTimer

        self._timer = QTimer()
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._beat)
        self.gaps: list[float] = []
        self.held: list[float] = []
        self.own: list[float] = []
        self._ends: list[float] = []
        self._witness = witness
        self._last = self._spent = self._queued = self._gc_began = self._collected = 0.0
        self._waits = Waits()
        self._profiled_ms, self._profile = profiled_ms, cProfile.Profile(time.thread_time)

    def start(self) -> None:
        for times in (self.gaps, self.held, self.own, self._ends):
            times.clear()
        self._collected = 0.0
        gc.callbacks.append(self._collecting)
        self._take_times()
        self._timer.start()
        if self._profiled_ms:
            self._profile.enable()

    def stop(self) -> Stall:
        """Return what there was since the start."""
        self._profile.disable()
        self._timer.stop()
        gc.callbacks.remove(self._collecting)
        kept = np.array([not self._crawled(place) for place in range(len(self.own))], np.bool_)
        times = 1000 * np.array([self.gaps, self.held, self.own]).reshape(3, -1)[:, kept]
        longest = times.max(axis=1, initial=0.0).tolist()
        many = int((times[2] > LONG_MS).sum())
        return Stall(*longest, many, times.shape[1], self._collected * 1000, int((~kept).sum()))

    def _crawled(self, place: int) -> bool:
        """Whether a beat was long, and the machine's doing."""
        if self._witness is None or 1000 * self.own[place] <= LONG_MS:
            return False
        return self._witness.crawled(self._ends[place] - self.gaps[place], self._ends[place])

    def _beat(self) -> None:
        last, spent, queued = self._last, self._spent, self._queued
        self._take_times()
        self._ends.append(self._last)
        self.gaps.append(self._last - last)
        self.held.append(self._last - last - (self._queued - queued))
        self.own.append(self._spent - spent)
        if self._profiled_ms:
            self._look_into(1000 * self.own[-1])
            self._take_times()

    def _take_times(self) -> None:
        self._last, self._spent, self._queued = time.perf_counter(), time.thread_time(), self._waits.seconds

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
