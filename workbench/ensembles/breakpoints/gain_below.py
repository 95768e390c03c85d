"""A tree gained less than it should."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.number_text import figure, short
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished


@BREAKPOINTS.register
@dataclass(frozen=True)
class GainBelow(Breakpoint):
    """Met when a tree gains less than `gain`, where those of the round before gained as much or more."""

    name = "gain_below"
    title = "A tree gains less than"

    gain: float = parameter(
        1.0, label="in all its splits", kind="real", lower=0.0, slider=(0.01, 1000.0), scale="log",
        help="Pause when the splits of a tree gain less than this together.",
    )  # fmt: skip

    def watcher(self, run: WatchedRun) -> SmallGains:
        """Look from the next round on."""
        return SmallGains(self.gain)


class SmallGains(Watcher):
    """Says it when the gain falls below, and again once it has been above."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._is_below = False

    def look(self, event: RoundFinished) -> Met | None:
        """Compare the tree of a round that gained least; a linear model has none."""
        if event.linear is not None:
            return None
        gain = min(tree.total_gain for tree in event.trees)
        was_below, self._is_below = self._is_below, gain < self._least
        if was_below or not self._is_below:
            return None
        which = "The tree" if len(event.trees) == 1 else "A tree"
        return Met(f"{which} of round {event.round} gained {figure(gain)}, less than {short(self._least)}.")
