"""The breakpoints that pause runs, as the person set them, and how far a run is to go."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.ensembles.breakpoints.base import BREAKPOINTS, Breakpoint, breakpoint_from
from workbench.ensembles.breakpoints.leakage import Leakage
from workbench.errors import WorkbenchError
from workbench.session.journal.kinds.breakpoint import SetBreakpoint
from workbench.session.journal.kinds.goal import SetGoal, served

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.registry import Named
    from workbench.session.events import SessionEvents
    from workbench.session.journal.journal import Journal


class Breakpoints:
    """One of each kind, switched on or off, for every run of the window.

    Attributes
    ----------
    goal : Breakpoint or None
        How far the run in hand goes; gone once it is reached.
    told : SetGoal or None
        The line that tells of it.
    """

    def __init__(self, events: SessionEvents, journal: Journal) -> None:
        self._events, self._journal = events, journal
        self._settings = {kind.name: kind() for kind in BREAKPOINTS if not kind.once}
        self._on = {Leakage.name}
        self.goal: Breakpoint | None = None
        self.told: SetGoal | None = None

    @property
    def kinds(self) -> tuple[Breakpoint, ...]:
        """All of them with their settings, on or off."""
        return tuple(self._settings.values())

    @property
    def in_force(self) -> tuple[Breakpoint, ...]:
        """Those that pause a run: the ones that are on, and the goal."""
        goal = () if self.goal is None else (self.goal,)
        return (*(one for one in self.kinds if self.is_on(one)), *goal)

    def is_on(self, one: Breakpoint) -> bool:
        """Whether the kind of this breakpoint is switched on."""
        return one.name in self._on

    def switch(self, name: str, *, on: bool) -> None:
        """Switch a kind on or off; its settings stay."""
        if on != (name in self._on):
            self._on ^= {name}
            self._events.breakpoints.emit()
            self._note(self._settings[name])

    def set(self, changed: Breakpoint) -> None:
        """Take other settings of a kind over."""
        if self._settings[changed.name] != changed:
            self._settings[changed.name] = changed
            self._events.breakpoints.emit()
            self._note(changed)

    def _note(self, one: Breakpoint) -> None:
        settings = {name: value for name, value in one.to_dict().items() if name != "name"}
        self._journal.note(SetBreakpoint(one.name, one.title, settings, self.is_on(one)))

    def aim(self, goal: Breakpoint | None) -> None:
        """Let the run in hand, or the next one, go so far and pause; None takes that back."""
        if goal != self.goal:
            self.goal = goal
            self._events.breakpoints.emit()

    def tell_goal(self, run: int) -> None:
        """Take the goal down, as that of the run of this number."""
        if self.goal is not None:
            self.told = SetGoal(run, self.goal.to_dict())
            self._journal.note(self.told)

    def reached(self, run: int, met: Iterable[Named]) -> None:
        """Take the goal of a run away where it is among those that were met."""
        if self.goal in tuple(met):
            self.leave_goal(run)

    def leave_goal(self, run: int) -> None:
        """Take away the goal of a run, which waits there, or has ended; its lines hold nothing to undo."""
        if self.told is None or self.told.run == run:
            self.take_goal(None, 0)
            self._journal.pass_over("goal")
        self._journal.settle("goal", partial(served, run=run))

    def leave_goals(self) -> None:
        """Take away every goal, where no run is in hand."""
        self.take_goal(None, 0)
        self._journal.pass_over("goal")
        self._journal.settle("goal", partial(served, run=0))

    def take_goal(self, told: SetGoal | None, in_hand: int) -> None:
        """Put a goal back that was taken down, or none; it is in force where its run trains or waits."""
        self.told = told
        self.aim(told.made if told is not None and told.run == in_hand else None)

    def to_dict(self) -> dict[str, Any]:
        """Return what is kept between sittings, as JSON holds it."""
        return {"on": sorted(self._on), "settings": [one.to_dict() for one in self.kinds]}

    def take(self, kept: Mapping[str, Any]) -> None:
        """Take over what `to_dict` returned, without a line; what is not understood stays as it is."""
        for values in kept.get("settings", ()):
            with suppress(WorkbenchError, TypeError, ValueError, AttributeError):
                one = breakpoint_from(values)
                if one.name in self._settings:
                    self._settings[one.name] = one
        on = kept.get("on")
        if isinstance(on, list):
            self._on = {name for name in self._settings if name in on}
        self._events.breakpoints.emit()
