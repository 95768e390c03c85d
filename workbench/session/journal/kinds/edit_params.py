"""Hyperparameters were changed by the person, for the next run or for the next round of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.errors import WorkbenchError
from workbench.parameters.training import BY_NAME
from workbench.session.journal.action import ACTIONS, Action
from workbench.session.journal.kinds.draw import Draw

MOST_NAMED = 4


def checked(action: Action, *names: str) -> None:
    """Hold the parameters in these fields of an action as they are held elsewhere; refuse what cannot be."""
    for field in names:
        values = getattr(action, field)
        for name in values:
            if name not in BY_NAME:
                raise WorkbenchError(f"There is no parameter '{name:.40}'.")
        held = {name: BY_NAME[name].check(value) for name, value in values.items()}
        object.__setattr__(action, field, held)
    if len({frozenset(getattr(action, field)) for field in names}) > 1:
        raise WorkbenchError("Damaged project: a change of parameters names others before it than after it.")


@ACTIONS.register
@dataclass(frozen=True)
class EditParams(Action):
    """The values before and after, by name; `run` is whose they are, 0 before the first."""

    run: int
    before: dict[str, Any]
    after: dict[str, Any]

    name: ClassVar[str] = "edit_params"

    def __post_init__(self) -> None:
        checked(self, "before", "after")

    @property
    def words(self) -> str:
        """What was done."""
        return changes_told(self.before, self.after)

    def joined(self, later: Action) -> Action | None:
        """A slider that is dragged makes one edit, and so do the values and the run that follows the hand."""
        if isinstance(later, Draw):
            return Draw(f"Train with {self.words}", later.run)
        is_same = isinstance(later, EditParams) and later.run == self.run
        if is_same and isinstance(later, EditParams) and later.after.keys() == self.after.keys():
            return EditParams(self.run, self.before, later.after)
        return None


def changes_told(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Name parameters with their values before and after: "λ 1 → 4"."""
    told = []
    for name, value in after.items():
        declared = BY_NAME[name]
        old, new = declared.told(before[name]), declared.told(value)
        told.append(f"{declared.symbol or declared.label} {old} → {new}")
    more = len(told) - MOST_NAMED
    return ", ".join(told) if more <= 0 else f"{', '.join(told[:MOST_NAMED])} and {more} more"
