"""Locks of workers that a program left behind, as it ended or was cut off while it trained.

Trainings that share workers take turns by locks on the scheduler, which never run out: without this nobody
would train there any more.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from workbench.cluster.connection import BRIEF_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.cluster.connection import Connection

LOOK_SECONDS = 15.0  # between two looks; who holds a lock sends work to its workers within that


class LeftLocks:
    """Frees those whose workers had nothing to do at two looks, while a run waits for its turn.

    Parameters
    ----------
    connection : Connection
    workers : sequence of str
        Those that the run waits for.
    """

    def __init__(self, connection: Connection, workers: Sequence[str]) -> None:
        self._connection, self._workers = connection, list(workers)
        self._looked = monotonic()
        self._idle: list[str] = []

    def look(self) -> None:
        """Free what was idle before and is still."""
        if monotonic() - self._looked < LOOK_SECONDS:
            return
        with suppress(Exception):  # of a scheduler that is lost, which others say
            self._idle = self._connection.tell_scheduler(
                free_idle, self._workers, self._idle, seconds=BRIEF_SECONDS
            )
        self._looked = monotonic()


def free_idle(workers: Sequence[str], known: Sequence[str], dask_scheduler: Any) -> list[str]:
    """Free known locks whose workers have nothing to do; return those of which that is true now."""
    locks = dask_scheduler.extensions["multi_locks"]
    holders = {locks.locks[worker][0] for worker in workers if locks.locks.get(worker)}
    idle = [
        holder for holder in holders
        if not any(
            dask_scheduler.workers[worker].processing
            for worker in locks.requests.get(holder, ()) if worker in dask_scheduler.workers
        )
    ]  # fmt: skip
    for holder in set(idle) & set(known):
        locks.release(id=holder)
    return [holder for holder in idle if holder not in known]
