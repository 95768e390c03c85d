"""A run branched off another at a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call
from workbench.session.journal.kinds.edit_params import changes_told, checked


@ACTIONS.register
@dataclass(frozen=True)
class BranchRun(Action):
    """Run `run` has the first `at` rounds of run `of`; the values before and after are of what differs."""

    run: int
    of: int
    at: int
    before: dict[str, Any]
    after: dict[str, Any]

    name: ClassVar[str] = "branch"

    def __post_init__(self) -> None:
        checked(self, "before", "after")

    @property
    def words(self) -> str:
        """What was done."""
        told = changes_told(self.before, self.after)
        return f"Branch run {self.run} off run {self.of} at {self.at}{told and f': {told}'}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("branch", (), {"at": self.at, **self.after}, on=self.of, result=self.run)
