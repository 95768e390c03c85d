"""Edits of hyperparameters, which can be undone and done again."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.parameters.training import TrainingParams

MOST = 200  # edits that are remembered
ONE_HAND = 1.0  # seconds; a parameter that changes again sooner is still being dragged


@dataclass(frozen=True)
class Edit:
    """The values before and after, by name, of the parameters that an edit changed."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass
class Edits:
    """Those that were done and those that were undone, the last of each at the end."""

    clock: Callable[[], float] = time.monotonic
    done: list[Edit] = field(default_factory=list)
    undone: list[Edit] = field(default_factory=list)
    _last: float = -math.inf

    def note(self, before: TrainingParams, after: TrainingParams) -> None:
        """Remember what a person changed; a slider that is dragged makes one edit."""
        old, new = before.to_dict(), after.to_dict()
        edit = Edit({name: old[name] for name in old if old[name] != new[name]},
                    {name: new[name] for name in old if old[name] != new[name]})
        now, before_it = self.clock(), self.done[-1] if self.done else None
        if before_it and now - self._last < ONE_HAND and before_it.after.keys() == edit.after.keys():
            self.done[-1] = replace(before_it, after=edit.after)
        else:
            self.done = [*self.done, edit][-MOST:]
        self.undone.clear()
        self._last = now

    def undo(self) -> Mapping[str, Any]:
        """Take the last edit back; return the values from before it."""
        edit = self.done.pop()
        self.undone.append(edit)
        self.part()
        return edit.before

    def redo(self) -> Mapping[str, Any]:
        """Do the edit again that was undone last; return its values."""
        edit = self.undone.pop()
        self.done.append(edit)
        self.part()
        return edit.after

    def forget(self) -> None:
        """Begin anew."""
        self.done.clear()
        self.undone.clear()
        self.part()

    def part(self) -> None:
        """Let the next change be an edit of its own, however soon it comes."""
        self._last = -math.inf
