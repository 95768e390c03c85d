"""A run was stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Stop(Action):
    """After round `at`."""

    run: int
    at: int

    name: ClassVar[str] = "stop"
    undoable: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What was done."""
        return f"Stop run {self.run} at round {self.at}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("stop", on=self.run)
