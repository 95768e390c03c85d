"""Trainers in several Python threads take turns in numba's parallel kernels, which allow one at a time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TURN = threading.Lock()


@contextmanager
def turn_in_kernels() -> Iterator[None]:
    """Hold the one turn of this process, for a round at most.

    numba's workqueue layer, which it falls back on without TBB and OpenMP, aborts the process where two
    threads are inside parallel kernels. Never hold it across a yield: a consumer that pauses would stop
    every other run.
    """
    with _TURN:
        yield
