"""A Python file of the person's own came into use, or is done without."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class OwnFileUse(Action):
    """The file, what it gives ("objective" or "metric"), the hash of its text, and whether it is used."""

    path: str
    gives: str
    sha256: str
    used: bool

    name: ClassVar[str] = "own_file"

    @property
    def words(self) -> str:
        """What was done."""
        verb = "Use" if self.used else "Do without"
        return f"{verb} the {self.gives} of {Path(self.path).name}"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("use", (self.path,), {"gives": self.gives}) if self.used else None
