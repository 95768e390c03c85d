"""Whether helpers make short calls faster, tried out again and again.

    call   0 | 1  2  3 | 4 | 5  6  7 | 8 … 63 | 64 …
           together     alone          as was faster

Where other programs keep the processor busy, threads that wait for each other take longer than one alone.
What comes first of either kind is not counted: it may wake a thread.
"""

from __future__ import annotations

from time import perf_counter

TRIED = 4  # calls of either kind
PERIOD = 64


class Trial:
    """Counts calls, and says of each whether helpers take part.

    The very first call, in which kernels may be compiled or loaded, is not counted.
    """

    def __init__(self) -> None:
        self._call = -1
        self._began = 0.0
        self._seconds = [0.0, 0.0]  # together, alone
        self._together = True

    def begin(self) -> bool:
        """Begin a call; return whether helpers take part."""
        place = max(self._call, 0) % PERIOD
        if place == 0:
            self._seconds = [0.0, 0.0]
        self._began = perf_counter()
        if place < 2 * TRIED:
            return place < TRIED
        return self._together

    def end(self) -> None:
        """End the call that was begun last."""
        place = max(self._call, 0) % PERIOD
        if place < 2 * TRIED and place % TRIED:
            self._seconds[place // TRIED] += perf_counter() - self._began
            self._together = self._seconds[0] < self._seconds[1]
        self._call += 1
