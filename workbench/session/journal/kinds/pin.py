"""A run was pinned, or is not any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Pin(Action):
    """The run, and what it has now."""

    run: int
    pinned: bool

    name: ClassVar[str] = "pin"

    @property
    def words(self) -> str:
        """What was done."""
        return f"{'Pin' if self.pinned else 'Unpin'} run {self.run}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("pin", (self.pinned,), on=self.run)
