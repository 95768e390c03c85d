"""Another class of two is the positive one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class Positive(Action):
    """Its label; None is the program's choice."""

    label: str | None

    name: ClassVar[str] = "positive"

    @property
    def words(self) -> str:
        """What was done."""
        return "Positive class as guessed" if self.label is None else f"Positive class {self.label}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("positive", (self.label,))
