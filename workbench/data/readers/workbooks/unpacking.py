"""Zip archives that workbooks are: none unpacks to far more than a table needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.room import MOST_FOLD
from workbench.data.text.stream.long_cells import LONGEST_CELL, too_long
from workbench.errors import WorkbenchError
from workbench.memory import in_megabytes

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

CHUNK = 1 << 22  # bytes
_ROW = re.compile(rb"<(?:\w+:)?(?:table-)?row[ >/]")
_CELL = re.compile(rb"<(?:\w+:)?(?:c|(?:covered-)?table-cell)[ >/]")
LARGE = 1 << 28  # bytes that are looked at more closely


def check_unpacking(archive: ZipFile, name: str) -> int:
    """Return the bytes that all parts unpack to; WorkbenchError where one is made to fill the memory."""
    parts = archive.infolist()
    for part in parts:
        if part.file_size > max(LARGE, MOST_FOLD * part.compress_size):
            raise WorkbenchError(
                f"'{name}' unpacks {part.compress_size:,} bytes to {in_megabytes(part.file_size)}, which no "
                "table needs. Save it again as a workbook, or as CSV."
            )
        if part.file_size > LONGEST_CELL:
            _check_texts(archive, part)
    return sum(part.file_size for part in parts)


def _check_texts(archive: ZipFile, part: ZipInfo) -> None:
    """Refuse XML that has one text of more characters than a cell may have; parsers would hold all of it."""
    length = done = 0  # of what stands since the last mark; bytes before the chunk
    with archive.open(part) as file:
        while chunk := file.read(CHUNK):
            first = chunk.find(b"<")
            length += len(chunk) if first < 0 else first
            if length > LONGEST_CELL:
                raise too_long(_place(archive, part, done))
            length = length if first < 0 else len(chunk) - chunk.rfind(b"<") - 1
            done += len(chunk)


def _place(archive: ZipFile, part: ZipInfo, end: int) -> str:
    """Return which cell is the last that begins in so many bytes."""
    rows = cells = done = 0
    kept = b""  # of the chunk before, in which a mark may begin
    with archive.open(part) as file:
        while done < end and (chunk := file.read(CHUNK)):
            text = (kept + chunk)[: len(kept) + end - done]
            done += len(chunk)
            last = text.rfind(b"<")
            text, kept = (text, b"") if last < 0 or done >= end else (text[:last], text[last:])
            begins = [found.start() for found in _ROW.finditer(text)]
            rows += len(begins)
            found = len(_CELL.findall(text, begins[-1] if begins else 0))
            cells = found if begins else cells + found
    return f"row {rows:,}, column {cells:,}" if rows else f"'{part.filename}'"
