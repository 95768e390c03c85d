"""How a text table is laid out: what must be known before its rows can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.guess import Guess
    from workbench.data.table import TableNote


@dataclass(frozen=True)
class TextLayout:
    """What must be known before the rows can be read.

    Attributes
    ----------
    encoding, separator : str
    names : tuple of str
        One per column.
    skip_lines : int
        Lines before the first row: titles, comments, blank lines, the header.
    header : tuple of str
        Fields of the header as they stand, to know it where it is repeated; empty without one.
    rows : tuple of tuple of str
        The first rows.
    notes : tuple of TableNote
    guesses : tuple of Guess
        Why this separator, this first line and this header.
    lines : tuple of str
        The first lines as they stand.
    unwrap : callable (str) to str, optional
        Rewrites lines one for one, so that they can be cut at the separator: aligned ones, those in a frame.
    masked : callable (bytes) to bytes, optional
        Hides quotes that are text, byte for byte, where records are cut.
    remark : str
        What is round lines that are rewritten.
    spare : str
        The last of the names, where the first rows have an empty field behind those of the header.
    has_comments : bool
        Whether comments stand above the table: then lines that begin as they do are none of its rows.
    """

    encoding: str
    separator: str
    names: tuple[str, ...]
    skip_lines: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[TableNote, ...] = ()
    guesses: tuple[Guess, ...] = ()
    lines: tuple[str, ...] = ()
    unwrap: Callable[[str], str] | None = None
    masked: Callable[[bytes], bytes] | None = None
    has_comments: bool = False
    remark: str = ""
    spare: str = ""

    @property
    def rows_below_header(self) -> list[tuple[str, ...]]:
        """The first rows, without the header where it stands among them."""
        return [row for row in self.rows if row != self.header]
