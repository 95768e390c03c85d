"""How work is shared among threads: in contiguous parts, so that no result depends on their number."""

from __future__ import annotations

import os

from numba import config, njit, set_num_threads

LEAST_ROWS_A_PART = 4096
LEAST_ROWS_FOR_THREADS = 10_000


def thread_count(wanted: int, n_rows: int) -> int:
    """Return how many parts to cut work on `n_rows` rows into; `wanted` 0 is one a processor core."""
    if n_rows < LEAST_ROWS_FOR_THREADS:
        return 1
    return wanted or os.cpu_count() or 1


def use_threads(threads: int) -> None:
    """Let numba use this many threads, for the calling thread only."""
    most: int = config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    set_num_threads(max(1, min(threads, most)))


@njit(cache=True, nogil=True, error_model="numpy")
def parts_for(threads, n_items):
    """Return into how many parts `n_items` rows are worth cutting: at most `threads`."""
    return max(1, min(threads, n_items // LEAST_ROWS_A_PART))


@njit(cache=True, nogil=True, error_model="numpy")
def part_begin(part, parts, n_items):
    """Return the first item of a part; part `parts` begins at the end."""
    return part * n_items // parts
