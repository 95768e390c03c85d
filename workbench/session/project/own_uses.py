"""Which Python files of the person's own a sitting used, as its journal tells, and what they gave."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.errors import WorkbenchError
from workbench.session.journal.kinds.own_file import OwnFileUse
from workbench.session.journal.kinds.start import StartRun
from workbench.session.own_file import read_file, run_file, sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.session.journal.journal import JournalLine
    from workbench.session.own_file import OwnFile, OwnKind
    from workbench.session.run import Run


@dataclass
class Uses:
    """What was in use.

    Attributes
    ----------
    now : tuple of OwnFileUse
        After the line at which the journal stands.
    by_run : dict of int to tuple of OwnFileUse
        When a run was started, by its number.
    after : list of tuple of OwnFileUse
        After each line.
    """

    now: tuple[OwnFileUse, ...] = ()
    by_run: dict[int, tuple[OwnFileUse, ...]] = field(default_factory=dict)
    after: list[tuple[OwnFileUse, ...]] = field(default_factory=list)

    @property
    def wanted(self) -> tuple[OwnFileUse, ...]:
        """Each file once, as it was used last."""
        every = [use for uses in (*self.by_run.values(), self.now) for use in uses]
        return tuple({(use.gives, use.path): use for use in every}.values())

    def of(self, run: Run, everyone: Mapping[int, Run]) -> tuple[OwnFileUse, ...]:
        """Return what a run was trained with: it, or the one that it stands on, was started then."""
        seen: set[int] = set()
        found: Run | None = run
        while found is not None and found.number not in seen:
            if found.number in self.by_run:
                return self.by_run[found.number]
            seen.add(found.number)
            found = everyone.get(found.stands_on)
        return self.now


def uses_of(lines: Sequence[JournalLine], position: int) -> Uses:
    """Follow the lines of a journal that stands at `position`."""
    found, uses = Uses(), dict[str, OwnFileUse]()
    for place, line in enumerate(lines):
        action = line.action
        if isinstance(action, OwnFileUse):
            key = action.gives if action.gives == "objective" else Path(action.path).stem
            uses.pop(key, None)
            if action.used:
                uses[key] = action
        if isinstance(action, StartRun):
            found.by_run[action.run] = tuple(uses.values())
        found.after.append(tuple(uses.values()))
        if place + 1 == position:
            found.now = found.after[-1]
    return found


class Looked(NamedTuple):
    """A file as it is now: its text, None where it cannot be read; whether it is as it was used."""

    use: OwnFileUse
    code: str | None
    is_same: bool

    @property
    def kind(self) -> OwnKind:
        """What it gives."""
        return "objective" if self.use.gives == "objective" else "metric"

    @property
    def name(self) -> str:
        """The file's name."""
        return Path(self.use.path).name

    def run(self) -> OwnFile:
        """Run it, to which the person has agreed; on a worker thread."""
        if self.code is None:
            raise WorkbenchError(f"{self.use.path} cannot be read.")
        return run_file(self.kind, self.use.path, self.code)


def looked_at(uses: Iterable[OwnFileUse]) -> tuple[Looked, ...]:
    """Read files without running them; on a worker thread."""
    return tuple(_looked_at(use) for use in uses)


def _looked_at(use: OwnFileUse) -> Looked:
    try:
        code = read_file(use.path)
    except WorkbenchError:
        return Looked(use, None, False)
    return Looked(use, code, sha256_of(code) == use.sha256)
