"""Lines to which the same was done: however many there are, only their number and the first are kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class LineTally:
    """How many lines, and which is the first."""

    count: int = 0
    first: int = 0

    def __bool__(self) -> bool:
        return self.count > 0

    def add(self, line: int, count: int = 1) -> None:
        """Count lines from `line` on that stand below those counted before."""
        self.first = self.first or line
        self.count += count

    def join(self, below: LineTally) -> None:
        """Count lines that stand below these."""
        if below:
            self.add(below.first, below.count)
