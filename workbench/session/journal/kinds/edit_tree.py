"""A tree was edited, which makes a branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class EditTree(Action):
    """Run `run` is run `of` up to the edited tree; `edit` is what was done, `told` the same in words."""

    run: int
    of: int
    edit: dict[str, Any]
    told: str

    name: ClassVar[str] = "edit_tree"

    @property
    def words(self) -> str:
        """What was done."""
        return f"Run {self.run} from run {self.of}: {self.told}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("edit", (), self.edit, on=self.of, result=self.run)
