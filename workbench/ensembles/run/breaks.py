"""The breakpoints of a run, as they look at its rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.breakpoints.base import WatchedRun
from workbench.ensembles.events import TrainingPaused
from workbench.ensembles.run.told_alone import ToldAlone
from workbench.parameters.methods import UNPENALISED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.data.dataset import Dataset
    from workbench.ensembles.breakpoints.base import Breakpoint, Met, Watcher
    from workbench.ensembles.control import RunControl
    from workbench.ensembles.events import RoundFinished
    from workbench.ensembles.run.begun import RunBegun
    from workbench.ensembles.run.setup import RunSetup
    from workbench.trees.tree import Tree


class Breaks:
    """Asks the breakpoints that the reins hold after each round.

    One that is new looks from the next round on; those that stay go on counting.
    """

    def __init__(self, control: RunControl, run: WatchedRun) -> None:
        self._control, self._run = control, run
        self._watchers: dict[Breakpoint, Watcher] = {one: one.watcher(run) for one in control.breakpoints}
        self._unread: list[Tree] = []  # whose columns the run does not know yet

    def look(self, event: RoundFinished, *, is_last: bool) -> TrainingPaused | None:
        """Return the pause after a round that met breakpoints, once the reins are held; None after others.

        After the last round a goal alone pauses nothing: the run ends there.
        """
        in_force = self._control.breakpoints
        if not in_force:
            self._watchers = {}
            self._unread.extend(event.trees)
            return None
        self._run.split_on.update(split_on(self._unread))
        self._watchers = {one: self._watchers.get(one) or one.watcher(self._run) for one in in_force}
        found = {one: watcher.look(event) for one, watcher in self._watchers.items()}
        met = {one: why for one, why in found.items() if why is not None}
        self._unread = list(event.trees)
        if not met or (is_last and all(one.once for one in met)):
            return None
        return self._pause(event.round, met)

    def look_back(self, round: int) -> TrainingPaused | None:
        """Return the pause at the end of a run that nothing is left to learn of, sooner than was asked."""
        found = {one: watcher.look_back() for one, watcher in self._watchers.items()}
        met = {one: why for one, why in found.items() if why is not None}
        return self._pause(round, met) if met else None

    def _pause(self, round: int, met: Mapping[Breakpoint, Met]) -> TrainingPaused:
        self._control.halt(met)
        reason = " ".join(why.reason for why in met.values())
        suspect = next((why.suspect for why in met.values() if why.suspect), "")
        return TrainingPaused(round, reason, tuple(met), suspect)


def watched_run(setup: RunSetup, begun: RunBegun, data: Dataset) -> WatchedRun:
    """Return what breakpoints may know of a run."""
    return WatchedRun(
        columns=tuple(feature.name for feature in setup.schema.features),
        metric=setup.metrics.watched_facts,
        has_classes=setup.objective.task != "regression" or data.groups is not None,
        told_alone=ToldAlone(data, setup.weight_of(data, data.train_rows)).of,
        promises=setup.params.method not in (*UNPENALISED, "linear"),
        split_on=split_on(begun.ensemble.trees),
    )


def split_on(trees: Iterable[Tree]) -> set[int]:
    """Return the features that trees split on."""
    found = {feature for tree in trees for feature in tree.nodes["feature"].tolist()}
    return {feature for feature in found if feature >= 0}
