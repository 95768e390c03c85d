"""A breakpoint, or a goal, let a run wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class Pause(Action):
    """After round `at`, whatever was asked for: rounds, seconds or a metric."""

    run: int
    at: int

    name: ClassVar[str] = "pause"
    undoable: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What was done."""
        return f"Run {self.run} waits after round {self.at}"
