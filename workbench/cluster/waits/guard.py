"""Sees to it that no wait for the workers is without end."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from workbench.cluster.faults import BRIEF_SECONDS, KEPT, MORE_MEMORY, SCHEDULER_GONE, line_of
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.cluster.connection import Connection

LOOK_SECONDS = 2.0  # between two looks whether all workers are there
LAST_WORDS_SECONDS = 3.0  # that xgboost.dask has to say why it ended, once a worker is lost
RETURN_SECONDS = 30.0  # for any worker to be there again, where the work is tied to none
UNREACHED_SECONDS = 30.0  # of a scheduler that does not answer
FULL_SECONDS = 60.0  # of a worker that takes no work, as its memory is full, and from which nothing is heard
SILENCE_SECONDS = 600.0  # of workers that are there, or 30 times the longest round
PREPARING_SECONDS = 3600.0  # the same before the first round: others may have their turn, and bins are made


class Guard:
    """Looks after workers while somebody waits for them.

    Parameters
    ----------
    connection : Connection
    workers : collection of str
        Those that are needed; empty: any of them.
    then : str
        What to say of how it can go on; it may be changed on the way.

    Attributes
    ----------
    silence : float
        Seconds without a word after which no more is waited.
    """

    def __init__(self, connection: Connection, workers: Collection[str], then: str = KEPT) -> None:
        self._connection, self._workers, self.then = connection, tuple(workers), then
        self._heard = self._looked = self._answered = monotonic()
        self._lost_at: float | None = None
        self._seen: set[str] = set()
        self._longest = 0.0
        self.silence = PREPARING_SECONDS

    def heard(self, seconds: float = 0.0) -> None:
        """Take down that the workers said something; after a round also how long it took."""
        self._heard = monotonic()
        self._longest = max(self._longest, seconds)

    def look(self) -> None:
        """Raise WorkbenchError where nothing more is to be waited for."""
        now = monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._ask()
            self._looked = now = monotonic()
        patience = LAST_WORDS_SECONDS if self._workers else RETURN_SECONDS
        if self._lost_at is not None and now - self._lost_at > patience:
            raise line_of(None, self._connection, self._workers or self._seen, self.then)
        if now - self._answered > UNREACHED_SECONDS:
            self._connection.is_cut = True
            raise WorkbenchError(f"{SCHEDULER_GONE} {self.then}")
        if now - self._heard > max(self.silence, 30.0 * self._longest):
            raise WorkbenchError(
                f"The workers have said nothing for {now - self._heard:.0f} seconds. {self.then}"
            )

    def _ask(self) -> None:
        """Ask the scheduler for the workers."""
        try:
            states = {} if self._connection.is_lost else self._connection.states(BRIEF_SECONDS)
        except Exception:  # it does not answer: gone, or just busy
            return
        now = monotonic()
        if not self._connection.is_lost:
            self._answered = now
        self._seen |= states.keys()
        needed = self._workers or tuple(states)
        is_lost = not needed or any(worker not in states for worker in needed)
        self._lost_at = (self._lost_at or now) if is_lost else None
        full = [worker for worker in needed if states.get(worker) == "paused"]
        is_stuck = bool(full) if self._workers else len(full) == len(needed)
        if full and is_stuck and now - self._heard > FULL_SECONDS:
            raise WorkbenchError(
                f"The memory of the worker {full[0]} is full, and it takes no more work. {MORE_MEMORY} "
                f"{self.then}"
            )
