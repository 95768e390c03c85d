"""Threads that run one kernel together, each its part, and wait for each other inside it.

    thread 0   | part 0 of phase a | meet | part 0 of phase b | meet | …
    thread 1   | part 1 of phase a | meet | part 1 of phase b | meet | …

The threads are Python's own and enter the kernel once; `meet` costs about a microsecond where starting
a thread costs thirty. Any thread may bring its own team, and teams know nothing of each other.
"""

from __future__ import annotations

import sys
import threading
import weakref
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numba import types

from workbench.kernels.kernel import kernel
from workbench.trees.instructions import atomic_add, atomic_load

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Answer: TypeAlias = "SimpleQueue[BaseException | None]"
Tasks: TypeAlias = "SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...], Answer] | None]"

# The shared counters stand on cache lines of their own.
ARRIVED, TURN = 0, 16
N_COUNTERS = 32
PATIENT_SPINS = 1000
LEAST_ROWS_A_PART = 50_000

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

    Helpers are daemons: a program ends without waiting for a kernel that is under way. Where a helper
    cannot be started, the team has fewer parts. A team does one thing at a time.

    Parameters
    ----------
    parts : int
        From 1.
    """

    def __init__(self, parts: int) -> None:
        self._helpers: list[Tasks] = []
        with suppress(RuntimeError):  # no thread can be started any more
            for _ in range(parts - 1):
                self._helpers.append(_start_helper())
        self.parts = 1 + len(self._helpers)
        self._leader: list[Tasks] = []
        self._busy = threading.Lock()
        weakref.finalize(self, _dismiss, self._helpers, self._leader)

    def share(self, kernel: Callable[..., object], n_rows: int, *arguments: object) -> None:
        """Call `kernel(part, parts, *arguments)` for every part; no part waits for another.

        Few rows are not cut into parts: waking a thread takes as long as some thousand rows.
        """
        parts = max(1, min(self.parts, n_rows // LEAST_ROWS_A_PART))
        if parts == 1:
            kernel(0, 1, *arguments)
        else:
            self._lead(kernel, parts, arguments)

    def run(self, together: Callable[..., object], *arguments: object) -> None:
        """Call `together(part, parts, counters, *arguments)` in every thread; return when all have.

        The kernel calls `meet(counters, parts)` equally often in every part, and neither raises nor
        allocates much: a part that does not come keeps the others waiting.
        """
        counters: NDArray[np.int64] = np.zeros(N_COUNTERS, np.int64)
        if self.parts == 1:
            together(0, 1, counters, *arguments)
        else:
            self._lead(together, self.parts, (counters, *arguments))

    def _lead(self, call: Callable[..., object], parts: int, arguments: tuple[object, ...]) -> None:
        """Do all parts; in the main thread by another, as Ctrl-C there could keep a part from coming."""
        leader = self._leader_of_main() if threading.current_thread() is threading.main_thread() else None
        if leader is None:
            self._do_parts(call, parts, arguments)
        else:
            _wait([_hand_over(leader, self._do_parts, (call, parts, arguments))])

    def _do_parts(self, call: Callable[..., object], parts: int, arguments: tuple[object, ...]) -> None:
        with self._busy:
            answers = [
                _hand_over(self._helpers[part - 1], call, (part, parts, *arguments))
                for part in range(1, parts)
            ]
            try:
                call(0, parts, *arguments)
            finally:
                _wait(answers)

    def _leader_of_main(self) -> Tasks | None:
        with suppress(RuntimeError):
            if not self._leader:
                self._leader.append(_start_helper())
        return self._leader[0] if self._leader else None


def _start_helper() -> Tasks:
    tasks: Tasks = SimpleQueue()
    threading.Thread(target=_help, args=(tasks,), name="helper", daemon=True).start()
    return tasks


def _help(tasks: Tasks) -> None:
    """Do one task after another until dismissed."""
    while (task := tasks.get()) is not None:
        call, arguments, answer = task
        error = None
        try:
            call(*arguments)
        except BaseException as raised:
            error = raised
        answer.put(error)
        del task, call, arguments, answer, error  # or a team would hold its last arrays while it is idle


def _hand_over(tasks: Tasks, call: Callable[..., object], arguments: tuple[object, ...]) -> Answer:
    answer: Answer = SimpleQueue()
    tasks.put((call, arguments, answer))
    return answer


def _wait(answers: list[Answer]) -> None:
    """Wait for all, and raise what one of them raised."""
    errors = [error for error in [answer.get() for answer in answers] if error is not None]
    try:
        if errors:
            raise errors[0]
    finally:
        del errors  # whose traceback leads here: a cycle that would keep the team


def _dismiss(*teams: list[Tasks]) -> None:
    for team in teams:
        for tasks in team:
            tasks.put(None)


ALONE = Team(1)  # the calling thread
