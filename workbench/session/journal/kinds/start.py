"""A run was started."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call
from workbench.session.journal.kinds.edit_params import checked


@ACTIONS.register
@dataclass(frozen=True)
class StartRun(Action):
    """Its number, its objective, and those of its parameters that are not at their defaults."""

    run: int
    objective: str
    params: dict[str, Any]

    name: ClassVar[str] = "start"

    def __post_init__(self) -> None:
        checked(self, "params")

    @property
    def words(self) -> str:
        """What was done."""
        return f"Train run {self.run} · {self.objective}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("train", (), self.params, result=self.run)
