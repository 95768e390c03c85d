"""How far a run goes before it pauses: breakpoints that are used once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.number_text import counted, figure, short
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished
    from workbench.metrics.facts import MetricFacts


@BREAKPOINTS.register
@dataclass(frozen=True)
class RunTo(Breakpoint):
    """Met after `round`, or after the next one where that is done already."""

    name = "run_to"
    title = "Run to round"
    once = True

    round: int = parameter(
        100, label="Round", kind="integer", lower=1, upper=1_000_000, help="Pause after this round."
    )

    @property
    def told(self) -> str:
        """How far the run goes, after its name."""
        return f"goes on to round {self.round:,}"

    def watcher(self, run: WatchedRun) -> RoundReached:
        """Look from the next round on."""
        return RoundReached(self.round)

    def first_met(self, after: int) -> int:
        """Return its round, or the next one."""
        return max(self.round, after + 1)


class RoundReached(Watcher):
    """Compares the number of the round."""

    def __init__(self, round: int) -> None:
        self._round = round

    def look(self, event: RoundFinished) -> Met | None:
        """Say that the round is done."""
        return Met(f"Round {event.round} is done, as was asked.") if event.round >= self._round else None


@BREAKPOINTS.register
@dataclass(frozen=True)
class RunFor(Breakpoint):
    """Met by the round with which the rounds from now on took `seconds` or more; pauses do not count."""

    name = "run_for"
    title = "Run for so many seconds"
    once = True

    seconds: float = parameter(
        30.0, label="Seconds", kind="real", lower=0.0, open_lower=True, upper=1e7,
        help="Pause when the rounds from now on took this many seconds.",
    )  # fmt: skip

    @property
    def told(self) -> str:
        """How far the run goes, after its name."""
        return f"goes on for {_seconds(self.seconds)}"

    def watcher(self, run: WatchedRun) -> SecondsSpent:
        """Begin to count."""
        return SecondsSpent(self.seconds)


class SecondsSpent(Watcher):
    """Adds up the seconds of the rounds."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._spent, self._rounds = seconds, 0.0, 0

    def look(self, event: RoundFinished) -> Met | None:
        """Add those of a round."""
        self._spent += event.seconds
        self._rounds += 1
        if self._spent < self._seconds:
            return None
        return Met(f"{counted(self._rounds, 'round')} in {_seconds(self._seconds)}, as was asked.")


@BREAKPOINTS.register
@dataclass(frozen=True)
class RunUntilStale(Breakpoint):
    """Met when the watched metric has had no new best for `rounds` rounds from now on."""

    name = "run_until_stale"
    title = "Run until the metric is no better"
    once = True

    rounds: int = parameter(
        10, label="Rounds", kind="integer", lower=1, upper=1_000_000,
        help="Pause when the watched metric has not improved for this many rounds.",
    )  # fmt: skip

    @property
    def told(self) -> str:
        """How far the run goes, after its name."""
        return f"goes on until {counted(self.rounds, 'round')} in a row bring nothing better"

    def watcher(self, run: WatchedRun) -> RoundsWithoutBest:
        """Begin to count."""
        return RoundsWithoutBest(self.rounds, run.metric)


class RoundsWithoutBest(Watcher):
    """Counts rounds since the best one, or since it began to look."""

    def __init__(self, rounds: int, metric: MetricFacts) -> None:
        self._rounds, self._metric = rounds, metric
        self._began = -1
        self._best = float("nan")

    def look(self, event: RoundFinished) -> Met | None:
        """Compare with the best round."""
        if self._began < 0:
            self._began = event.round - 1
        if event.best_round == event.round:
            self._best = (event.valid or event.train)[self._metric.name]
        if event.round - max(event.best_round, self._began) < self._rounds:
            return None
        best = "" if self._best != self._best else f", {figure(self._best)}"
        stale = f"{self._metric.label} has not improved for {counted(self._rounds, 'round')}"
        return Met(f"{stale}; its best{best} is in round {event.best_round}.")


def _seconds(number: float) -> str:
    return "1 second" if number == 1.0 else f"{short(number)} seconds"
