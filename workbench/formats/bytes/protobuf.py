"""Protocol buffers, read: a message's fields by number, runs of repeated numbers all at once."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5
MOST_NUMBERS = 1 << 26  # of one field
MOST_FIELDS = 1 << 23  # of one message
LONGEST_VARINT = 10
FIRST_LOOK, BLOCK = 64, 1 << 20  # bytes


class Message:
    """The fields of one message; those within are parsed when they are asked for.

    Raises WorkbenchError where the bytes are no message.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        self._found: dict[int, list[tuple[int, Any]]] = {}
        for fields, (number, wire, value) in enumerate(_fields(memoryview(data))):
            self._found.setdefault(number, []).append((wire, value))
            if fields > MOST_FIELDS:
                raise WorkbenchError("The file is too large to be a model: a message has too many fields.")

    def has(self, number: int) -> bool:
        """Tell whether the field is there."""
        return number in self._found

    def integer(self, number: int, otherwise: int = 0) -> int:
        """Return a whole number, the last where it stands several times."""
        found = self.integers(number)
        return int(found[-1]) if len(found) else otherwise

    def integers(self, number: int) -> NDArray[np.int64]:
        """Return whole numbers, packed or one by one."""
        parts = [_packed(v) if wire == LENGTH else v for wire, v in self._of(number, VARINT, LENGTH)]
        return np.concatenate([np.empty(0, np.uint64), *parts]).astype(np.int64)

    def reals(self, number: int, kind: DTypeLike = "<f4") -> NDArray[Any]:
        """Return numbers of four or eight bytes, packed or one by one."""
        octets = [np.frombuffer(v, np.uint8) for _, v in self._of(number, FOUR_BYTES, EIGHT_BYTES, LENGTH)]
        return np.concatenate([np.empty(0, np.uint8), *octets]).view(kind)

    def octets(self, number: int) -> list[memoryview]:
        """Return the bytes of each value of the field."""
        return [value for _, value in self._of(number, LENGTH)]

    def texts(self, number: int) -> list[str]:
        """Return text, every value of the field."""
        return [bytes(value).decode("utf-8") for value in self.octets(number)]

    def text(self, number: int) -> str:
        """Return text, "" where there is none."""
        found = self.octets(number)
        return bytes(found[-1]).decode("utf-8") if found else ""

    def messages(self, number: int) -> list[Message]:
        """Return the messages in the field."""
        return [Message(value) for value in self.octets(number)]

    def message(self, number: int) -> Message:
        """Return the message in the field, an empty one where there is none."""
        found = self.octets(number)
        return Message(found[-1] if found else b"")

    def _of(self, number: int, *wires: int) -> list[tuple[int, Any]]:
        found = self._found.get(number, [])
        if any(wire not in wires for wire, _ in found):
            raise WorkbenchError(f"The file is no ONNX model: field {number} holds something else.")
        return found


def starts_with_fields(data: bytes, number: int, last: int) -> bool:
    """Tell whether bytes, perhaps only the beginning of them, hold the field `number` and reach `last`."""
    view, at, found = memoryview(data), 0, False
    with suppress(WorkbenchError):
        while at < len(view):
            tag, start = _varint(view, at)
            if tag >> 3 == last:
                return found and tag & 7 == LENGTH
            found |= tag == number << 3 | VARINT
            at = _value(view, tag, start)[1]
    return False


def _fields(data: memoryview) -> Iterator[tuple[int, int, Any]]:
    """Yield number, kind and value of each field, a run of numbers as one."""
    at = 0
    while at < len(data):
        tag, start = _varint(data, at)
        value, at = _value(data, tag, start)
        yield tag >> 3, tag & 7, value


def _value(data: memoryview, tag: int, at: int) -> tuple[Any, int]:
    """Return a value, or all of a run, and the place after it."""
    wire = tag & 7
    if wire == VARINT:
        return _varint_run(data, tag, at)
    if wire == LENGTH:
        size, at = _varint(data, at)
        return _taken(data, at, size), at + size
    if wire in (FOUR_BYTES, EIGHT_BYTES):
        return _fixed_run(data, tag, at, 4 if wire == FOUR_BYTES else 8)
    raise WorkbenchError(f"The file is no ONNX model: a field of unknown kind at byte {at}.")


