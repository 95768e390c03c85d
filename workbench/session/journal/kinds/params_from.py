"""Other parameters came into force in a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call
from workbench.session.journal.kinds.edit_params import EditParams, changes_told, checked


@ACTIONS.register
@dataclass(frozen=True)
class ParamsFrom(Action):
    """From round `at` on: the values before and after, by name."""

    run: int
    at: int
    before: dict[str, Any]
    after: dict[str, Any]

    name: ClassVar[str] = "params_from"

    def __post_init__(self) -> None:
        checked(self, "before", "after")

    @property
    def words(self) -> str:
        """What was done."""
        return f"{changes_told(self.before, self.after)} at round {self.at}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("change", (), {**self.after, "at": self.at}, on=self.run)

    def joined(self, later: Action) -> Action | None:
        """A slider that is dragged while rounds go by makes one change."""
        is_next = isinstance(later, EditParams) and later.run == self.run
        if is_next and isinstance(later, EditParams) and later.after.keys() == self.after.keys():
            return ParamsFrom(self.run, self.at, self.before, later.after)
        return None


def in_force(action: Action, run: int, parameter: str, at: int) -> Action | None:
    """Return an edit as what is in force from round `at` on; None where it is not of this parameter."""
    if isinstance(action, EditParams) and action.run == run and parameter in action.after:
        return ParamsFrom(run, at, action.before, action.after)
    is_known = isinstance(action, ParamsFrom) and action.run == run and parameter in action.after
    return action if is_known else None
