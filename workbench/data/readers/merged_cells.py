"""Cells of a sheet merged over several rows: only the first of them holds the value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.table import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_AT_ONCE = 1 << 20  # bytes
_LONGEST = 200  # of one such element
MOST_RANGES = 1 << 20


class MergedRange(NamedTuple):
    """A range of cells: its name, its rows from 1, and how many of its cells stand below the first row."""

    name: str
    first_row: int
    cells_below: int


def merged_ranges(stream: IO[bytes]) -> Iterator[MergedRange]:
    """Yield the ranges over several rows that the XML of a sheet names."""
    left, count = b"", 0
    while data := stream.read(_AT_ONCE):
        text, end = left + data, 0
        for found in _MERGED.finditer(text):
            end, count = found.end(), count + 1
            first, last = int(found[2]), int(found[4])
            if last > first:
                width = abs(_place(found[3]) - _place(found[1])) + 1
                name = b"%b%b:%b%b" % found.groups()
                yield MergedRange(name.decode(), first, (last - first) * width)
        if count > MOST_RANGES:
            return
        left = text[max(end, len(text) - _LONGEST) :]


def _place(letters: bytes) -> int:
    place = 0
    for letter in letters:
        place = 26 * place + letter - ord("A") + 1
    return place


def merged_notes(ranges: Iterable[MergedRange], head_row: int) -> tuple[Note, ...]:
    """Say which cells below the head of a table, in row `head_row` from 1, are missing as they are merged."""
    found = [one for one in ranges if one.first_row > head_row]
    if not found:
        return ()
    count, first = sum(one.cells_below for one in found), min(found, key=lambda one: one.first_row)
    cells = "1 cell is" if count == 1 else f"{count:,} cells are"
    text = (
        f"Cells merged over several rows have their value in the first row alone: {cells} read as missing, "
        f"first in {first.name}. Where each row is meant, split them and fill them down in a spreadsheet."
    )
    return (Note(text, count=count, severity="warning"),)
