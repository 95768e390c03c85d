"""What went wrong on a cluster, in one line for the person."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.cluster.connection import Connection

KEPT = "The rounds so far are kept; Continue goes on from them."
AGAIN = "Try again."  # of what is done before the first round
SCHEDULER_GONE = "The scheduler is gone, or the network to it is cut."
MORE_MEMORY = "Start workers with more of it, or more workers."
LONGEST_REASON = 240
BRIEF_SECONDS = 6.0  # for a scheduler that is well
WORD_SECONDS = 1.0  # for the nanny's word to come
# What dask and XGBoost raise where processes or connections are gone.
CANCELLED = ("CancelledError", "FutureCancelledError", "FuturesCancelledError")
CUT_OFF = "scheduler-connection-lost"  # dask's reason for futures that are cancelled then
FULL = "worker-restart-memory"  # the events of workers that their nanny ends


def line_of(
    error: BaseException | None, connection: Connection, workers: Collection[str], then: str = KEPT
) -> WorkbenchError:
    """Return what to say of a run that broke off.

    Parameters
    ----------
    workers : collection of str
        Those that the run was on.
    then : str
        How it can go on.
    """
    if isinstance(error, WorkbenchError):
        return error
    return WorkbenchError(f"{_reason(error, connection, workers)} {then}")


def _reason(error: BaseException | None, connection: Connection, workers: Collection[str]) -> str:
    if connection.is_lost:
        return SCHEDULER_GONE
    name = type(error).__name__
    last = getattr(error, "last_worker", None) if name == "KilledWorker" else None
    lost = [str(last.address)] if last is not None else lost_workers(connection, workers)
    if lost:
        full = _out_of_memory(connection, lost)
        if full:
            return f"The worker {full} ran out of memory, and was ended. {MORE_MEMORY}"
        many = f"{len(lost)} workers were" if len(lost) > 1 else f"The worker {lost[0]} was"
        return f"{many} lost: ended, out of memory, or cut off by the network."
    if _was_cut_off(error):
        return "The network to the scheduler was cut for a while."
    if error is None or name in CANCELLED:
        return "A worker was lost: ended, out of memory, or cut off by the network."
    if isinstance(error, MemoryError):
        return f"A worker ran out of memory. {MORE_MEMORY}"
    if isinstance(error, TimeoutError):
        return SCHEDULER_GONE
    text = " ".join(str(error).split())
    if "Allreduce" in text or "Broadcast" in text or "collective" in text or "rabit" in text.lower():
        return "The workers lost each other: one was ended, or the network is cut."
    return f"The cluster failed: {name}: {text[:LONGEST_REASON]}"


def _was_cut_off(error: BaseException | None) -> bool:
    """Whether the scheduler was not reached for a moment.

    Where xgboost.dask gives its workers back while that is so, the reason is that of the error before.
    """
    while error is not None:
        if getattr(error, "reason", "") == CUT_OFF or type(error).__name__ == "CommClosedError":
            return True
        error = error.__cause__ or error.__context__
    return False


def lost_workers(connection: Connection, workers: Collection[str]) -> list[str]:
    """Return the workers that the scheduler no longer knows; none where it does not answer."""
    try:
        there = connection.states(BRIEF_SECONDS)
    except Exception:
        return []
    return [worker for worker in workers if worker not in there]


def _out_of_memory(connection: Connection, lost: Collection[str]) -> str:
    """Return a worker among those lost that its nanny ended as its memory was full; "" where none was."""
    until = monotonic() + WORD_SECONDS
    while True:
        try:
            events = connection.client.get_events(FULL)
        except Exception:
            return ""
        found = next((event["worker"] for _, event in events if event["worker"] in lost), "")
        if found or monotonic() > until:
            return str(found)
        sleep(0.2)
