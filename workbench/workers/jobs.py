"""Slow work off the window's thread: one call, its progress, its answer or its error."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from workbench.errors import Cancelled, WorkbenchError
from workbench.workers.priority import give_way

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)


class Job(QObject):
    """One call under way. Its signals arrive on the thread that made it; none after `cancel`."""

    progressed = Signal(int, int)  # done, total
    done = Signal(object)  # the answer
    failed = Signal(str)  # one line for the person

    _finished = Signal(object)  # a call that delivers the outcome on this object's own thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancel = threading.Event()
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask the work to end, and hear no more of it."""
        self._cancel.set()

    def cancelled(self) -> bool:
        """Whether the work should end; polled by the work."""
        return self._cancel.is_set()

    def progress(self, done: int, total: int) -> None:
        """Say how far the work is; called by the work."""
        self._finished.emit(lambda: self.progressed.emit(done, total))

    def work(self, call: Callable[[], Any]) -> None:
        """Run `call` on the present thread and deliver its outcome to the maker's."""
        try:
            answer = call()
        except Cancelled:
            return
        except WorkbenchError as error:
            text = str(error)
            self._finished.emit(lambda: self.failed.emit(text))
        except Exception as error:
            log.exception("a job failed")
            text = f"The program failed: {type(error).__name__}: {error}"
            self._finished.emit(lambda: self.failed.emit(text))
        else:
            self._finished.emit(lambda: self.done.emit(answer))

    def _deliver(self, outcome: Callable[[], None]) -> None:
        if not self.cancelled():
            outcome()


class Jobs(QObject):
    """Runs calls on a few threads; a test hands in an executor that it drains by hand."""

    def __init__(self, executor: Executor | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executor = executor or ThreadPoolExecutor(2, thread_name_prefix="job", initializer=give_way)
        self._live: set[Job] = set()

    def start(
        self,
        call: Callable[[Job], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        progressed: Callable[[int, int], None] | None = None,
    ) -> Job:
        """Run `call(job)` on a worker thread; `done` or `failed` is called on this one.

        The call polls `job.cancelled` and reports through `job.progress`.
        """
        job = Job(self)
        self._live.add(job)
        job.done.connect(done)
        job.failed.connect(failed)
        if progressed is not None:
            job.progressed.connect(progressed)
        for signal in (job.done, job.failed):
            signal.connect(lambda *_: self._live.discard(job))
        self._executor.submit(job.work, lambda: call(job))
        return job

    def shutdown(self) -> None:
        """Cancel everything and wait for the threads to end."""
        for job in self._live:
            job.cancel()
        self._live.clear()
        self._executor.shutdown(wait=True, cancel_futures=True)
