"""How work is shared among threads: in contiguous parts, so that no result depends on their number.

Here each part is a call of its own in a thread of a pool; starting one costs thirty microseconds. Kernels
whose parts must wait for each other run in a `team`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from workbench.errors import leave_if
from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LEAST_ROWS_FOR_THREADS = 10_000


def thread_count(wanted: int, size: int, least: int = LEAST_ROWS_FOR_THREADS) -> int:
    """Return how many parts to cut work into: one below the least size; `wanted` 0 is one a core."""
    if size < least:
        return 1
    return wanted or os.cpu_count() or 1


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
        leave_if(cancelled)
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


@kernel
def part_begin(part, parts, n_items):
    """Return the first item of a part; part `parts` begins at the end."""
    return part * n_items // parts
