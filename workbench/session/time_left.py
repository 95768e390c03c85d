"""How long work will still take, in words that do not jump."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from workbench.isolation import isolated
from workbench.number_text import count, percent

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 1.0  # seconds of work before anything is said of the rest


class TimeLeft:
    """Follows one piece of work from its start; the rest is taken to go as fast as all before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()

    def words(self, done: int, total: int) -> str:
        """Return "about 12 s left"; nothing in the first second, and at the end."""
        spent = self._clock() - self._start
        if spent < PATIENCE or not 0 < done < total:
            return ""
        left = spent * (total - done) / done
        if left < 90:
            unit = 1 if left < 10 else 5
            return f"about {max(round(left / unit) * unit, 1)} s left"
        return f"about {round(left / 60)} min left"


def reading_words(name: str, rows: int, expected: int, left: TimeLeft) -> str:
    """Return how far the reading of a table is."""
    share = f", {percent(min(rows / expected, 1))}" if expected else ""
    rest = left.words(rows, expected)
    return f"Reading {isolated(name)}, {count(rows)} rows so far{share}{', ' + rest if rest else ''}."
