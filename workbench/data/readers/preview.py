"""The first rows of a file as they would be read, with every guess that this took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from workbench.data.guess import Guess
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled, Source
    from workbench.data.table import Table

PREVIEW_BYTES, PREVIEW_ROWS = 1 << 17, 200


@dataclass(frozen=True)
class Preview:
    """What a file looks like, read so.

    Attributes
    ----------
    table : Table
        Of the first rows; its notes are those that reading will make.
    texts : tuple of tuple of str
        The cells of these rows as they stand in the file, column by column.
    guesses : tuple of Guess
    parts : tuple of str
        Sheets or members to choose from.
    lines : tuple of str
        The first lines as they stand, where the first one can be chosen.
    uses : frozenset of str
        Names of the options that the kind of file knows.
    is_whole : bool
        Whether these are all rows.
    """

    table: Table
    texts: tuple[tuple[str, ...], ...]
    guesses: tuple[Guess, ...]
    parts: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()
    is_whole: bool = False

    @property
    def doubts(self) -> tuple[Guess, ...]:
        """What a person should look at."""
        return tuple(guess for guess in self.guesses if guess.doubtful)

    def guess(self, option: str) -> Guess | None:
        """Return the guess on one option: a doubtful one first."""
        found = sorted((g for g in self.guesses if g.option == option), key=lambda g: not g.doubtful)
        return found[0] if found else None


@runtime_checkable
class PreviewingReader(Protocol):
    """A reader of files that leave something to be chosen."""

    uses: frozenset[str]

    def preview(
        self, source: Source, options: ReadOptions, cancelled: Cancelled | None = None
    ) -> Preview:
        """Read the first rows."""


