"""Several calls timed in turns, A B C A B C …, so that a busy moment of the machine falls on all.

It does not fall on all alike: threads that spin while they wait, as OpenMP's do in the peers, lose many
times what the other work takes. So a turn during which other processes were at work is not counted.
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

QUIET = 0.05  # share of the machine that other processes may use in a turn that counts
MOST_TURNS = 2  # times the turns that are wanted


class Timing(NamedTuple):
    """Median seconds of each call; turns that were quiet; share of the machine that others used in them."""

    seconds: dict[str, float]
    quiet: int
    others: float


def in_turns(calls: Mapping[str, Callable[[], Any]], repeats: int, most: int = 0) -> Timing:
    """Time every call in `repeats` quiet turns, with at most `most` turns where the machine is too busy."""
    turns: list[tuple[float, dict[str, float]]] = []
    quiet = 0
    while quiet < repeats and len(turns) < (most or MOST_TURNS * repeats):
        turns.append(_turn(calls))
        quiet += turns[-1][0] <= QUIET
    turns.sort(key=lambda turn: turn[0])
    counted = turns[: quiet or len(turns)]
    medians = {name: statistics.median(seconds[name] for _, seconds in counted) for name in calls}
    return Timing(medians, quiet, statistics.mean(others for others, _ in counted))


def timed(call: Callable[[], Any]) -> float:
    """Return the seconds of one call; freeing its result is not counted."""
    begin = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - begin
    del result
    return seconds


def _turn(calls: Mapping[str, Callable[[], Any]]) -> tuple[float, dict[str, float]]:
    """Call each once; return the share of the machine that other processes used, and the seconds."""
    gc.collect()
    begin, busy, own = time.perf_counter(), _busy_seconds(), time.process_time()
    seconds = {name: timed(call) for name, call in calls.items()}
    others = _busy_seconds() - busy - (time.process_time() - own)
    share = others / (time.perf_counter() - begin) / (os.cpu_count() or 1)
    return max(share, 0.0), seconds


def _busy_seconds() -> float:
    """Processor time that all processes have used, as Linux counts it; elsewhere 0."""
    try:
        words = Path("/proc/stat").read_text().split(maxsplit=9)
    except OSError:
        return 0.0
    user, nice, system, _idle, _wait, interrupt, soft, stolen = map(int, words[1:9])
    ticks = user + nice + system + interrupt + soft + stolen
    return ticks / os.sysconf("SC_CLK_TCK")
