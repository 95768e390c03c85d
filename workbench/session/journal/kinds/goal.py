"""A run was told how far to go before it waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.ensembles.breakpoints.base import Breakpoint, breakpoint_from
from workbench.ensembles.breakpoints.goals import RunTo
from workbench.errors import WorkbenchError
from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class SetGoal(Action):
    """The run, and the goal as `Breakpoint.to_dict` gives it; taking it back lets the run go on without."""

    run: int
    goal: dict[str, Any]

    name: ClassVar[str] = "goal"

    def __post_init__(self) -> None:
        try:
            made = self.made
        except (TypeError, ValueError):
            made = None
        if made is None or not made.once:
            raise WorkbenchError("Damaged project: a goal in its journal cannot be.")

    @property
    def made(self) -> Breakpoint:
        """The goal itself."""
        return breakpoint_from(self.goal)

    @property
    def words(self) -> str:
        """What was done."""
        return f"Run {self.run} {self.made.told}"

    @property
    def call(self) -> Call | None:
        """The same in a script, which knows rounds; of other goals the round of the pause tells."""
        goal = self.made
        return Call("grow", (), {"until": goal.round}, on=self.run) if isinstance(goal, RunTo) else None


@ACTIONS.register
@dataclass(frozen=True)
class ServedGoal(SetGoal):
    """A goal that is behind the run: it waited there, or has ended. There is nothing to take back."""

    name: ClassVar[str] = "served_goal"
    undoable: ClassVar[bool] = False


def served(action: Action, run: int) -> Action | None:
    """Return a goal as one that is behind the run of this number, 0 for any; None where it is no such."""
    is_its = type(action) is SetGoal and run in (action.run, 0)
    return ServedGoal(action.run, action.goal) if is_its and isinstance(action, SetGoal) else None
