"""A run was given a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Rename(Action):
    """The run, and what it has now."""

    run: int
    title: str

    name: ClassVar[str] = "rename"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Name run {self.run} “{self.title}”"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("rename", (self.title,), on=self.run)