def _taken(data: memoryview, at: int, size: int) -> memoryview:
    if at + size > len(data):
        raise WorkbenchError("The file is not complete: it is cut off.")
    return data[at : at + size]


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """Return one number, seven bits a byte, the lowest first."""
    number = 0
    for place, octet in enumerate(_taken(data, at, min(LONGEST_VARINT, len(data) - at))):
        number |= (octet & 127) << (7 * place)
        if octet < 128:
            return number & (2**64 - 1), at + place + 1
    raise WorkbenchError("The file is not complete: a number has no end.")


def _varint_run(data: memoryview, tag: int, at: int) -> tuple[NDArray[np.uint64], int]:
    """Return a number and those that follow at once under the same tag."""
    first, at = _varint(data, at)
    parts, look = [np.array([first], np.uint64)], FIRST_LOOK
    while tag < 128 and at < len(data) and data[at] == tag:
        found, ends = _varints(np.frombuffer(data[at : at + look], np.uint8), within_run=False)
        pairs = len(found) // 2
        same = found[: 2 * pairs : 2] == tag
        run = pairs if same.all() else int(same.argmin())
        if not run:
            break
        parts.append(found[1 : 2 * run : 2])
        at += int(ends[2 * run - 1]) + 1
        look = min(2 * look, BLOCK)
    return np.concatenate(parts), at


def _fixed_run(data: memoryview, tag: int, at: int, size: int) -> tuple[memoryview | bytes, int]:
    """Return the bytes of a number and of those that follow at once under the same tag."""
    parts: list[memoryview | bytes] = [_taken(data, at, size)]
    at, look = at + size, FIRST_LOOK
    while tag < 128 and at < len(data) and data[at] == tag:
        count = min(look, len(data) - at) // (size + 1)
        pairs = np.frombuffer(data[at : at + count * (size + 1)], np.uint8).reshape(count, size + 1)
        same = pairs[:, 0] == tag
        run = count if same.all() else int(same.argmin())
        if not run:
            break
        parts.append(pairs[:run, 1:].tobytes())
        at += run * (size + 1)
        look = min(2 * look, BLOCK)
    return b"".join(parts), at


def _packed(data: memoryview) -> NDArray[np.uint64]:
    """Return the numbers of a packed field, a block at a time."""
    octets = np.frombuffer(data, np.uint8)
    parts, at = [np.empty(0, np.uint64)], 0
    if np.count_nonzero(octets < 128) > MOST_NUMBERS:
        raise WorkbenchError("The file is too large to be a model: a list has too many numbers.")
    while at < len(octets):
        found, ends = _varints(octets[at : at + BLOCK])
        if not len(found):
            raise WorkbenchError("The file is not complete: a number has no end.")
        parts.append(found)
        at += int(ends[-1]) + 1
    return np.concatenate(parts)


def _varints(
    octets: NDArray[np.uint8], *, within_run: bool = True
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the numbers that are complete in these bytes, and where each ends.

    A number without an end is refused; where other fields may follow, it is where they do at the latest.
    """
    ends = np.flatnonzero(octets < 128)
    lengths = np.diff(ends, prepend=-1)
    endless = np.flatnonzero(lengths > LONGEST_VARINT)
    if len(endless) and within_run:
        raise WorkbenchError("The file is not complete: a number has no end.")
    if len(endless):
        ends, lengths = ends[: endless[0]], lengths[: endless[0]]
    if not len(ends):
        return np.empty(0, np.uint64), ends
    starts = ends - lengths + 1
    place = np.arange(ends[-1] + 1) - np.repeat(starts, lengths)
    bits = (octets[: ends[-1] + 1] & 127).astype(np.uint64) << (7 * place).astype(np.uint64)
    return np.bitwise_or.reduceat(bits, starts), ends
