"""Rows are held out otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.session.journal.action import ACTIONS, Action, Call


@ACTIONS.register
@dataclass(frozen=True)
class ChooseHoldOut(Action):
    """The share of the rows, the seed by which they are drawn, and whether class shares are kept."""

    fraction: float
    seed: int
    stratified: bool

    name: ClassVar[str] = "hold_out"

    @property
    def words(self) -> str:
        """What was done."""
        kept = ", class shares kept" if self.stratified else ""
        return f"Hold out {self.fraction:.0%} (seed {self.seed}{kept})"

    @property
    def call(self) -> Call | None:
        """The same in a script."""
        return Call("hold_out", (self.fraction, self.seed), {"stratified": self.stratified})

    def joined(self, later: Action) -> Action | None:
        """A share that is dragged is one action."""
        return later if isinstance(later, ChooseHoldOut) else None
