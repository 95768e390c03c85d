"""The parts of a Feather file or an Arrow stream: their rows, and what they unpack to, before one is read.

pyarrow tells neither. A part is a flatbuffer that says where its buffers stand, and these buffers; one
that is packed begins with the number of bytes that it unpacks to, and pyarrow makes room for so many.
"""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

END = struct.Struct("<i6s")  # length of the footer, and the magic bytes
BLOCK = struct.Struct("<qi4xq")  # where a part begins, length of its flatbuffer, of its buffers
BUFFER = struct.Struct("<qq")  # place within the buffers, length
SIZE = struct.Struct("<q")
LENGTH_OF_HEADER = struct.Struct("<i")
MARK = b"\xff\xff\xff\xff"
# Places of fields in their tables.
DICTIONARIES, BATCHES = 2, 3
HEADER_KIND, HEADER, BODY_LENGTH = 1, 2, 3
LENGTH, BUFFERS, PACKING = 0, 2, 3
DATA = 1
SCHEMA, DICTIONARY, BATCH = 1, 2, 3  # kinds of headers


class Parts(NamedTuple):
    """All rows, and the bytes that reading takes: of all dictionaries, and of the largest batch."""

    rows: int
    unpacked: int
    has_end: bool = True


def parts_of(path: Path) -> Parts:
    """Look at every part of a Feather file of the second version; ValueError where it is damaged."""
    try:
        with path.open("rb") as file:
            file.seek(-END.size, 2)
            length, _ = END.unpack(file.read(END.size))
            file.seek(-END.size - length, 2)
            footer = _root(file.read(length))
            rows = held = largest = 0
            for part in _parts(file, footer, DICTIONARIES):
                held += _size(file, part.header.table(DATA), part)
            for part in _parts(file, footer, BATCHES):
                rows += part.header.number(LENGTH)
                largest = max(largest, _size(file, part.header, part))
    except struct.error as error:
        raise ValueError(f"its parts are not where it says ({error})") from error
    return Parts(rows, held + largest)


def begins_stream(head: bytes) -> bool:
    """Whether a file begins with a schema as an Arrow stream does."""
    begin = len(MARK) + LENGTH_OF_HEADER.size
    if not head.startswith(MARK) or len(head) < begin:
        return False
    (length,) = LENGTH_OF_HEADER.unpack_from(head, len(MARK))
    try:
        return length > 0 and _root(head[begin : begin + length]).byte(HEADER_KIND) == SCHEMA
    except (struct.error, ValueError):
        return False


def parts_of_stream(path: Path) -> Parts:
    """Look at every part of an Arrow stream, of which each batch is read as a whole."""
    rows = held = largest = 0
    try:
        with path.open("rb") as file:
            size, has_end = file.seek(0, 2), False
            file.seek(0)
            while (mark := file.read(len(MARK))) == MARK:
                (length,) = LENGTH_OF_HEADER.unpack(file.read(LENGTH_OF_HEADER.size))
                if not length:
                    has_end = True
                    break
                part, kind = _next_part(file, length, size)
                if kind == DICTIONARY:
                    held += part.length + _size(file, part.header.table(DATA), part)
                elif kind == BATCH:
                    rows += part.header.number(LENGTH)
                    largest = max(largest, part.length + _size(file, part.header, part))
                file.seek(part.begin + part.length)
            if mark not in (MARK, b""):
                raise ValueError("between its parts stands something else")
    except struct.error as error:
        raise ValueError(f"its parts are not where it says ({error})") from error
    return Parts(rows, held + largest, has_end)


def _next_part(file: IO[bytes], length: int, size: int) -> tuple[_Part, int]:
    """Return the part whose header of so many bytes comes next, and of which kind it is."""
    begin = file.tell() + length
    if not 0 <= length <= size or begin > size:
        raise ValueError("it ends too early")
    message = _root(file.read(length))
    body = message.number(BODY_LENGTH)
    if not 0 <= body <= size - begin:
        raise ValueError("it ends too early")
    return _Part(message.table(HEADER), begin, body), message.byte(HEADER_KIND)


class _Table(NamedTuple):
    """A table of a flatbuffer: where it begins in the bytes."""

    data: bytes
    begin: int

    def _place(self, field: int) -> int:
        """Return where a field stands, 0 where it is left out."""
        names = self.begin - self._at("<i", self.begin)
        if 4 + 2 * field >= self._at("<H", names):
            return 0
        offset = self._at("<H", names + 4 + 2 * field)
        return self.begin + offset if offset else 0

    def _at(self, kind: str, place: int) -> int:
        if place < 0:
            raise ValueError("a place before its beginning")
        return int(struct.unpack_from(kind, self.data, place)[0])

    def has(self, field: int) -> bool:
        """Whether a field is there."""
        return bool(self._place(field))

    def number(self, field: int) -> int:
        """Return a long number."""
        place = self._place(field)
        return self._at("<q", place) if place else 0

    def byte(self, field: int) -> int:
        """Return a short number."""
        place = self._place(field)
        return self._at("<B", place) if place else 0

    def table(self, field: int) -> _Table:
        """Return a table within."""
        place = self._place(field)
        return _Table(self.data, place + self._at("<I", place))

    def entries(self, field: int, kind: struct.Struct) -> Iterator[tuple[Any, ...]]:
        """Yield the entries of a list."""
        place = self._place(field)
        if place:
            begin = place + self._at("<I", place)
            end = begin + 4 + kind.size * self._at("<I", begin)
            yield from kind.iter_unpack(self.data[begin + 4 : end])


def _root(data: bytes) -> _Table:
    return _Table(data, struct.unpack_from("<I", data)[0])


class _Part(NamedTuple):
    """What the header of a part says, and where its buffers stand in the file."""

    header: _Table
    begin: int
    length: int


def _parts(file: IO[bytes], footer: _Table, field: int) -> Iterator[_Part]:
    size = file.seek(0, 2)
    for begin, length, buffers in footer.entries(field, BLOCK):
        if not 0 <= length <= size - begin:
            raise ValueError("a part is longer than the file")
        file.seek(begin)
        data = file.read(length)
        yield _Part(_root(data[8 if data.startswith(MARK) else 4 :]).table(HEADER), begin + length, buffers)


def _size(file: IO[bytes], batch: _Table, part: _Part) -> int:
    """Return the bytes that all buffers of a batch unpack to; of one that is not packed, of the largest."""
    buffers = list(batch.entries(BUFFERS, BUFFER))
    if not batch.has(PACKING):
        if sum(length for _, length in buffers) > part.length:
            raise ValueError("its buffers overlap")
        return max((length for _, length in buffers), default=0)
    total = 0
    for place, length in buffers:
        if length:
            file.seek(part.begin + place)
            (unpacked,) = SIZE.unpack(file.read(SIZE.size))
            total += length if unpacked < 0 else unpacked
    return total
