"""Another objective was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class ChooseObjective(Action):
    """The objectives before and after."""

    before: str
    after: str

    name: ClassVar[str] = "objective"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Objective {self.before} → {self.after}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("objective", (self.after,))
