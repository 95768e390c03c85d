"""Which workers there are before a run begins: those that were lost come back, or are left out."""

from __future__ import annotations

import asyncio
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING

from workbench.cluster.faults import SCHEDULER_GONE
from workbench.errors import WorkbenchError, leave_if

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.cluster.connection import Connection

WORD_SECONDS = 10.0  # for one worker to answer, which may have to load what it is asked first
ASK_SECONDS = 30.0  # for all of them
RETURN_SECONDS = 60.0  # for workers that were started here, all of which are to come, or for any of others
LOOK_SECONDS = 0.3
NO_WORKER = "No worker of the cluster answers. Start some, and train or continue then."


def wait_for_workers(connection: Connection, cancelled: Callable[[], bool]) -> list[str]:
    """Wait until all workers that were started here are there, or any of those that others start.

    After a limit a run begins with those that answer, which are returned.

    Raises
    ------
    Cancelled
    WorkbenchError
        None answers, or the scheduler does not.
    """
    until = monotonic() + RETURN_SECONDS
    connection.left_out = frozenset()
    while True:
        leave_if(cancelled)
        if connection.comes_back and monotonic() < until:
            sleep(LOOK_SECONDS)
            continue
        if connection.is_lost:
            raise WorkbenchError(SCHEDULER_GONE)
        try:
            listed = connection.workers
            began = perf_counter()
            answering = _answering(connection, listed)
            connection.trip = perf_counter() - began
        except TimeoutError:  # of a scheduler that is busy, or gone unnoticed
            if monotonic() > until:
                raise WorkbenchError(SCHEDULER_GONE) from None
            continue
        silent = frozenset(listed) - frozenset(answering)
        if answering and not silent and len(answering) >= connection.started:
            return answering
        if monotonic() > until:
            break
        connection.mend()
        sleep(LOOK_SECONDS)
    if not answering:
        raise WorkbenchError(NO_WORKER)
    connection.left_out = silent
    return answering


def _answering(connection: Connection, listed: list[str]) -> list[str]:
    """Ask every worker, each for a limited time."""
    client = connection.client

    async def answer(worker: str) -> str:
        try:
            await asyncio.wait_for(client._run(_here, workers=[worker]), WORD_SECONDS)
        except (OSError, TimeoutError, ValueError):  # cut off, gone unnoticed, or no longer listed
            return ""
        return worker

    async def answers(workers: list[str]) -> list[str]:
        return await asyncio.gather(*map(answer, workers))

    found: list[str] = client.sync(answers, listed, callback_timeout=ASK_SECONDS)
    return [worker for worker in found if worker]


def _here() -> None:
    """Answer; called on the worker."""
