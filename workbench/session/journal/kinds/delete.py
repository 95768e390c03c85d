"""A run was deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Delete(Action):
    """The run's number, and what it was called."""

    run: int
    title: str

    name: ClassVar[str] = "delete"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Delete {self.title}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("delete", on=self.run)
