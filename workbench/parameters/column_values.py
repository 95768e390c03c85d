"""Parameters whose values name columns: numbers by column, a list of columns, sets of columns.

    numbers   age: 1, income: -1            (("age", 1.0), ("income", -1.0))
    list      age, income                   ("age", "income")
    sets      age, income; height, weight   (("age", "income"), ("height", "weight"))

A name with a comma, colon, semicolon or quote stands in double quotes, a quote in it twice. Whether a table
has the columns is asked when it is known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

NUMBERS, LIST, SETS = "column_numbers", "column_list", "column_sets"
KINDS = (NUMBERS, LIST, SETS)
_TOKEN = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^",;:]+)|([,;:]))')


class UnreadableColumns(ValueError):
    """The text or value names no columns as it should."""


def checked(kind: str, value: Any, lower: float, upper: float) -> tuple[Any, ...]:
    """Return a value in its form of tuples; raise Unreadable where it has another.

    Parameters
    ----------
    lower, upper : float
        Bounds of the numbers.
    """
    if isinstance(value, str):
        return read(kind, value, lower, upper)
    if value is None or isinstance(value, (bool, int, float)) or not isinstance(value, Iterable):
        raise UnreadableColumns
    if kind == NUMBERS:
        pairs = value.items() if isinstance(value, Mapping) else value
        return _distinct(tuple(_pair(pair, lower, upper) for pair in pairs))
    if kind == LIST:
        return tuple(dict.fromkeys(_name(name) for name in value))
    parts = tuple(value)
    if any(isinstance(part, str) for part in parts):
        raise UnreadableColumns
    sets = tuple(checked(LIST, part, lower, upper) for part in parts)
    return tuple(part for part in sets if part)


def read(kind: str, text: str, lower: float, upper: float) -> tuple[Any, ...]:
    """Read typed text; "" and "none" are no columns."""
    if text.strip().lower() in ("", "none"):
        return ()
    sets = _split(_tokens(text), ";")
    if kind == SETS:
        return tuple(tuple(_alone(item) for item in _split(part, ",")) for part in sets)
    if len(sets) != 1:
        raise UnreadableColumns
    items = _split(sets[0], ",")
    if kind == LIST:
        return tuple(dict.fromkeys(_alone(item) for item in items))
    halves = [_split(item, ":") for item in items]
    if any(len(half) != 2 for half in halves):
        raise UnreadableColumns
    pairs = ((_alone(name), _alone(number).replace("−", "-")) for name, number in halves)
    return _distinct(tuple(_pair(pair, lower, upper) for pair in pairs))


def written(kind: str, value: tuple[Any, ...]) -> str:
    """Write a value as it is typed; none for no columns."""
    if not value:
        return "none"
    if kind == NUMBERS:
        return ", ".join(f"{_quoted(name)}: {number:g}" for name, number in value)
    if kind == LIST:
        return ", ".join(map(_quoted, value))
    return "; ".join(", ".join(map(_quoted, part)) for part in value)


def _tokens(text: str) -> list[tuple[str, bool]]:
    """Cut text into names and separators; the flag tells that a token separates."""
    found: list[tuple[str, bool]] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadableColumns
        quoted, bare, separator = match.groups()
        name = quoted.replace('""', '"') if quoted is not None else (bare or "").strip()
        found.append((separator, True) if separator else (name, False))
        place = match.end()
    return found


def _split(tokens: list[tuple[str, bool]], separator: str) -> list[list[tuple[str, bool]]]:
    parts: list[list[tuple[str, bool]]] = [[]]
    for token in tokens:
        if token == (separator, True):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _alone(tokens: list[tuple[str, bool]]) -> str:
    if len(tokens) != 1 or tokens[0][1] or not tokens[0][0]:
        raise UnreadableColumns
    return tokens[0][0]


def _name(value: Any) -> str:
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()  # of numpy
    if not isinstance(value, (str, bool, int, float)) or value == "":
        raise UnreadableColumns
    return str(value)


def _pair(pair: Any, lower: float, upper: float) -> tuple[str, float]:
    try:
        name, number = pair
        size = float(number)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableColumns from None
    if isinstance(number, bool) or not math.isfinite(size) or not lower <= size <= upper:
        raise UnreadableColumns
    return _name(name), size


def _distinct(pairs: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    if len(dict(pairs)) != len(pairs):
        raise UnreadableColumns
    return pairs


def _quoted(name: str) -> str:
    plain = name == name.strip() and not set(name) & set('",;:') and name.lower() != "none"
    return name if plain else '"' + name.replace('"', '""') + '"'
