"""Sees to it that no wait for the workers of a run is without end."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from workbench.cluster.faults import KEPT, line_of, lost_workers
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.cluster.connection import Connection

LOOK_SECONDS = 2.0  # between two looks whether all workers are there
LAST_WORDS_SECONDS = 3.0  # that xgboost.dask has to say why it ended, once a worker is lost
SILENCE_SECONDS = 600.0  # of workers that are there, or 30 times the longest round


class Guard:
    """Looks after the workers of one run while the trainer waits for them.

    Parameters
    ----------
    connection : Connection
    workers : collection of str
        Those that the run is on.
    """

    def __init__(self, connection: Connection, workers: Collection[str]) -> None:
        self._connection, self._workers = connection, workers
        self._heard = self._looked = monotonic()
        self._lost_at: float | None = None
        self._longest = 0.0

    def heard(self, seconds: float = 0.0) -> None:
        """Take down that the workers said something; after a round also how long it took."""
        self._heard = monotonic()
        self._longest = max(self._longest, seconds)

    def look(self) -> None:
        """Raise WorkbenchError where nothing more is to be waited for."""
        now = monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            is_lost = self._connection.is_lost or bool(lost_workers(self._connection, self._workers))
            self._lost_at = (self._lost_at or now) if is_lost else None
        if self._lost_at is not None and now - self._lost_at > LAST_WORDS_SECONDS:
            raise line_of(None, self._connection, self._workers)
        if now - self._heard > max(SILENCE_SECONDS, 30.0 * self._longest):
            raise WorkbenchError(f"The workers have said nothing for {now - self._heard:.0f} seconds. {KEPT}")
