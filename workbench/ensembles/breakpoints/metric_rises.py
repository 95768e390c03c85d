"""The hold-out metric became worse several rounds in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.number_text import figure
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished


@BREAKPOINTS.register
@dataclass(frozen=True)
class MetricRises(Breakpoint):
    """Met when the watched metric of the hold-out rows is worse than before, `rounds` times in a row."""

    name = "metric_rises"
    title = "The hold-out metric gets worse"

    rounds: int = parameter(
        5, label="rounds in a row", kind="integer", lower=1, slider=(1, 50),
        help="Pause when the hold-out metric became worse this many rounds in a row.",
    )  # fmt: skip

    def watcher(self, run: WatchedRun) -> WorseRounds:
        """Count from the next round on."""
        return WorseRounds(self.rounds, run)


class WorseRounds(Watcher):
    """Counts the rounds in a row; anew after each pause."""

    def __init__(self, rounds: int, run: WatchedRun) -> None:
        self._rounds, self._metric = rounds, run.metric
        self._sign = -1.0 if run.metric.higher_is_better else 1.0
        self._before = self._begin = float("nan")
        self._worse = 0

    def look(self, event: RoundFinished) -> Met | None:
        """Compare with the round before."""
        now = event.valid.get(self._metric.name, float("nan"))
        if self._sign * (now - self._before) > 0:
            self._worse += 1
        else:
            self._worse, self._begin = 0, now
        self._before = now
        if self._worse < self._rounds:
            return None
        worse, began, self._worse, self._begin = self._worse, self._begin, 0, now
        change = "fell" if self._metric.higher_is_better else "rose"
        rounds = "in one round" if worse == 1 else f"{worse} rounds in a row"
        return Met(
            f"{self._metric.label} on the hold-out rows {change} {rounds}, from {figure(began)} in round "
            f"{event.round - worse} to {figure(now)} in round {event.round}."
        )
