"""What pauses runs was set otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class SetBreakpoint(Action):
    """The kind of breakpoint and what it is called, its settings, and whether it is on."""

    breakpoint: str
    title: str
    settings: dict[str, Any]
    on: bool

    name: ClassVar[str] = "breakpoint"

    @property
    def words(self) -> str:
        """What was done."""
        told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.settings.items())
        return f"{'Pause' if self.on else 'Do not pause'}: {self.title}{f' ({told})' if told else ''}"

    def joined(self, later: Action) -> Action | None:
        """A setting that is typed or stepped is one action."""
        same = isinstance(later, SetBreakpoint) and (later.breakpoint, later.on) == (self.breakpoint, self.on)
        return later if same else None
