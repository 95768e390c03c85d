"""Another column is to be predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Target(Action):
    """The column, and the objective that follows from it."""

    column: str
    objective: str

    name: ClassVar[str] = "target"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Target {self.column} · {self.objective}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("target", (self.column,), {"objective": self.objective})
