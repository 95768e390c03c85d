"""A model file was opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class OpenModel(Action):
    """The file's path."""

    path: str

    name: ClassVar[str] = "open_model"
    undoable: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What was done."""
        return f"Open model {Path(self.path).name}"
