"""Another training method was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call
from workbench.session.journal.kinds.edit_params import changes_told, checked


@ACTIONS.register
@dataclass(frozen=True)
class ChooseMethod(Action):
    """The parameters that it changes, before and after; `objective` is the one that it trains."""

    before: dict[str, Any]
    after: dict[str, Any]
    objective: str

    name: ClassVar[str] = "method"

    def __post_init__(self) -> None:
        checked(self, "before", "after")

    @property
    def words(self) -> str:
        """What was done."""
        return changes_told(self.before, self.after)

    @property
    def call(self) -> Call | None:
        """The same in a script: the objective; the run that is trained names the method."""
        return Call("objective", (self.objective,))
