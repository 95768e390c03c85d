"""How work is shared among threads: in contiguous parts, so that no result depends on their number.

Inside a round the growing of trees runs in numba's parallel kernels: entering one costs microseconds,
but only one Python thread may be inside them, the one that trains. What is done once a round or less on
many rows runs in threads of Python's own, on kernels that let go of the lock: starting those costs a
tenth of a millisecond, but any thread may, and such kernels compile in a fraction of the time.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from numba import config, njit, set_num_threads

from workbench.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LEAST_ROWS_A_PART = 4096
LEAST_ROWS_FOR_THREADS = 10_000


def thread_count(wanted: int, n_rows: int) -> int:
    """Return how many parts to cut work on `n_rows` rows into; `wanted` 0 is one a processor core."""
    if n_rows < LEAST_ROWS_FOR_THREADS:
        return 1
    return wanted or os.cpu_count() or 1


def use_threads(threads: int) -> None:
    """Let numba's parallel kernels use this many threads, for the calling thread only."""
    most: int = config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    set_num_threads(max(1, min(threads, most)))


def each(
    work: Callable[[int], object],
    items: Iterable[int],
    threads: int,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Do the work for every item, on threads of Python's own.

    `cancelled` is asked before each item; Cancelled is raised once the threads have let go.
    """

    def work_unless_cancelled(item: int) -> None:
        if cancelled is not None and cancelled():
            raise Cancelled
        work(item)

    if threads == 1:
        for item in items:
            work_unless_cancelled(item)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work_unless_cancelled, items))


def in_parts(
    threads: int, n_rows: int, least_rows: int, kernel: Callable[..., object], *rest: object
) -> None:
    """Call `kernel(part, parts, *rest)` for every part, on threads of Python's own.

    Parameters
    ----------
    least_rows : int
        Rows that a thread must have for its start to be worth while.
    """
    parts = max(1, min(threads, n_rows // least_rows))
    each(lambda part: kernel(part, parts, *rest), range(parts), parts)


@njit(cache=True, nogil=True, error_model="numpy")
def parts_for(threads, n_items):
    """Return into how many parts `n_items` rows are worth cutting: at most `threads`."""
    parts = n_items // LEAST_ROWS_A_PART
    parts = parts if parts < threads else threads
    return parts if parts > 1 else 1


@njit(cache=True, nogil=True, error_model="numpy")
def part_begin(part, parts, n_items):
    """Return the first item of a part; part `parts` begins at the end."""
    return part * n_items // parts
