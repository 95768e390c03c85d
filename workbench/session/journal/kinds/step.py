"""A run was stepped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class StepRun(Action):
    """So many rounds, one by one."""

    run: int
    rounds: int

    name: ClassVar[str] = "step"
    undoable: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What was done."""
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        return f"Step run {self.run} by {rounds}"

    def joined(self, later: Action) -> Action | None:
        """Steps that follow each other are told together."""
        if isinstance(later, StepRun) and later.run == self.run:
            return StepRun(self.run, self.rounds + later.rounds)
        return None
