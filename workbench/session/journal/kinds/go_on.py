"""A run that had ended goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class GoOn(Action):
    """After round `at`, up to round `until`."""

    run: int
    at: int
    until: int

    name: ClassVar[str] = "go_on"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Continue run {self.run} from {self.at} to {self.until}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("grow", (self.until - self.at,), on=self.run)
