"""The splits that every tree begins with, as a person types them.

    age < 54.5                                          one split
    age < 54.5 {yes: thal = normal; no: chol < 240}     and those of its two sides, and so on
    thal in {normal, fixed} {no: "weight; kg" < 80}
    age {yes: thal; no: chol < 240}                     a column alone: its best cut is found at each tree

The same in Python and in JSON:

    {"column": "age", "below": 54.5, "yes": {"column": "thal", "in": ["normal"]}, "no": {"column": "chol"}}

A name with one of " < > = { } ; : , stands in double quotes, a quote in it twice; so does a column alone that
is called none or ends with the word in. Whether a table has the columns and levels is asked when it is known.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = "age < 54.5 {yes: thal = normal; no: chol}"
MOST_SPLITS, MOST_DEPTH = 100, 30
SIDES = ("yes", "no")

_QUOTED = r'"((?:[^"]|"")*)"'
_WORD = r'[^\s"<>={};:,]+?'
_COLUMN = re.compile(
    rf"\s*+(?:{_QUOTED}|({_WORD}(?:\s++{_WORD})*?))\s*+(<|=|\bin\b(?=\s*+\{{)|(?=[{{}};]|\Z))"
)
_LEVEL = re.compile(rf'\s*(?:{_QUOTED}|([^"{{}};,]*))')
_NUMBER = re.compile(r"\s*([^{};,]*)")
_SIDE = re.compile(r"\s*(yes|no)\s*:")
_DATE = re.compile(r"\d[\d:./TZ+ -]*")
_PLAIN = re.compile(r'[^"<>={};:,\s]+(?: [^"<>={};:,\s]+)*')
_ASKED = {"below", "equals", "in"}
_KEYS = {"column", *_ASKED, *SIDES}
ALONE = ""  # in place of a relation, where the best cut is sought
_MISREAD = re.compile(r"none|.*\bin", re.IGNORECASE | re.DOTALL)  # alone, without quotes


class UnreadableSplits(ValueError):
    """The text or value holds no splits; says what is wrong with it."""


@dataclass(frozen=True)
class ForcedSplit:
    """A split, and those that its sides are split by.

    Attributes
    ----------
    column : str
    relation : {"<", "=", "in", ""}
    values : tuple of str
        What follows: a number (or a date), a level, levels; nothing where the column stands alone.
    yes, no : ForcedSplit, optional
    """

    column: str
    relation: str
    values: tuple[str, ...]
    yes: ForcedSplit | None = None
    no: ForcedSplit | None = None

    @property
    def names_column_alone(self) -> bool:
        """Whether its cut is sought."""
        return self.relation == ALONE

    @property
    def question(self) -> str:
        """As it is typed, without its sides."""
        if self.names_column_alone:
            return _quoted(self.column) if _MISREAD.fullmatch(self.column) else _written(self.column)
        if self.relation == "<":
            return f"{_written(self.column)} < {self.values[0]}"
        levels = ", ".join(map(_written, self.values))
        return f"{_written(self.column)} " + (f"= {levels}" if self.relation == "=" else f"in {{{levels}}}")

    @property
    def text(self) -> str:
        """As it is typed, with its sides."""
        sides = [f"{side}: {below.text}" for side in SIDES if (below := getattr(self, side)) is not None]
        return self.question + (f" {{{'; '.join(sides)}}}" if sides else "")

    @property
    def sides(self) -> tuple[ForcedSplit, ...]:
        """What follows it."""
        return tuple(side for side in (self.yes, self.no) if side is not None)

    @property
    def all(self) -> Iterator[ForcedSplit]:
        """It and all below, each before its sides."""
        yield self
        for side in self.sides:
            yield from side.all

    @property
    def depth(self) -> int:
        """Questions on the longest way."""
        return 1 + max((side.depth for side in self.sides), default=0)

    @property
    def ways(self) -> Iterator[frozenset[str]]:
        """The columns on the way to each of the last splits."""
        for side in self.sides:
            yield from (way | {self.column} for way in side.ways)
        if not self.sides:
            yield frozenset({self.column})


def checked(value: Any) -> str:
    """Return splits, typed or as a mapping, as they are typed, "" for none; raise Unreadable for others."""
    if isinstance(value, str):
        if value.strip().lower() in ("", "none"):
            return ""
        return read(value).text
    if isinstance(value, Mapping):
        return _limited(_of_mapping(value, 1)).text if value else ""
    raise UnreadableSplits


def read(text: str) -> ForcedSplit:
    """Read splits as they are typed, or as JSON."""
    if text.lstrip().startswith("{"):
        try:
            return _limited(_of_mapping(json.loads(text), 1))
        except (json.JSONDecodeError, RecursionError):
            raise UnreadableSplits("it begins with { and is no JSON") from None
    reader = _Reader(text)
    split = reader.split(1)
    if reader.rest:
        raise UnreadableSplits(f"{_short(reader.rest)} does not belong behind the end")
    return _limited(split)


class _Reader:
    """Reads text from left to right."""

    def __init__(self, text: str) -> None:
        self._text, self._place = text, 0

    @property
    def rest(self) -> str:
        return self._text[self._place :].strip()

    def split(self, depth: int) -> ForcedSplit:
        if depth > MOST_DEPTH:
            raise UnreadableSplits(f"splits follow each other {MOST_DEPTH} deep at most")
        match = _COLUMN.match(self._text, self._place)
        if match is None:
            asked = f"{_short(self.rest)} is" if self.rest else "at its end there is"
            raise UnreadableSplits(
                f"{asked} no split; write column, column < number, column = level or column in {{a, b}}"
            )
        self._place = match.end()
        column, relation = _name(match), match[3]
        values: tuple[str, ...] = ()
        if relation == "<":
            values = (_number(column, self._take(_NUMBER)[1]),)
        elif relation == ALONE:
            if not column or (match[2] is not None and not _PLAIN.fullmatch(column)):
                raise UnreadableSplits(f"{_short(column)} is no split and no name of a column")
        else:
            values = (self._level(column),) if relation == "=" else self._levels(column)
        relation = "=" if relation == "in" and len(values) == 1 else relation
        return ForcedSplit(column, relation, values, **self._sides(depth))

    def _level(self, column: str) -> str:
        name = _name(self._take(_LEVEL))
        if not name:
            raise UnreadableSplits(f"a level must follow {_short(column)}")
        return name

    def _levels(self, column: str) -> tuple[str, ...]:
        self._skip("{")
        found = [self._level(column)]
        while self._skip(","):
            found.append(self._level(column))
        self._close()
        return tuple(dict.fromkeys(found))

    def _sides(self, depth: int) -> dict[str, ForcedSplit]:
        found: dict[str, ForcedSplit] = {}
        if not self._skip("{"):
            return found
        while True:
            match = _SIDE.match(self._text, self._place)
            if match is None or match[1] in found:
                raise UnreadableSplits(f"yes: or no:, each once, must follow a {{, not {_short(self.rest)}")
            self._place = match.end()
            found[match[1]] = self.split(depth + 1)
            if not self._skip(";"):
                break
        self._close()
        return found

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self._text, self._place)
        assert match is not None  # such patterns match nothing too
        self._place = match.end()
        return match

    def _skip(self, sign: str) -> bool:
        follows = self.rest.startswith(sign)
        if follows:
            self._place = self._text.index(sign, self._place) + 1
        return follows

    def _close(self) -> None:
        if not self._skip("}"):
            found = f", where {_short(self.rest)} stands" if self.rest else ""
            raise UnreadableSplits(f"a }} is missing{found}")


def _of_mapping(value: Any, depth: int) -> ForcedSplit:
    if depth > MOST_DEPTH:
        raise UnreadableSplits(f"splits follow each other {MOST_DEPTH} deep at most")
    is_split = isinstance(value, Mapping) and value.keys() <= _KEYS and isinstance(value.get("column"), str)
    if not is_split:
        raise UnreadableSplits(
            "a split has column, perhaps one of below, equals and in, perhaps yes and no; "
            f"not {_short(value)}"
        )
    column, asked = value["column"], value.keys() & _ASKED
    if not column or len(asked) > 1:
        raise UnreadableSplits(f"{_short(column)} takes one of below, equals and in, or none")
    sides = {side: _of_mapping(value[side], depth + 1) for side in SIDES if value.get(side) is not None}
    if not asked:
        return ForcedSplit(column, ALONE, (), **sides)
    if "below" in asked:
        return ForcedSplit(column, "<", (_number(column, _number_text(value["below"])),), **sides)
    given = [value["equals"]] if "equals" in asked else value["in"]
    if isinstance(given, (str, Mapping)) or not hasattr(given, "__iter__"):
        raise UnreadableSplits(f"a list of levels must follow {_short(column)}")
    levels = tuple(dict.fromkeys(str(level) for level in given))
    if not levels or "" in levels:
        raise UnreadableSplits(f"a level must follow {_short(column)}")
    return ForcedSplit(column, "=" if len(levels) == 1 else "in", levels, **sides)


def _number_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return "" if isinstance(value, bool) else repr(float(value)).removesuffix(".0")
    except (TypeError, ValueError, OverflowError):
        return ""


def _number(column: str, text: str) -> str:
    """Return a number or date as it was typed."""
    text = text.strip().replace("−", "-")
    try:
        is_number = math.isfinite(float(text)) and "_" not in text
    except ValueError:
        is_number = _DATE.fullmatch(text) is not None
    if not is_number:
        raise UnreadableSplits(f"a number must follow {_short(column + ' <')}, not {_short(text)}")
    return text


def _limited(split: ForcedSplit) -> ForcedSplit:
    n_splits = sum(1 for _ in split.all)
    if n_splits > MOST_SPLITS:
        raise UnreadableSplits(f"there are {n_splits} splits; {MOST_SPLITS} at most")
    return split


def _name(match: re.Match[str]) -> str:
    return match[1].replace('""', '"') if match[1] is not None else match[2].strip()


def _written(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else _quoted(name)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return f"'{text[:40]}…'" if len(text) > 41 else f"'{text}'"
