"""The parts of a Parquet file, a column of a group of rows each: what they unpack to, before one is read.

pyarrow tells some of it, but ends the program where a damaged file contradicts itself. A part is pages, each
with a header that says what it unpacks to, and pyarrow makes room for so much.
"""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from workbench.data.readers.arrow.thrift import ThriftReader
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

END = struct.Struct("<i4s")  # length of the footer, and the magic bytes
HEADER_BYTES, LONGEST_HEADER = 1 << 8, 1 << 24  # headers hold the least and the largest value
LONG_FOOTER, AS_OBJECTS = 1 << 22, 24  # bytes, and those of memory to each
LEAST_UNPACKED = 1 << 26  # bytes that the pages of any part may have
# Fields by their number: of the file, a group, a part, what is said of it, and the header of a page.
GROUPS, PARTS, ROWS, SAID = 4, 1, 3, 3
ENCODINGS, CODEC, UNPACKED, PACKED, FIRST_PAGE, DICTIONARY = 2, 4, 6, 7, 9, 11
PAGE_UNPACKED, PAGE_PACKED, PAGES, PAGE_CELLS = 2, 3, (5, 7, 8), 1
LITTLE_PACKING = (0, 1)  # codecs, none and Snappy, by which what is packed is a twentieth at least
SHARED = 7  # an encoding


class ColumnPart(NamedTuple):
    """What is said of a column of a group of rows.

    Attributes
    ----------
    unpacked, largest_page : int
        Bytes of all of it, and of a page; pages packed by little are not looked at.
    mean_cell : float
        Bytes of a cell in the page where they are longest.
    has_shared : bool
        Whether texts may be written without the beginning that they share with the one before.
    """

    unpacked: int
    largest_page: int
    mean_cell: float
    has_shared: bool


class Group(NamedTuple):
    """Some rows, and their columns."""

    rows: int
    parts: tuple[ColumnPart, ...]


def groups_of(path: Path) -> Iterator[Group]:
    """Yield the groups of rows; ValueError where the file is damaged, or lies about its parts."""
    with path.open("rb", buffering=0) as file:
        file_size = file.seek(0, 2)
        file.seek(max(file_size - END.size, 0))
        length = END.unpack(file.read(END.size))[0]
        file.seek(max(file_size - END.size - length, 0))
        if length > LONG_FOOTER:
            ask_for(AS_OBJECTS * length, path.name, "what it says about its columns")
        for group in _list(ThriftReader(file.read(max(length, 0))).record(), GROUPS):
            said = [_record(part, SAID) for part in _list(group, PARTS)]
            if sum(_size(part, PACKED) for part in said) > file_size:
                raise ValueError("its parts are longer than the file")
            yield Group(_size(group, ROWS), tuple(_part(file, part) for part in said))


def _part(file: IO[bytes], said: dict[int, Any]) -> ColumnPart:
    unpacked, pages = _size(said, UNPACKED), []
    if said.get(CODEC) not in LITTLE_PACKING:
        pages = list(_pages(file, said))
        found = sum(page.unpacked for page in pages)
        if found > max(unpacked, LEAST_UNPACKED):
            raise ValueError(f"pages unpack to {found:,} bytes, and are said to have {unpacked:,}")
    largest = max((page.unpacked for page in pages), default=0)
    mean_cell = max((page.unpacked / max(page.cells, 1) for page in pages), default=0.0)
    return ColumnPart(unpacked, largest, mean_cell, SHARED in _list(said, ENCODINGS))


class _Page(NamedTuple):
    unpacked: int
    cells: int


def _pages(file: IO[bytes], said: dict[int, Any]) -> Iterator[_Page]:
    """Yield what the pages of a part unpack to."""
    place, dictionary = _size(said, FIRST_PAGE), said.get(DICTIONARY, 0)
    if 0 < dictionary < place:
        place = dictionary
    end = place + _size(said, PACKED)
    while place < end:
        header, length = _header(file, place)
        about = next((header[kind] for kind in PAGES if kind in header), None)
        unpacked = _size(header, PAGE_UNPACKED)
        yield _Page(unpacked, _size(about, PAGE_CELLS) if about else unpacked)  # an index has no cells
        place += length + _size(header, PAGE_PACKED)


def _header(file: IO[bytes], place: int) -> tuple[dict[int, Any], int]:
    """Return the header of the page at a place, and how many bytes it takes."""
    most = HEADER_BYTES
    while True:
        file.seek(place)
        data = file.read(most)
        reader = ThriftReader(data)
        try:
            return reader.record(), reader.place
        except ValueError:
            if len(data) < most or most > LONGEST_HEADER:
                raise
            most *= 16


def _size(fields: Any, number: int) -> int:
    size = fields.get(number) if isinstance(fields, dict) else None
    if not isinstance(size, int) or size < 0:
        raise ValueError("a size that is none")
    return size


def _list(fields: Any, number: int) -> list[Any]:
    found = fields.get(number) if isinstance(fields, dict) else None
    if not isinstance(found, list):
        raise ValueError("a list is not where it should be")
    return found


def _record(fields: Any, number: int) -> dict[int, Any]:
    found = fields.get(number) if isinstance(fields, dict) else None
    if not isinstance(found, dict):
        raise ValueError("a record is not where it should be")
    return found
