"""A cluster on this machine, as the program that started it knows it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING

from workbench.cluster.local.host import MEND
from workbench.errors import WorkbenchError, leave_if
from workbench.own_process import own_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.cluster.where import Where

START_SECONDS = 120.0
LOOK_SECONDS = 0.05  # between two looks whether a start was cancelled
KILL_SECONDS = 2.0  # for the process to end at the first word


class LocalCluster:
    """Its processes end with it, and with this program.

    Parameters
    ----------
    where : Where
        Of this machine, with its numbers settled.
    memory : int or str
        Bytes of each worker, or "auto".

    Attributes
    ----------
    workers : int
        How many there are to be.
    """

    def __init__(self, where: Where, memory: int | str) -> None:
        self.workers = where.workers
        self._folder = tempfile.mkdtemp(prefix="boosting-workbench-")
        self._process = subprocess.Popen(
            own_program("workbench.cluster.local.host"), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, encoding="utf-8",
        )  # fmt: skip
        try:
            self._tell(json.dumps({
                "n_workers": where.workers, "threads_per_worker": where.threads, "memory_limit": memory,
                "local_directory": self._folder,
            }))  # fmt: skip
        except BaseException:
            self.end()
            raise

    def address(self) -> str:
        """Return the scheduler's, once the workers are there; asked for once.

        Raises
        ------
        WorkbenchError
            The processes did not start.
        """
        assert self._process.stdout is not None
        said = json.loads(self._process.stdout.readline() or "{}")
        if "address" not in said:
            why = said.get("error", "no word of them")
            raise WorkbenchError(f"The worker processes did not start ({' '.join(why.split())}).")
        return str(said["address"])

    @property
    def is_gone(self) -> bool:
        """Whether its process has ended."""
        return self._process.poll() is not None

    def mend(self) -> None:
        """Start workers anew whose process ended and was given up."""
        with suppress(OSError):  # a process that is gone, which others say
            self._tell(MEND)

    @contextmanager
    def ended_if(self, cancelled: Callable[[], bool] | None) -> Iterator[None]:
        """End its processes where what is done with it is cancelled, or takes longer than a start may."""
        is_done, until = threading.Event(), monotonic() + START_SECONDS

        def look() -> None:
            while not is_done.wait(LOOK_SECONDS):
                if monotonic() > until or (cancelled is not None and cancelled()):
                    self._kill()
                    return

        looking = threading.Thread(target=look, name="cluster start", daemon=True)
        looking.start()
        try:
            yield
        except BaseException:
            leave_if(cancelled)
            raise
        finally:
            is_done.set()
            looking.join()

    def end(self) -> None:
        """End its processes at once, and leave nothing of them."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._kill()
        self._process.wait()
        with suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _kill(self) -> None:
        """End the process and those that it started.

        By a signal that Python's tracker of shared resources ignores: it removes their semaphores first.
        """
        if self._process.poll() is not None:
            return
        if sys.platform == "win32":
            self._process.kill()
            return
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
