"""A process that does the same little work again and again, and tells when that took long.

On a rented machine, all programs crawl for a tenth of a second now and then: the host takes its cores or its
memory away, and the processor time that this costs is counted as theirs. The witness has nothing else to do:
where it crawls, the machine does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np

PAGES, PAGE = 8000, 4096  # of memory, each touched once a beat, as a window touches thousands
BEAT_SECONDS, LONG_SECONDS = 0.001, 0.004  # between two beats; of a beat that mostly takes a tenth of one ms
NEAR_SECONDS = 0.05  # before or after a crawl of the witness others crawl


class Witness:
    """Runs beside what is measured; to be closed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.stalls.witness"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._crawls: list[tuple[float, float]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            begin, end = map(float, line.split())
            self._crawls.append((begin, end))

    def crawled(self, begin: float, end: float) -> bool:
        """Whether the machine crawled between two times of `perf_counter`."""
        return any(begin < last + NEAR_SECONDS and first - NEAR_SECONDS < end for first, last in self._crawls)

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


def main() -> None:
    """Print begin and end of each beat that took long, for as long as who started this lives."""
    memory, parent = np.zeros((PAGES, PAGE), np.uint8), os.getppid()
    while os.getppid() == parent:
        begin, spent = time.perf_counter(), time.thread_time()
        memory[:, 0] += 1
        if time.thread_time() - spent > LONG_SECONDS:
            print(begin, time.perf_counter(), flush=True)
        time.sleep(BEAT_SECONDS)


if __name__ == "__main__":
    main()
