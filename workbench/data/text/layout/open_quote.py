"""A quote that opens and does not close, so that all below it would be one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.text.blocks.shown_record import shown
from workbench.data.text.layout.separators import reader_of, spaces_to_tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKED_AT = 1 << 22  # bytes of a record that does not end


class OpenQuote(Exception):
    """A quote that does not close: its record, the line in which that begins, and within how many MB."""

    def __init__(self, record: bytes, line: int, megabytes: int = 0) -> None:
        super().__init__(line)
        self.record = record
        self.line = line
        self.megabytes = megabytes

    def words(self, separator: str, names: Sequence[str] = ()) -> str:
        """Say in which line and column it opens, and show the line."""
        text = self.record[:LOOKED_AT].decode("utf-8", "replace")
        fields, mark = text, separator
        if separator == " ":
            fields, mark = spaces_to_tabs(text.encode()).decode(), "\t"
        above = next(reader_of(fields, mark), [""])[:-1]
        lines = sum(field.count("\n") for field in above)
        line, begin = self.line + lines, shown(text.split("\n", lines + 1)[lines])
        within = f" within {self.megabytes} MB" if self.megabytes else ""
        if '"' not in text:
            return f"Line {line} does not end{within}. Part it into rows, or remove it: {begin}"
        place = len(above)
        column = f"column '{shown(names[place], 40)}'" if place < len(names) else f"field {place + 1}"
        opens = f"A quote opens in line {line}, {column}, and does not close{within}"
        return f"{opens}. Close or remove it: {begin}"
