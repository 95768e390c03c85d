"""The lines of a sitting in their order, and the place among them at which it stands."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from workbench.data.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from workbench.session.journal.action import Action

ONE_HAND = 1.0  # seconds; what goes on sooner is still being dragged
PLACE = "shown"  # the part of the state that tells where the person was; each line brings it back
NOTHING: Mapping[Any, Any] = {}


class JournalLine(NamedTuple):
    """An action, and what of the state it changed, by key, before and after it."""

    action: Action
    before: Mapping[Any, Any]
    after: Mapping[Any, Any]


class Keeper(Protocol):
    """Whose state the journal tells."""

    def now(self) -> dict[Hashable, Any]:
        """Return what actions change, as objects that never change themselves, by key."""

    def restore(self, state: Mapping[Any, Any]) -> None:
        """Put these parts of the state back as they were."""

    def relist(self, left_out: Iterable[JournalLine]) -> None:
        """Keep the runs that are only told of in lines which are left out now."""

    def is_held(self, line: JournalLine) -> bool:
        """Whether a run that trains holds what the line changed."""

    def tell(self) -> None:
        """Say that there is another line, or that another is the present one."""


class Journal:
    """Takes lines down, and goes back and forth among them.

    Attributes
    ----------
    lines : tuple of JournalLine
    position : int
        So many of the lines are in force; those after it were taken back.
    """

    def __init__(self, keeper: Keeper, clock: Callable[[], float] = time.monotonic) -> None:
        self._keeper, self._clock = keeper, clock
        self.lines: tuple[JournalLine, ...] = ()
        self.position = 0
        self._state: dict[Hashable, Any] = {}
        self._last = -math.inf

    def begin(self, *actions: Action) -> None:
        """Begin anew with what was opened."""
        self.take([JournalLine(action, NOTHING, NOTHING) for action in actions], len(actions))

    def take(self, lines: Iterable[JournalLine], position: int) -> None:
        """Take over the lines of a sitting before, which stood at `position`."""
        self.lines, self.position = tuple(lines), position
        self._state = self._keeper.now()
        self.part()
        self._keeper.tell()

    def note(self, action: Action) -> None:
        """Take down what was just done; nothing, where it changed nothing."""
        if not action.undoable:
            self._tell_of(action)
            return
        undone = self.lines[self.position :]
        if undone:
            self._keeper.relist(undone)
        line = _line(action, self._state, self._keeper.now())
        if not line.after:
            return
        kept = self.lines[: self.position]
        last = kept[-1] if kept and not undone else None
        is_same_hand = self._clock() - self._last < ONE_HAND
        joined = last.action.joined(action) if last is not None and is_same_hand else None
        if last is not None and joined is not None:
            line = JournalLine(joined, {**line.before, **last.before}, {**last.after, **line.after})
            kept = kept[:-1]
        self.lines = (*kept, line)
        self.position = len(self.lines)
        self._state, self._last = self._keeper.now(), self._clock()
        self._keeper.tell()

    def pass_over(self, *keys: Hashable) -> None:
        """Let what became of these parts of the state be no part of the next line."""
        state = self._keeper.now()
        self._state |= {key: state.get(key) for key in keys}

    def _tell_of(self, action: Action) -> None:
        """Take down what merely happened; what was taken back can be done again all the same."""
        kept, undone = self.lines[: self.position], self.lines[self.position :]
        joined = kept[-1].action.joined(action) if kept and not kept[-1].action.undoable else None
        if joined is not None:
            kept, action = kept[:-1], joined
        self.lines = (*kept, JournalLine(action, NOTHING, NOTHING), *undone)
        self.position = len(kept) + 1
        self.part()
        self._keeper.tell()

    def rewrite(self, change: Callable[[Action], Action | None]) -> None:
        """Let the newest line in force for which `change` returns an action tell that instead."""
        for place in reversed(range(self.position)):
            line = self.lines[place]
            told = change(line.action)
            if told is not None:
                if told != line.action:
                    self.lines = (*self.lines[:place], line._replace(action=told), *self.lines[place + 1 :])
                    self._keeper.tell()
                return

    def settle(self, key: Hashable, change: Callable[[Action], Action | None]) -> None:
        """Let lines for which `change` returns an action hold nothing of a part of the state any more.

        Those that hold nothing else tell that action, and cannot be taken back; those that were, go.
        """
        lines: list[JournalLine] = []
        for place, line in enumerate(self.lines):
            told = change(line.action)
            if told is None:
                lines.append(line)
            elif line.after.keys() - {key, PLACE}:
                before, after = ({k: v for k, v in part.items() if k != key} for part in line[1:])
                lines.append(line._replace(before=before, after=after))
            elif place < self.position:
                lines.append(JournalLine(told, NOTHING, NOTHING))
        if self.lines != tuple(lines):
            self.lines = tuple(lines)
            self._keeper.tell()

    def part(self) -> None:
        """Let what comes next be a line of its own, however soon it comes."""
        self._last = -math.inf

    @property
    def done(self) -> JournalLine | None:
        """The line that would be taken back; None where there is none, or a run that trains holds it."""
        return self._free(self._last_done)

    @property
    def undone(self) -> JournalLine | None:
        """The line that would be done again; None where there is none, or a run that trains holds it."""
        return self._free(self._next_undone)

    @property
    def _last_done(self) -> int | None:
        return next((i for i in reversed(range(self.position)) if self.lines[i].action.undoable), None)

    @property
    def _next_undone(self) -> int | None:
        places = range(self.position, len(self.lines))
        return next((i for i in places if self.lines[i].action.undoable), None)

    def _free(self, place: int | None) -> JournalLine | None:
        line = None if place is None else self.lines[place]
        return None if line is None or not line.after or self._keeper.is_held(line) else line

    def undo(self) -> None:
        """Take the last action back."""
        line, place = self.done, self._last_done
        if line is not None and place is not None:
            self._go(place, line.before)

    def redo(self) -> None:
        """Do the action again that was taken back last."""
        line, place = self.undone, self._next_undone
        if line is not None and place is not None:
            place += 1
            while place < len(self.lines) and not self.lines[place].action.undoable:
                place += 1
            self._go(place, line.after)

    def go_to(self, position: int) -> None:
        """Take back, or do again, until so many lines are in force, as far as that can be."""
        while self.position > position and self.done is not None:
            self.undo()
        while self.position < position and self.undone is not None:
            self.redo()

    def _go(self, position: int, state: Mapping[Any, Any]) -> None:
        self.position = position
        self.part()
        self._keeper.restore(state)
        self._state = self._keeper.now()
        self._keeper.tell()


def _line(action: Action, before: Mapping[Any, Any], after: Mapping[Any, Any]) -> JournalLine:
    keys = [key for key in {**before, **after} if not _same(before.get(key), after.get(key))]
    if keys and PLACE not in keys and PLACE in after:
        keys.append(PLACE)
    return JournalLine(action, {key: before.get(key) for key in keys}, {key: after.get(key) for key in keys})


def _same(one: Any, other: Any) -> bool:
    """Whether both are equal; tables are where they are one."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, Table):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
