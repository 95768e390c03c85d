"""A note was written on a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class NoteRun(Action):
    """The run, and what it has now."""

    run: int
    text: str

    name: ClassVar[str] = "note"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Note on run {self.run}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("note=", (self.text,), on=self.run)

    def joined(self, later: Action) -> Action | None:
        """A note that is being typed is one action."""
        return later if isinstance(later, NoteRun) and later.run == self.run else None
