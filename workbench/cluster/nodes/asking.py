"""Questions about nodes, asked of all workers of a run at once."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from workbench.cluster.faults import lost_workers
from workbench.cluster.nodes.desk import FORGOT, Told, leave, look, take
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.cluster.connection import Connection
    from workbench.cluster.nodes.desk import DeskQuestion

    Cancelling = Callable[[], bool] | None
    Telling = Callable[[int, int], object] | None

FIRST_SECONDS, LONGEST_SECONDS = 0.02, 0.25  # between two looks, longer from one to the next
PATIENCE_SECONDS = 1800.0  # without a piece more
LOST = "A worker was lost, and the rows with it. Ask again."


class Forgotten(Exception):
    """The workers lack trees that were sent before."""


def asked(
    connection: Connection, question: DeskQuestion, cancelled: Cancelling = None, progress: Telling = None
) -> Any:
    """Return what all pieces come to, or None where none has anything to tell.

    Raises
    ------
    Cancelled
    Forgotten
    WorkbenchError
        A worker is gone, or failed.
    """
    ticket, workers = uuid4().hex, list(question.keys)
    begun = connection.tell(take, ticket, question, workers=workers)
    try:
        if FORGOT in begun.values():
            raise Forgotten
        return _waited(connection, ticket, question, workers, cancelled, progress)
    except BaseException:
        with suppress(Exception):
            connection.tell(leave, ticket, workers=workers)
        raise


def _waited(
    connection: Connection, ticket: str, question: DeskQuestion, workers: list[str], cancelled: Cancelling,
    progress: Telling,
) -> Any:  # fmt: skip
    told = {worker: Told(0, len(question.keys[worker])) for worker in workers}
    pause, best, moved = FIRST_SECONDS, -1, monotonic()
    while waiting := [worker for worker in workers if not told[worker].is_over]:
        if cancelled is not None and cancelled():
            raise Cancelled
        if connection.is_lost:
            raise WorkbenchError("The scheduler is gone, or the network to it is cut. Connect again.")
        found = connection.tell(look, ticket, workers=waiting)
        if len(found) < len(waiting) and lost_workers(connection, waiting):
            raise WorkbenchError(LOST)
        told |= found
        error = next((one.error for one in told.values() if one.error), "")
        if error:
            raise WorkbenchError(error)
        done, total = (sum(getattr(one, name) for one in told.values()) for name in ("done", "total"))
        if progress is not None:
            progress(done, total)
        if done > best:
            best, moved = done, monotonic()
        if monotonic() - moved > PATIENCE_SECONDS:
            raise WorkbenchError("The workers do not get on with the question. Ask again.")
        if any(not one.is_over for one in told.values()):
            sleep(pause)
            pause = min(1.5 * pause, LONGEST_SECONDS)
    if cancelled is not None and cancelled():
        raise Cancelled
    parts = [one.answer for one in told.values() if one.answer is not None]
    return question.ask.together(parts) if parts else None
