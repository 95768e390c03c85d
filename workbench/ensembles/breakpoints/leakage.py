"""One column tells the target from the first rounds on, as one does that was known only after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.errors import one_line
from workbench.number_text import figure, percent
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished

# How much of the target a column must tell alone to be suspected. An honest one seldom foretells a class so
# well; of a number it may tell nine tenths, as air temperature does of a power plant's output.
LEAST_OF_CLASSES, LEAST_OF_NUMBERS = 0.7, 0.93
MOST_LEFT = 0.5  # of what the best of the other columns leaves untold


@BREAKPOINTS.register
@dataclass(frozen=True)
class Leakage(Breakpoint):
    """Met after the first `rounds` where one column takes their gain, and tells the target nearly alone.

    A column is suspected that takes more than `share` per cent of the gain, if it alone tells nearly all of
    the target's variance and leaves at most half as much untold as any other column. An honest column may
    dominate the first rounds, but it leaves much of the target untold, or others tell about the same.
    """

    name = "leakage"
    title = "One column gives the target away"

    share: float = parameter(
        50.0, label="% of the gain", kind="real", lower=10.0, upper=100.0, slider=(10.0, 100.0),
        help="Suspect a column that takes more than this share of the gain of the first rounds, where the "
        "column alone tells nearly all of the target.",
    )  # fmt: skip
    rounds: int = parameter(
        3, label="rounds", kind="integer", lower=1, upper=100, slider=(1, 20),
        help="How many rounds are looked at, from the first on.",
    )  # fmt: skip

    def watcher(self, run: WatchedRun) -> FirstGains:
        """Add up gains; of a run that has passed the first rounds nothing is said."""
        return FirstGains(self, run)

    def first_met(self, after: int) -> int | None:
        """Return the last of the first rounds, after which it judges."""
        return self.rounds if after < self.rounds else None


class FirstGains(Watcher):
    """Adds up the gain of each column over the first rounds."""

    def __init__(self, settings: Leakage, run: WatchedRun) -> None:
        self._settings, self._run = settings, run
        self._gains = np.zeros(len(run.columns))
        self._seen = 0

    def look(self, event: RoundFinished) -> Met | None:
        """Add the gains of a round; judge after the last of them."""
        last = min(self._settings.rounds, event.params.rounds)
        if event.round > last:
            return None
        self._seen += 1
        for tree in event.trees:
            splits = tree.nodes[~tree.is_leaf]
            gains = np.maximum(splits["gain"], 0.0)
            self._gains += np.bincount(splits["feature"], gains, minlength=len(self._gains))
        return self._judge(last) if event.round == self._seen == last else None

    def look_back(self) -> Met | None:
        """Judge rounds that were fewer, as of AdaBoost, which ends with the tree that has no row wrong."""
        return self._judge(self._seen) if 0 < self._seen < self._settings.rounds else None

    def _judge(self, rounds: int) -> Met | None:
        if len(self._gains) < 2:
            return None
        second, first = np.argsort(self._gains, kind="stable")[-2:]
        gain, next_gain, total = self._gains[first], self._gains[second], self._gains.sum()
        if gain <= self._settings.share / 100.0 * total:
            return None
        told = self._run.told_alone
        own = told(int(first))
        if own < (LEAST_OF_CLASSES if self._run.has_classes else LEAST_OF_NUMBERS):
            return None
        others = max(told(feature) for feature in range(len(self._gains)) if feature != first)
        if 1.0 - own > MOST_LEFT * (1.0 - others):
            return None
        column, beside = self._run.columns[first], self._run.columns[second]
        of_rounds = "round" if rounds == 1 else f"{rounds} rounds"
        taken = f"it takes {percent(gain / total)} of the gain of the first {of_rounds}, {figure(gain)}"
        next_one = f"the next column, '{beside}', takes {figure(next_gain)}"
        left = next_one if next_gain > 0 else "the other columns take nothing"
        return Met(one_line(f"'{column}' may give the target away: {taken}; {left}."), suspect=column)
