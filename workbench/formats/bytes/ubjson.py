"""Universal binary JSON, read: marker bytes, big-endian numbers, arrays that may be typed and counted."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from workbench.errors import WorkbenchError

DEEPEST = 64
FEW_PARTS = 10_000  # lists, objects and entries of objects that any file may have
BYTES_A_PART = 8  # where there are more; XGBoost's own files have 19, and memory takes a hundred for a part
NUMBERS = {b"i": ">b", b"U": ">B", b"I": ">h", b"l": ">i", b"L": ">q", b"d": ">f", b"D": ">d"}
_SCALARS = {marker: struct.Struct(kind) for marker, kind in NUMBERS.items()}
_CONSTANTS = {b"Z": None, b"T": True, b"F": False}


def parse_ubjson(data: bytes) -> Any:
    """Return the value that the bytes hold, in Python's own types."""
    return _Cursor(data).value(0)


class _Cursor:
    """A place in the bytes that moves on with each value read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._most = self._left = FEW_PARTS + len(data) // BYTES_A_PART

    def value(self, depth: int, marker: bytes | None = None) -> Any:
        """Read one value; its marker is given where an array has it in common."""
        if depth > DEEPEST:
            raise WorkbenchError("The file is nested too deeply to be a model.")
        marker = marker or self._take(1)
        if marker in _SCALARS:
            return self._number(_SCALARS[marker])
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker == b"S":
            return self._text()
        if marker == b"{":
            return self._object(depth)
        if marker == b"[":
            return self._array(depth)
        raise WorkbenchError(f"The file is not complete UBJSON: {marker!r} at byte {self._at - 1}.")

    def _object(self, depth: int) -> dict[str, Any]:
        found = {}
        self._take_part()
        while self._peek() != b"}":
            self._take_part()
            key = self._text()
            found[key] = self.value(depth + 1)
        self._take(1)
        return found

    def _array(self, depth: int) -> list[Any]:
        kind = None
        self._take_part()
        if self._peek() == b"$":
            self._take(1)
            kind = self._take(1)
        if self._peek() == b"#":
            self._take(1)
            count = self._count()
            if kind in NUMBERS:
                return self._numbers(kind, count)
            if kind in _CONSTANTS:  # takes no bytes, so that a short file could ask for any number of them
                raise WorkbenchError("The file has a counted list of constants, which no model has.")
            return [self.value(depth + 1, kind) for _ in range(count)]
        found = []
        while self._peek() != b"]":
            found.append(self.value(depth + 1))
        self._take(1)
        return found

    def _text(self) -> str:
        return self._take(self._count()).decode("utf-8")

    def _count(self) -> int:
        kind = _SCALARS.get(self._take(1))
        count = -1 if kind is None else self._number(kind)
        if type(count) is not int or count < 0:
            raise WorkbenchError(f"The file is not UBJSON: a bad length before byte {self._at}.")
        if count > len(self._data):
            raise WorkbenchError("The file is not complete UBJSON: it is cut off.")
        return count

    def _number(self, kind: struct.Struct) -> Any:
        begin = self._at
        self._at += kind.size
        try:
            return kind.unpack_from(self._data, begin)[0]
        except struct.error:
            raise WorkbenchError("The file is not complete UBJSON: it is cut off.") from None

    def _numbers(self, marker: bytes, count: int) -> list[Any]:
        kind = np.dtype(NUMBERS[marker])
        return np.frombuffer(self._take(count * kind.itemsize), kind).tolist()

    def _take_part(self) -> None:
        """Count a list, an object or an entry of one; a short file could ask for memory with very many."""
        self._left -= 1
        if self._left < 0:
            held = f"{self._most:,} lists, objects and entries in {len(self._data):,} bytes"
            raise WorkbenchError(f"The file has more than {held}, as no model has.")

    def _peek(self) -> bytes:
        return self._data[self._at : self._at + 1]

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) < size:
            raise WorkbenchError("The file is not complete UBJSON: it is cut off.")
        self._at += size
        return taken
