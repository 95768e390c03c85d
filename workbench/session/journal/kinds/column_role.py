"""A column was given another role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call

_WORDS = {"feature": "used", "ignore": "left out", "weight": "row weights", "group": "groups",
          "offset": "offset", "target": "target"}  # fmt: skip


@ACTIONS.register
@dataclass(frozen=True)
class ColumnRole(Action):
    """The role that it has now."""

    column: str
    role: str

    name: ClassVar[str] = "column_role"

    @property
    def words(self) -> str:
        """What was done."""
        return f"{self.column}: {_WORDS.get(self.role, self.role)}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("role", (self.column, self.role))
