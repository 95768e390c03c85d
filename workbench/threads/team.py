"""Threads that run one kernel together, each its part, and wait for each other inside it.

    leader   | part 0 of phase a | barrier | part 0 of phase b | barrier | …
    helper   | part 1 of phase a | barrier | part 1 of phase b | barrier | … | linger

The threads are Python's own. A helper that has done its part lingers in the kernel for the next call, if the
team works on few rows: it comes within a microsecond where waking a thread takes thirty. A leader waits a
little for helpers on their way and does the work without those that do not come, and of few rows alone where
it is faster so (see `trial`): results must not depend on the number of parts. Any thread may bring its own
team, and teams know nothing of each other.

    away --sent for--> coming --> here --claimed--> called --> here … --> away
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

from workbench.kernels.instructions import (
    TUPLE_BYTES,
    atomic_add,
    atomic_load,
    atomic_store,
    atomic_swap,
    breathe,
    kind_of,
    microseconds,
    put,
)
from workbench.kernels.kernel import kernel
from workbench.threads.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Answer: TypeAlias = "SimpleQueue[BaseException | None]"
Tasks: TypeAlias = "SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...], Answer] | None]"

# The shared counters stand on cache lines of their own: two of all, then one for each helper.
ARRIVED, TURN = 0, 16
# Microseconds that a leader waits for helpers on their way, and these for another call.
N_HELPERS, WAIT, PATIENCE, CLOCK = 17, 18, 19, 20
LINE, LINE_LENGTH = 32, 16
STATE, PART, PARTS, KIND, OWN_CLOCK = range(5)  # of a helper, in its line
AWAY, COMING, HERE, CLAIMED, CALLED = range(5)

PATIENT_SPINS = 1000
WAIT_OF_FEW_ROWS, WAIT_OF_MANY = 500, 50_000
LINGERING = 3_000
LEAST_ROWS_A_PART = 50_000

give_way = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)


@kernel
def spin(spins):
    """Wait a little, and let other threads go ahead once one has waited long; return how often one has."""
    if spins > PATIENT_SPINS:
        give_way()
    breathe()
    return spins + 1


@kernel
def barrier(counters, parts):
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
        spins = spin(spins)


@kernel
def line_of(member):
    """Return where the line of a helper begins in the counters."""
    return LINE + LINE_LENGTH * (member - 1)


@kernel
def call_helpers(counters, kind):
    """Call the helpers that came for arguments of this kind, or come soon; return the number of parts."""
    parts = 1
    late = microseconds(counters, CLOCK) + counters[WAIT] if counters[N_HELPERS] > 0 else 0
    for member in range(1, counters[N_HELPERS] + 1):
        line, spins = line_of(member), 0
        while atomic_load(counters, line + STATE) == COMING and microseconds(counters, CLOCK) < late:
            spins = spin(spins)
        if atomic_load(counters, line + STATE) != HERE or counters[line + KIND] != kind:
            continue
        if atomic_swap(counters, line + STATE, HERE, CLAIMED):
            counters[line + PART] = parts
            parts += 1
    for member in range(1, counters[N_HELPERS] + 1):
        line = line_of(member)
        if atomic_load(counters, line + STATE) == CLAIMED:
            counters[line + PARTS] = parts
            atomic_store(counters, line + STATE, CALLED)
    return parts


@kernel
def linger(counters, line, patience):
    """Wait to be called, so many microseconds; return part and parts, no parts if nobody called."""
    spins, late = 0, microseconds(counters, line + OWN_CLOCK) + patience
    while True:
        state = atomic_load(counters, line + STATE)
        if state == CALLED:
            return counters[line + PART], counters[line + PARTS]
        is_late = microseconds(counters, line + OWN_CLOCK) >= late
        if is_late and state == HERE and atomic_swap(counters, line + STATE, HERE, AWAY):
            return np.int64(0), np.int64(0)
        spins = spin(spins)


@kernel
def join_team(member, counters, shared_arguments, arguments):
    """Begin a call, as its leader (member 0) or as a helper; return part and parts, none if there is no call.

    The leader's arguments go to `shared_arguments`, from where all `take` them.
    """
    if member == 0:
        put(shared_arguments, arguments)
        return np.int64(0), np.int64(call_helpers(counters, kind_of(arguments)))
    line = line_of(member)
    counters[line + KIND] = kind_of(arguments)
    atomic_store(counters, line + STATE, HERE)
    return linger(counters, line, counters[WAIT] + counters[PATIENCE])


@kernel
def rejoin_team(member, parts, counters):
    """End a call when every part is done; return part and parts of the next, of which a leader has none."""
    if member == 0:
        barrier(counters, parts)
        return np.int64(0), np.int64(0)
    line = line_of(member)
    atomic_store(counters, line + STATE, HERE)
    barrier(counters, parts)
    return linger(counters, line, counters[PATIENCE])


class Team:
    """The calling thread and helpers.

    Helpers are daemons: a program ends without waiting for a kernel that is under way. Where a helper
    cannot be started, the team has fewer parts. A team does one thing at a time.

    Parameters
    ----------
    parts : int
        From 1.
    n_rows : int
        Rows that are worked on: of few, helpers linger between calls, and no call takes long.
    """

    def __init__(self, parts: int, n_rows: int = 0) -> None:
        self._helpers: list[Tasks] = []
        with suppress(RuntimeError):  # no thread can be started any more
            for _ in range(parts - 1):
                self._helpers.append(_start_helper())
        self.parts = 1 + len(self._helpers)
        self._lingers = n_rows < 2 * LEAST_ROWS_A_PART
        self._counters: NDArray[np.int64] = np.zeros(LINE + LINE_LENGTH * self.parts, np.int64)
        self._counters[WAIT] = WAIT_OF_FEW_ROWS if self._lingers else WAIT_OF_MANY
        self._counters[PATIENCE] = LINGERING if self._lingers else 0
        self._mail = np.empty(TUPLE_BYTES, np.uint8)
        self._leader: list[Tasks] = []
        self._trial = Trial()
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
            self._lead(self._do_parts, kernel, parts, arguments)

    def run(self, together: Callable[..., object], *arguments: object) -> None:
        """Call a kernel in every thread; return when all are done.

        It is called as `together(member, counters, shared_arguments, *arguments)`.

        The kernel begins with `join_team`, takes the shared arguments and ends with `rejoin_team`. It calls
        `barrier(counters, parts)` equally often in every part, and neither raises nor allocates much: a part
        that does not come keeps the others waiting.
        """
        if self._lingers:
            self._do_together(together, arguments)
        else:
            self._lead(self._do_together, together, arguments)

    def _lead(self, work: Callable[..., None], *arguments: object) -> None:
        """Do work that may take long; in the main thread by another, so that Ctrl-C is heard at once."""
        leader = self._leader_of_main() if threading.current_thread() is threading.main_thread() else None
        if leader is None:
            work(*arguments)
        else:
            _wait([_hand_over(leader, work, arguments)])

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

    def _do_together(self, together: Callable[..., object], arguments: tuple[object, ...]) -> None:
        counters, shared_arguments = self._counters, self._mail
        with self._busy:
            helpers = self._helpers if not self._lingers or self._trial.begin() else []
            counters[N_HELPERS] = len(helpers)
            for member, helper in enumerate(helpers, 1):
                state = LINE + LINE_LENGTH * (member - 1) + STATE
                if counters[state] == AWAY:
                    counters[state] = COMING
                    call = together, state, member, counters, shared_arguments, *arguments
                    _hand_over(helper, _help_together, call)
            together(0, counters, shared_arguments, *arguments)
            self._trial.end()

    def _leader_of_main(self) -> Tasks | None:
        with suppress(RuntimeError):
            if not self._leader:
                self._leader.append(_start_helper())
        return self._leader[0] if self._leader else None


def _help_together(
    together: Callable[..., object], state: int, member: int, counters: NDArray[np.int64], *rest: object
) -> None:
    """Be a helper until nobody calls any more."""
    try:
        together(member, counters, *rest)
    except BaseException:
        counters[state] = AWAY
        raise


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
