"""Other marks than quotes: single ones, curly ones, backslashes."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping
from workbench.data.text.wrappings.even_records import USUAL_SEPARATORS, are_even, breaks_off, in_quotes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.text.wrappings.base import FirstLines

_BACKSLASH_BYTES = re.compile(rb'\\["\\]')
_BACKSLASH = re.compile(r'\\(["\\])')
_SINGLE_QUOTED = re.compile(rf"(?<![^{USUAL_SEPARATORS}\n])'((?:[^'\n]|'')*+)'(?=[{USUAL_SEPARATORS}\n]|$)")
_ALL_SINGLE_QUOTED = re.compile(rf"\s*'[^'\n]+'(?:[{USUAL_SEPARATORS}] *'[^'\n]+')+\s*")
_IN_CURLY = "[“„«]([^“”„«»\"\n]*+)[“”»]"
_CURLY_QUOTED = re.compile(rf"(?<![^{USUAL_SEPARATORS}\n]){_IN_CURLY}(?=[{USUAL_SEPARATORS}\n]|$)")
_ALL_CURLY_QUOTED = re.compile(rf"\s*{_IN_CURLY}(?:[{USUAL_SEPARATORS}] *{_IN_CURLY})+\s*")


class OtherQuotes:
    """Marks that are read as quotes where they make all records as wide as the first."""

    name = "other quotes"
    order = 60

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how the marks are written as quotes."""
        return next(_other_quotes(lines.filled), None)


WRAPPINGS.register(OtherQuotes())


def _other_quotes(lines: list[str]) -> Iterator[Wrapping]:
    """Find other marks than quotes, where they make all records as wide as the first."""
    text = "\n".join(lines)
    is_even: bool | None = None
    for unwrap, is_there, remark in (
        (_with_single_quotes, "'" in text, "Single quotes are read as quotes."),
        (_with_curly_quotes, any(quote in text for quote in "“”»"), "Curly quotes are read as quotes."),
        (_with_backslashes, '\\"' in text, "A backslash before a quote makes it a part of the text."),
        (_with_escaped, "\\" in text, "A backslash before a separator makes it a part of the text."),
    ):
        if not is_there:
            continue
        is_even = are_even(text) if is_even is None else is_even
        are_names = unwrap in _QUOTED_NAMES and _QUOTED_NAMES[unwrap].fullmatch(lines[0])
        has_escapes = unwrap is _with_backslashes
        is_broken = is_even and has_escapes and breaks_off(text)
        if (not is_even or are_names or is_broken) and are_even(unwrapped := unwrap(text)):
            if is_broken and breaks_off(unwrapped):
                continue
            yield Wrapping(unwrap, remark, masked=_without_backslashes if has_escapes else None)


def _with_single_quotes(text: str) -> str:
    return _SINGLE_QUOTED.sub(lambda found: in_quotes(found[1].replace("''", "'")), text)


def _with_curly_quotes(text: str) -> str:
    return _CURLY_QUOTED.sub(r'"\1"', text)


_QUOTED_NAMES = {_with_single_quotes: _ALL_SINGLE_QUOTED, _with_curly_quotes: _ALL_CURLY_QUOTED}


def _with_backslashes(text: str) -> str:
    return _BACKSLASH.sub(lambda found: '""' if found[1] == '"' else "\\", text)


def _without_backslashes(data: bytes) -> bytes:
    return _BACKSLASH_BYTES.sub(b"  ", data)


def _with_escaped(text: str) -> str:
    r"""Put fields with \, in them into quotes."""
    for sign in USUAL_SEPARATORS:
        if "\\" + sign in text:
            cell = rf'(?<![^{sign}\n])(?:[^"{sign}\\\n]|\\[^\n])++(?=[{sign}\n]|$)'
            return re.sub(cell, partial(_without_escapes, sign), text)
    return text


def _without_escapes(sign: str, cell: re.Match[str]) -> str:
    return in_quotes(re.sub(r"\\(.)", r"\1", cell[0])) if "\\" + sign in cell[0] else cell[0]
