"""A tree was edited, which makes a branch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action


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
    def python(self) -> str:
        """The same in a script."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.edit.items())
        return f"run{self.run} = run{self.of}.edit({values})"
