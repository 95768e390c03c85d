"""Another column is to be predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


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
    def python(self) -> str:
        """The same in a script."""
        return f"study.target({self.column!r}, objective={self.objective!r})"
