"""Slow work off the window's thread: one call, its progress, its answer or its error."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from workbench.errors import Cancelled, WorkbenchError
from workbench.priority import lower_thread

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

THREADS = 2  # of each kind
TURN_SECONDS = 0.005  # of work, after which the window's thread may go ahead
WAKING_SECONDS = 0.0001  # that a thread takes to wake up


class Job(QObject):
    """One call under way. Its signals arrive on the thread that made it; none after `cancel`."""

    progressed = Signal(int, int)  # done, total
    done = Signal(object)  # the answer
    failed = Signal(str)  # one line for the person
    ended = Signal()  # last of all, also after `cancel`

    _delivered = Signal(object, bool)  # a call for this object's own thread, and whether cancelling stops it

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancel = threading.Event()
        self._worked_since = 0.0  # when the window's thread last had time to go ahead
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask the work to end, and hear no more of it."""
        self._cancel.set()

    def cancelled(self) -> bool:
        """Whether the work should end; polled by the work, which lets the window go ahead by that.

        A thread that lets go of the interpreter for microseconds, again and again, is back before the window
        has woken up: it would wait for a second and more.
        """
        if time.monotonic() > self._worked_since + TURN_SECONDS:
            time.sleep(WAKING_SECONDS)
            self._worked_since = time.monotonic()
        return self._cancel.is_set()

    def progress(self, done: int, total: int) -> None:
        """Say how far the work is; called by the work."""
        self._delivered.emit(lambda: self.progressed.emit(done, total), True)

    def work(self, call: Callable[[], Any]) -> None:
        """Run `call` on the present thread and deliver its outcome to the maker's."""
        self._delivered.emit(self._outcome(call), True)
        self._delivered.emit(self.ended.emit, False)

    def _outcome(self, call: Callable[[], Any]) -> Callable[[], None]:
        try:
            answer = call()
        except Cancelled:
            return lambda: None
        except WorkbenchError as error:
            text = str(error)
        except Exception as error:
            log.exception("a job failed")
            text = f"The program failed: {type(error).__name__}: {error}"
        else:
            return lambda: self.done.emit(answer)
        return lambda: self.failed.emit(text)

    def _deliver(self, outcome: Callable[[], None], can_be_cancelled: bool) -> None:
        if not (can_be_cancelled and self._cancel.is_set()):
            outcome()


class Jobs(QObject):
    """Runs calls on a few threads; a test hands in an executor that it drains by hand."""

    over = Signal()  # nothing is run any more

    def __init__(self, executor: Executor | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._executor = executor or ThreadPoolExecutor(
            THREADS, thread_name_prefix="job", initializer=lower_thread
        )
        self._for_python = executor or ThreadPoolExecutor(THREADS, thread_name_prefix="python")
        self._live: dict[Job, Future[None]] = {}
        self._is_over = False
        self._kept: set[Job] = set()  # those that must be finished even while the window closes

    def start_threads(self) -> None:
        """Have all threads there before the first click: to start one is to wait until it has a core."""
        for executor in (self._executor, self._for_python):
            together = threading.Barrier(THREADS)
            for _ in range(THREADS):
                executor.submit(together.wait)

    @property
    def is_idle(self) -> bool:
        """Whether no call is under way or waits."""
        return not self._live

    def start(
        self,
        call: Callable[[Job], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        progressed: Callable[[int, int], None] | None = None,
        keep: bool = False,
        in_python: bool = False,
    ) -> Job:
        """Run `call(job)` on a worker thread; `done` or `failed` is called on this one.

        The call polls `job.cancelled` and reports through `job.progress`. With `keep` it is finished
        even when the window closes: nobody loses a file that is being written. Work that runs `in_python`
        for seconds has the window's priority: put aside for other programs while it holds the interpreter,
        it would stop the window too. After `shutdown` nothing is run any more.
        """
        job = Job(self)
        if self._is_over:
            job.cancel()
            return job
        job.done.connect(done)
        job.failed.connect(failed)
        if progressed is not None:
            job.progressed.connect(progressed)
        job.ended.connect(self._forget)  # not by a lambda: its end would be ours, in the midst of the job's
        if keep:
            self._kept.add(job)
        executor = self._for_python if in_python else self._executor
        self._live[job] = executor.submit(job.work, lambda: call(job))
        return job

    def shutdown(self) -> None:
        """Cancel everything that need not be finished, and wait for the threads to end."""
        self._is_over = True
        self.over.emit()
        for job, future in self._live.items():
            if job not in self._kept:
                job.cancel()
                future.cancel()
        self._live.clear()
        for executor in (self._executor, self._for_python):
            executor.shutdown(wait=True)

    def _forget(self) -> None:
        job: Any = self.sender()
        self._live.pop(job, None)
        self._kept.discard(job)
        job.deleteLater()
