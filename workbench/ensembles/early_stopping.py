"""The best round so far, and when to give up waiting for a better one."""

from __future__ import annotations


class BestRound:
    """Watches one metric over the rounds; the first of equal rounds is the best.

    A round is a new best only where it is better than the last one by more than the least change.
    """

    def __init__(self, higher_is_better: bool) -> None:
        self._sign = 1.0 if higher_is_better else -1.0
        self._best = float("nan")
        self.round = 0

    def note(self, round_number: int, value: float, least_change: float = 0.0) -> None:
        """Take in the metric of a round."""
        if self.round == 0 or self._best != self._best or self._sign * (value - self._best) > least_change:
            self._best = value
            self.round = round_number

    def is_exhausted(self, round_number: int, patience: int | None) -> bool:
        """Whether there has been no new best for `patience` rounds."""
        return patience is not None and round_number - self.round >= patience
