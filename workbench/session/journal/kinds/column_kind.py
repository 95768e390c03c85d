"""A column was given another kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class ColumnKind(Action):
    """The kinds before and after."""

    column: str
    before: str
    after: str

    name: ClassVar[str] = "column_kind"

    @property
    def words(self) -> str:
        """What was done."""
        return f"{self.column}: {self.before} → {self.after}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("kind", (self.column, self.after))
