"""Several calls timed in turns, A B C A B C …, so that a busy moment of the machine falls on all."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def in_turns(calls: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the median seconds of each call."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            gc.collect()
            seconds[name].append(timed(call))
    return {name: statistics.median(times) for name, times in seconds.items()}


def timed(call: Callable[[], Any]) -> float:
    """Return the seconds of one call; freeing its result is not counted."""
    begin = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - begin
    del result
    return seconds
