"""Whether helpers make short calls faster, tried out again and again.

    call   0 | 1  2  3 | 4 | 5  6  7 | 8 … 31 | 32 …
           together     alone          as was faster

Where other programs keep the processor busy, threads that wait for each other take longer than one alone.
What comes first of either kind is not counted: it may wake a thread. As long as the same is faster, the time
to the next trial doubles.
"""

from __future__ import annotations

from time import perf_counter

TRIED = 4  # calls of either kind
SHORTEST, LONGEST = 32, 256  # calls from one trial to the next


class Trial:
    """Counts calls, and says of each whether helpers take part.

    The very first call, in which kernels may be compiled or loaded, is not counted.
    """

    def __init__(self) -> None:
        self._place = -1
        self._period = SHORTEST
        self._began = 0.0
        self._seconds = [0.0, 0.0]  # together, alone
        self._together = True

    def begin(self) -> bool:
        """Begin a call; return whether helpers take part."""
        if self._place == self._period:
            self._place = 0
            self._seconds = [0.0, 0.0]
        self._began = perf_counter()
        return self._place < TRIED if self._place < 2 * TRIED else self._together

    def end(self) -> None:
        """End the call that was begun last."""
        place = self._place
        self._place += 1
        if 0 <= place < 2 * TRIED and place % TRIED:
            self._seconds[place // TRIED] += perf_counter() - self._began
        if place == 2 * TRIED - 1:
            before = self._together
            self._together = self._seconds[0] < self._seconds[1]
            self._period = min(2 * self._period, LONGEST) if self._together == before else SHORTEST
