"""Changes of parameters while a run trained, as they are marked over its rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from workbench.parameters.training import BY_NAME, IN_BRANCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.parameters.training import TrainingParams

MOST_MARKS = 100  # of one parameter that have room beside each other on an axis


@dataclass(frozen=True)
class ParameterChange:
    """A live parameter took a new value with the first tree of `round`."""

    round: int
    name: str
    old: Any
    new: Any

    @property
    def text(self) -> str:
        """The change as shown on the curves: "λ 1 → 4"."""
        declared = BY_NAME[self.name]
        return f"{declared.symbol or declared.label} {declared.told(self.old)} → {declared.told(self.new)}"


def changes_in(
    round: int, before: TrainingParams, now: TrainingParams, *, branches: bool
) -> list[ParameterChange]:
    """Return what changed with a round; of parameters that are not live where a run `branches` off."""
    known, new = before.to_dict(), now.to_dict()
    return [
        ParameterChange(round, name, known[name], new[name])
        for name in known
        if known[name] != new[name] and (BY_NAME[name].live or (branches and name in IN_BRANCH))
    ]


def as_marked(
    changes: Iterable[ParameterChange], rounds: int
) -> tuple[tuple[int, list[ParameterChange]], ...]:
    """Return changes by the round of their mark on an axis of so many rounds.

    Those of one parameter that follow each other closely, as while a slider is dragged, are one from the
    first value to the last, marked where that came.
    """
    apart = max(1, rounds // MOST_MARKS)
    newest: dict[str, ParameterChange] = {}
    marked: list[ParameterChange] = []
    for change in changes:
        before = newest.get(change.name)
        if before is not None and change.round - before.round <= apart and before.old != change.new:
            marked.remove(before)
            change = replace(change, old=before.old)
        newest[change.name] = change
        marked.append(change)
    return tuple((number, list(some)) for number, some in groupby(marked, lambda change: change.round))
