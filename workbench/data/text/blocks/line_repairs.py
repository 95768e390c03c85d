"""Lines of a table that were filled up, shortened or left out, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.data.table import TableNote
from workbench.data.text.blocks.line_tally import LineTally
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class LineRepairs:
    """The lines that were not taken as they stand.

    Attributes
    ----------
    short, long : LineTally
        With too few fields, and with empty ones behind the last column.
    comments, blank, headers : LineTally
        No rows; headers are repeated ones.
    """

    short: LineTally = field(default_factory=LineTally)
    long: LineTally = field(default_factory=LineTally)
    comments: LineTally = field(default_factory=LineTally)
    blank: LineTally = field(default_factory=LineTally)
    headers: LineTally = field(default_factory=LineTally)

    def join(self, below: LineRepairs) -> None:
        """Count lines that stand below these."""
        self.short.join(below.short)
        self.long.join(below.long)
        self.comments.join(below.comments)
        self.blank.join(below.blank)
        self.headers.join(below.headers)

    def notes(self) -> Iterator[TableNote]:
        """Say how many lines there are of each kind, and which is the first."""
        for lines, text in (
            (self.short, "with too few fields, filled up with missing values"),
            (self.long, "with empty fields behind the last column, left out"),
            (self.comments, "left out as comments"),
            (self.blank, "left out as blank"),
            (self.headers, "left out as repeated headers"),
        ):
            if lines:
                told = f"{counted(lines.count, 'line')} {text} (first line {lines.first})."
                yield TableNote(told, count=lines.count, severity="warning")
