"""Records in Thrift's compact protocol, as Parquet writes them about itself: fields by their number."""

from __future__ import annotations

from typing import Any

MOST_DEPTH = 24  # values in values
LONGEST_NUMBER = 10  # bytes
TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, RECORD = 1, 2, 3, 7, 8, 9, 10, 11, 12
NUMBERS = (4, 5, 6)
MANY = 15  # elements, or more: their number stands behind
WIDTHS = {BYTE: 1, DOUBLE: 8}


class ThriftReader:
    """Reads one value behind the other; ValueError where the bytes are none, or end.

    Attributes
    ----------
    place : int
        Of the next byte.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def record(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of a record by their number; bytes stand for what is of fixed width or text."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            kind, step = head & 15, head >> 4
            number = number + step if step else self._signed()
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise ValueError("values in values without end")
        if kind in NUMBERS:
            return self._signed()
        if kind in WIDTHS or kind == BINARY:
            return self._bytes(WIDTHS.get(kind) or self._number())
        if kind in (LIST, SET):
            head = self._byte()
            length = head >> 4 if head >> 4 < MANY else self._number()
            return [self._element(head & 15, depth) for _ in range(self._at_most(length))]
        if kind == MAP:
            length = self._at_most(self._number())
            kinds = self._byte() if length else 0
            both = kinds >> 4, kinds & 15
            return [tuple(self._element(kind, depth) for kind in both) for _ in range(length)]
        if kind == RECORD:
            return self.record(depth + 1)
        raise ValueError(f"a value of no known kind ({kind})")

    def _element(self, kind: int, depth: int) -> Any:
        """Return a value of a list, where a truth takes a byte."""
        return self._byte() == TRUE if kind in (TRUE, FALSE) else self._value(kind, depth + 1)

    def _at_most(self, length: int) -> int:
        """Return a number of elements, each of which takes a byte at least."""
        if length > len(self._data) - self.place:
            raise ValueError("a list that is longer than the file")
        return length

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, length: int) -> bytes:
        end = self.place + length
        if end > len(self._data):
            raise ValueError("it ends too early")
        found = self._data[self.place : end]
        self.place = end
        return found

    def _number(self) -> int:
        """Return a whole number of seven bits to a byte, the low ones first."""
        found = 0
        for place in range(LONGEST_NUMBER):
            byte = self._byte()
            found |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                return found
        raise ValueError("a number without end")

    def _signed(self) -> int:
        """Return a whole number of which the lowest bit is the sign."""
        found = self._number()
        return found >> 1 ^ -(found & 1)
