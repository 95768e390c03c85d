"""Trees of several rounds grown side by side, each by one thread, and handed out in their order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from workbench.parameters.training import TrainingParams

T = TypeVar("T")


class TreesAhead(Generic[T]):
    """Grows rounds before they are asked for, as many as there are threads and one more.

    What a round grows follows from its number and parameters, so that none depends on the threads. Of
    rounds whose parameters have changed since, what was grown is left.

    Parameters
    ----------
    grow : callable
        Grows one round.
    threads : int
        With one, a round is grown when it is asked for.
    """

    def __init__(self, grow: Callable[[int, TrainingParams], T], threads: int) -> None:
        self._grow, self._threads = grow, threads
        self._pool = ThreadPoolExecutor(threads, "tree") if threads > 1 else None
        self._ahead: dict[int, tuple[TrainingParams, Future[T]]] = {}

    def take(self, number: int, params: TrainingParams) -> T:
        """Return what round `number` grows."""
        if self._pool is None:
            return self._grow(number, params)
        last = min(number + self._threads, params.rounds)
        for round in range(number, max(last, number) + 1):
            if round not in self._ahead or self._ahead[round][0] is not params:
                self._ahead[round] = params, self._pool.submit(self._grow, round, params)
        return self._ahead.pop(number)[1].result()

    def close(self) -> None:
        """Wait for what is being grown, and let the threads go."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
