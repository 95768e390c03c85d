"""Where the last complete record of a piece of text ends: line ends in quotes are text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_QUOTE, _NEWLINE = ord('"'), ord("\n")
_COUNTED = 1 << 17  # bytes that are compared at once, so that the answers stay in the cache


def count_lines(data: bytes) -> int:
    """Count the line ends, three times as fast as `bytes.count`."""
    text = np.frombuffer(data, np.uint8)
    parts = (text[begin : begin + _COUNTED] for begin in range(0, len(text), _COUNTED))
    return sum(int(np.count_nonzero(part == _NEWLINE)) for part in parts)


class RecordCutter:
    """Finds the end of the last complete record in text that begins with a record.

    Where every quote opens a field, closes one or is doubled inside one, records end at line ends
    with an even number of quotes before them. Elsewhere (a stray quote within a field, spaces
    before a quote) a pattern walks the fields one by one, which is ten times slower.
    """

    def __init__(self, separator: str, masked: Callable[[bytes], bytes] | None = None) -> None:
        self._masked = masked
        self._mark = ord(separator)
        mark = re.escape(separator.encode())
        spaces = b"" if separator == " " else b" *+"
        field = spaces + rb'(?:"(?:[^"]++|"")*+"[^%b\n]*+|[^"%b\n][^%b\n]*+)?+' % (mark, mark, mark)
        self._pattern = re.compile(rb"(?:(?:%b%b)*+%b\n)*+" % (field, mark, field))

    def end(self, data: bytes) -> int:
        """Return the length of the complete records at the start of `data`."""
        if b'"' not in data:
            return data.rfind(b"\n") + 1
        if self._masked is not None:
            data = self._masked(data)
        text = np.frombuffer(data, dtype=np.uint8)
        quotes = np.flatnonzero(text == _QUOTE)
        if self._are_plain(text, quotes):
            return _end_by_parity(data, quotes)
        match = self._pattern.match(data)
        return match.end() if match else 0

    def _are_plain(self, text: NDArray[np.uint8], quotes: NDArray[np.int64]) -> bool:
        """Whether quotes alternate between opening (or a doubled one's second) and closing (or its first)."""
        opening, closing = quotes[0::2], quotes[1::2]
        before = text[opening[opening > 0] - 1]
        after = text[closing[closing < len(text) - 1] + 1]
        return self._are_at_an_edge(before) and self._are_at_an_edge(after)

    def _are_at_an_edge(self, neighbours: NDArray[np.uint8]) -> bool:
        at_edge = (neighbours == self._mark) | (neighbours == _NEWLINE) | (neighbours == _QUOTE)
        return bool(at_edge.all())


def _end_by_parity(data: bytes, quotes: NDArray[np.int64]) -> int:
    end = data.rfind(b"\n")
    while end >= 0:
        before = int(np.searchsorted(quotes, end))
        if before % 2 == 0:
            break
        end = data.rfind(b"\n", 0, int(quotes[before - 1]))
    return end + 1
