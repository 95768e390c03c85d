"""Points were drawn, moved, erased or scattered, or the playground trained on as a slider was dragged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class Draw(Action):
    """What was done in words, and the run that was trained on it, 0 for none."""

    told: str
    run: int

    name: ClassVar[str] = "draw"

    @property
    def words(self) -> str:
        """What was done."""
        return self.told
