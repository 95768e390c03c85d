"""What the XML of an Excel sheet tells beside its values: merged cells, formulas that were never computed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.readers.workbooks.merged_cells import MergedRange
from workbench.data.table import TableNote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

# Lengths are limited, so that damage takes no longer.
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]{0,200}?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_EMPTY_VALUE = rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*+</(?:\w+:)?v>)?"
_UNCOMPUTED = re.compile(
    rb'<(?:\w+:)?c\s(?![^>]{0,200}t="str")[^>]{0,200}?r="([A-Z]{1,3}\d{1,7})"[^>]{0,200}>\s*+'
    rb"<(?:\w+:)?f\b[^>]{0,400}+(?:(?<=/)>|>[^<]{0,9000}+</(?:\w+:)?f>)\s*+" + _EMPTY_VALUE
    + rb"\s*+</(?:\w+:)?c>"
)
_FORMULA = re.compile(rb"[<:]f[\s/>]")  # which few sheets have
_AT_ONCE = 1 << 20  # bytes
_LONGEST = 1 << 14  # of what is sought


def merged_ranges(stream: IO[bytes]) -> Iterator[MergedRange]:
    """Yield the merged ranges of several rows."""
    for found in _matches(stream, _MERGED):
        first, last = int(found[2]), int(found[4])
        if last > first:
            columns = sorted((_place(found[1]), _place(found[3])))
            yield MergedRange(first - 1, last - 1, *columns)


def formula_notes(stream: IO[bytes]) -> tuple[TableNote, ...]:
    """Say how many formulas have no value, as programs other than spreadsheets write them."""
    count, first = 0, ""
    for found in _matches(stream, _UNCOMPUTED):
        count, first = count + 1, first or found[1].decode()
    if not count:
        return ()
    cells = "1 cell has a formula that was" if count == 1 else f"{count:,} cells have formulas that were"
    text = f"{cells} never computed, first {first}: read as missing. Save the file once in a spreadsheet."
    return (TableNote(text, count=count, severity="warning"),)


def _matches(stream: IO[bytes], pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield what is found in a stream of any length, in the memory of a piece of it."""
    left = b""
    while data := stream.read(_AT_ONCE):
        text, end = left + data, 0
        is_there = pattern is not _UNCOMPUTED or _FORMULA.search(text) is not None
        for found in pattern.finditer(text) if is_there else ():
            end = found.end()
            yield found
        left = text[max(end, len(text) - _LONGEST) :]


def _place(letters: bytes) -> int:
    """Return the place from 0 of the column that a spreadsheet calls so."""
    place = 0
    for letter in letters:
        place = 26 * place + letter - ord("A") + 1
    return place - 1
