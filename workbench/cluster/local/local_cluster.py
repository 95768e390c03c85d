"""A cluster on this machine, as the program that started it knows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from workbench.cluster.local.host import CLOSE_SECONDS, MEND
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.cluster.where import Where

START_SECONDS = 120.0
LEAVE_SECONDS = CLOSE_SECONDS + 2.0
# The same modules are found there: paths first, then the rest.
PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from workbench.cluster.local.host import main; main()"
)


class LocalCluster:
    """Its processes end with it, and with this program.

    Parameters
    ----------
    where : Where
        Of this machine, with its numbers settled.
    memory : int or str
        Bytes of each worker, or "auto".

    Raises
    ------
    WorkbenchError
        The processes did not start.

    Attributes
    ----------
    workers : int
        How many there are to be.
    address : str
        Of the scheduler.
    """

    def __init__(self, where: Where, memory: int | str) -> None:
        self.workers = where.workers
        self._folder = tempfile.mkdtemp(prefix="boosting-workbench-")
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(sys.path)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, encoding="utf-8",
        )  # fmt: skip
        try:
            self._tell(json.dumps({
                "n_workers": where.workers, "threads_per_worker": where.threads, "memory_limit": memory,
                "local_directory": self._folder,
            }))  # fmt: skip
            self.address = self._answer()
        except BaseException:
            self.close()
            raise

    @property
    def is_gone(self) -> bool:
        """Whether its process has ended."""
        return self._process.poll() is not None

    def mend(self) -> None:
        """Start workers anew whose process ended and was given up."""
        with suppress(OSError):  # a process that is gone, which others say
            self._tell(MEND)

    def close(self) -> None:
        """End its processes, and leave nothing of them."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _answer(self) -> str:
        """Return the address, once the workers are there."""
        assert self._process.stdout is not None
        limit = threading.Timer(START_SECONDS, self._process.kill)
        limit.daemon = True
        limit.start()
        try:
            line = self._process.stdout.readline()
        finally:
            limit.cancel()
        said = json.loads(line or "{}")
        if "address" not in said:
            why = said.get("error", "no word of them")
            raise WorkbenchError(f"The worker processes did not start ({' '.join(why.split())}).")
        return str(said["address"])
