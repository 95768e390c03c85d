"""A chosen column is split on for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, Met, Watcher
from workbench.errors import one_line
from workbench.number_text import figure
from workbench.parameters.spec import parameter

if TYPE_CHECKING:
    from workbench.ensembles.breakpoints.base import WatchedRun
    from workbench.ensembles.events import RoundFinished


@BREAKPOINTS.register
@dataclass(frozen=True)
class FirstSplit(Breakpoint):
    """Met by the first round of a run that splits on `column`; never where the run has no such column."""

    name = "first_split"
    title = "A column is split on for the first time"

    column: str = parameter(
        "", label="column", kind="choice", help="Pause after the first round that splits on this column."
    )

    def watcher(self, run: WatchedRun) -> SplitsOnColumn:
        """Look from the next round on; earlier splits are known to the run."""
        return SplitsOnColumn(self.column, run)


class SplitsOnColumn(Watcher):
    """Looks for a column that no earlier round split on."""

    def __init__(self, column: str, run: WatchedRun) -> None:
        self._column, self._split_on = column, run.split_on
        self._feature = run.columns.index(column) if column in run.columns else None

    def look(self, event: RoundFinished) -> Met | None:
        """Look for splits on it."""
        if self._feature is None or self._feature in self._split_on:
            return None
        gains = [
            float(tree.nodes["gain"][tree.nodes["feature"] == self._feature].max(initial=-1.0))
            for tree in event.trees
        ]
        if max(gains) < 0.0:
            return None
        first = f"Round {event.round} is the first to split on '{self._column}'"
        return Met(one_line(f"{first}; the best of these splits gains {figure(max(gains))}."))
