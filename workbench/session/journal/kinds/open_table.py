"""A table was opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from workbench.session.journal.action import ACTIONS, Action


@ACTIONS.register
@dataclass(frozen=True)
class OpenTable(Action):
    """`sha256` is that of the file, "" where it has none; `options` are what was settled about reading."""

    path: str
    sha256: str
    options: dict[str, Any]

    name: ClassVar[str] = "open_table"
    undoable: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """What was done."""
        return f"Open {Path(self.path).name}"
