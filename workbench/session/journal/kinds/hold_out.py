"""Rows are held out otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from workbench.isolation import isolated
from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class ChooseHoldOut(Action):
    """The share of the rows, the seed by which they are drawn, whether class shares are kept; or by what.

    `by`, `column` and `file` are those of the plan.
    """

    fraction: float
    seed: int
    stratified: bool
    by: str = "rows"
    column: str | None = None
    file: str | None = None

    name: ClassVar[str] = "hold_out"

    @property
    def words(self) -> str:
        """What was done."""
        column = isolated(self.column or "a column")
        if self.by == "column":
            return f"Hold out the rows that {column} names"
        if self.by == "file":
            return f"Hold out the rows of {isolated(Path(self.file or 'a second file').name)}"
        if self.by == "time":
            return f"Hold out the latest {self.fraction:.0%} by {column}"
        if self.by == "groups":
            return f"Hold out {self.fraction:.0%}, whole groups of {column} (seed {self.seed})"
        kept = ", class shares kept" if self.stratified else ""
        return f"Hold out {self.fraction:.0%} (seed {self.seed}{kept})"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        told: dict[str, Any] = {"stratified": self.stratified}
        told |= {"by": self.by} if self.by != "rows" else {}
        told |= {"column": self.column} if self.column is not None else {}
        told |= {"file": self.file} if self.file is not None else {}
        return Call("hold_out", (self.fraction, self.seed), told)

    def joined(self, later: Action) -> Action | None:
        """A share that is dragged is one action."""
        return later if isinstance(later, ChooseHoldOut) else None
