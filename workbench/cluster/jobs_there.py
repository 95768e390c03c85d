"""Work of many parts on the workers: with progress, a way out, and no wait for a worker that is gone."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from workbench.cluster.faults import AGAIN, line_of
from workbench.cluster.waits.guard import Guard
from workbench.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.cluster.connection import Connection

LOOK_SECONDS = 1.0


def finished(
    connection: Connection, futures: Sequence[Any], workers: Sequence[str] = (),
    cancelled: Callable[[], bool] | None = None, progress: Callable[[int, int], object] | None = None,
) -> list[Any]:  # fmt: skip
    """Return the results of futures once all are there, in their order; the workers may forget them then.

    Parameters
    ----------
    workers : sequence of str
        Those that the parts are tied to: without one of them the work cannot end.
    progress : callable (done, total), optional
    """
    try:
        wait_for(connection, futures, workers, cancelled, progress)
        try:
            found: list[Any] = connection.client.gather(list(futures))
        except Exception as error:
            raise line_of(error, connection, workers, AGAIN) from error
        return found
    finally:
        release(futures)


def release(futures: Iterable[Any]) -> None:
    """Let go of what lies on the workers at once: Python may keep what holds it for a while."""
    for future in futures:
        future.release()


def wait_for(
    connection: Connection, futures: Sequence[Any], workers: Sequence[str] = (),
    cancelled: Callable[[], bool] | None = None, progress: Callable[[int, int], object] | None = None,
) -> None:  # fmt: skip
    """Wait until all futures are done; WorkbenchError where that cannot be."""
    from distributed import wait

    guard, before = Guard(connection, workers, AGAIN), -1
    while True:
        done = sum(future.status != "pending" for future in futures)
        if progress is not None:
            progress(done, len(futures))
        if done != before:
            guard.heard()
            before = done
        failed = next((future for future in futures if future.status in ("error", "lost", "cancelled")), None)
        if failed is not None:
            error = failed.exception() if failed.status == "error" else None
            raise line_of(error, connection, workers, AGAIN)
        if done == len(futures):
            return
        if cancelled is not None and cancelled():
            with suppress(Exception):
                connection.client.cancel(list(futures))
            raise Cancelled
        guard.look()
        with suppress(TimeoutError), connection.client.as_current():
            wait(list(futures), timeout=LOOK_SECONDS)
