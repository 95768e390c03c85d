"""Threads that run one kernel together, each its part, and wait for each other inside it.

    thread 0   | part 0 of phase a | meet | part 0 of phase b | meet | …
    thread 1   | part 1 of phase a | meet | part 1 of phase b | meet | …

The threads are Python's own and enter the kernel once; `meet` costs about a microsecond where starting
a thread costs thirty. Any thread may bring its own team, and teams know nothing of each other.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from workbench.trees.instructions import atomic_add, atomic_load
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# The shared counters stand on cache lines of their own.
ARRIVED, TURN = 0, 16
N_COUNTERS = 32
PATIENT_SPINS = 1000
LEAST_ROWS_A_PART = 10_000

give_way = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


@kernel
def meet(counters, parts):
    """Wait until every part has come here; what each wrote before, all can read after."""
    if parts == 1:
        return
    turn = atomic_load(counters, TURN)
    if atomic_add(counters, ARRIVED, 1) == parts - 1:
        atomic_add(counters, ARRIVED, -parts)
        atomic_add(counters, TURN, 1)
        return
    spins = 0
    while atomic_load(counters, TURN) == turn:
        spins += 1
        if spins > PATIENT_SPINS:
            give_way()


class Team:
    """As many threads as parts: the calling one and helpers.

    Parameters
    ----------
    parts : int
        From 1.
    """

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self._helpers = ThreadPoolExecutor(parts - 1) if parts > 1 else None

    def share(self, kernel: Callable[..., object], n_rows: int, *arguments: object) -> None:
        """Call `kernel(part, parts, *arguments)` for every part; no part waits for another.

        Few rows are not cut into parts: waking a thread takes as long as some thousand rows.
        """
        parts = max(1, min(self.parts, n_rows // LEAST_ROWS_A_PART))
        others = [
            self._helpers.submit(kernel, part, parts, *arguments) for part in range(1, parts)
        ] if self._helpers is not None else []
        kernel(0, parts, *arguments)
        for other in others:
            other.result()

    def run(self, together: Callable[..., object], *arguments: object) -> None:
        """Call `together(part, parts, counters, *arguments)` in every thread; return when all have.

        The kernel calls `meet(counters, parts)` equally often in every part, and neither raises nor
        allocates much: a part that does not come keeps the others waiting.
        """
        counters: NDArray[np.int64] = np.zeros(N_COUNTERS, np.int64)
        if self._helpers is None:
            together(0, 1, counters, *arguments)
            return
        others = [
            self._helpers.submit(together, part, self.parts, counters, *arguments)
            for part in range(1, self.parts)
        ]
        together(0, self.parts, counters, *arguments)
        for other in others:
            other.result()


ALONE = Team(1)  # the calling thread
