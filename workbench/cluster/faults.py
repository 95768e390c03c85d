"""What went wrong on a cluster, in one line for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.cluster.connection import Connection

KEPT = "The rounds so far are kept; Continue goes on from them."
LONGEST_REASON = 240


def line_of(error: BaseException | None, connection: Connection, workers: Collection[str]) -> WorkbenchError:
    """Return what to say of a run that broke off.

    Parameters
    ----------
    workers : collection of str
        Those that the run was on.
    """
    if isinstance(error, WorkbenchError):
        return error
    if connection.is_lost:
        return WorkbenchError(f"The scheduler is gone, or the network to it is cut. {KEPT}")
    lost = lost_workers(connection, workers)
    if lost:
        many = f"{len(lost)} workers were" if len(lost) > 1 else f"The worker {lost[0]} was"
        return WorkbenchError(f"{many} lost: ended, out of memory, or cut off by the network. {KEPT}")
    name = type(error).__name__
    if name in ("KilledWorker", "CancelledError", "FutureCancelledError", "FuturesCancelledError"):
        return WorkbenchError(f"A worker was lost: ended, or out of memory ({name}). {KEPT}")
    if isinstance(error, MemoryError):
        return WorkbenchError(f"A worker is out of memory. Start workers with more, or more of them. {KEPT}")
    text = " ".join(str(error).split())
    if "Allreduce" in text or "Broadcast" in text or "collective" in text or "rabit" in text.lower():
        return WorkbenchError(f"The workers lost each other: one was ended, or the network is cut. {KEPT}")
    return WorkbenchError(f"The cluster failed: {name}: {text[:LONGEST_REASON]} {KEPT}")


def lost_workers(connection: Connection, workers: Collection[str]) -> list[str]:
    """Return the workers that the scheduler no longer knows."""
    try:
        there = set(connection.workers)
    except Exception:
        return []
    return [worker for worker in workers if worker not in there]
