"""A breakpoint, or a goal, let a run wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.ensembles.breakpoints.base import BREAKPOINTS
from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class Pause(Action):
    """After round `at`; `met` names the kinds of breakpoints and goals, but no seconds."""

    run: int
    at: int
    met: tuple[str, ...] = ()

    name: ClassVar[str] = "pause"
    undoable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name in self.met:
            BREAKPOINTS.get(str(name))

    @property
    def words(self) -> str:
        """What was done."""
        kinds = [BREAKPOINTS.get(name) for name in self.met]
        told = [f"{kind.title[:1].lower()}{kind.title[1:]}" for kind in kinds if not kind.once]
        why = f": {', '.join(told)}" if told else ", as was asked" if kinds else ""
        return f"Run {self.run} waits after round {self.at}{why}"
