"""The splits of a whole run that only fit noise: counted tree by tree, and the worst of them listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.holdout_gain import DoubtfulSplit, holdout_gains, worst

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.explain.replay import Replay

MOST = 100


@dataclass(frozen=True)
class RunDoubts:
    """What is known of a run's rounds so far.

    Attributes
    ----------
    counts : tuple of tuple of int
        Doubtful splits of each tree, by round and place.
    worst : tuple of DoubtfulSplit
        Those that promised most on the training rows.
    """

    counts: tuple[tuple[int, ...], ...] = ()
    worst: tuple[DoubtfulSplit, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds have been looked at."""
        return len(self.counts)


def more_doubts(
    replay_at: Callable[[int], Replay],
    known: RunDoubts,
    rounds: int,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RunDoubts:
    """Return what is known after looking at the rounds up to `rounds` too; each has its replay.

    Raises
    ------
    Cancelled
    """
    counts, listed = list(known.counts), list(known.worst)
    for round in range(known.rounds + 1, rounds + 1):
        replay = replay_at(round)
        trees = [
            holdout_gains(replay, round, place, cancelled)
            for place in range(len(replay.rounds[round - 1].trees))
        ]
        counts.append(tuple(int(gains.doubtful.sum()) for gains in trees))
        listed = sorted([*listed, *worst(trees, MOST)], key=lambda split: -split.gain)[:MOST]
        if progress is not None:
            progress(round, rounds)
    return RunDoubts(tuple(counts), tuple(listed))
