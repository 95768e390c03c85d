"""A run that had ended goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


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
        return f"Continue run {self.run} from round {self.at} to {self.until}"

    @property
    def python(self) -> str:
        """The same in a script."""
        return f"run{self.run}.grow({self.until - self.at})"
