"""Lines below a table that are no rows of it: totals, sources, remarks, how many rows there were."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from workbench.data.text.layout.header import LOOKED_AT, holds_numbers, is_rule
from workbench.data.text.layout.separators import records_of
from workbench.data.values import dates, numerals
from workbench.data.values.cell_rules import NUMBER_GAPS
from workbench.data.values.labels import MISSING_CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.layout import TextLayout

FEWEST_OF_CATEGORY = 3  # rows of a text that then is a value like others, and no total
MOST_LINES = 40
FEWEST_WORDS = 3  # of a remark
FEWEST_EMPTY = 2  # lines without a value at the end; a single one may be a row
_TOTAL = re.compile(
    r"(grand |sub|sub-|column |overall )?"
    r"(totals?|sums?|averages?|avg\.?|mean|median|overall|summe|gesamt|gesamtsumme|insgesamt|durchschnitt"
    r"|mittelwert|somme|moyenne|suma|promedio|razem|celkem|toplam|totaal|totale|итого|всего|合計|总计)"
    r"(\s*\([^()]*\))?\s*:?",
    re.IGNORECASE,
)
_BEGINS_AS_TOTAL = re.compile(r"(grand |sub)?(total|sum|average)s?\b", re.IGNORECASE)
_REMARK = re.compile(
    r"\W*+(sources?|notes?|remarks?|footnotes?|n\.?b\.?|data (from|source|by)[^:]*+|(last )?updated( on)?"
    r"|(downloaded|exported|generated|created|printed|retrieved|accessed)( (on|by|at|from))?|copyright"
    r"|licen[cs]e|disclaimer|quellen?|anmerkung(en)?|hinweise?|stand|fuente|fonte|bron)\s*:",
    re.IGNORECASE,
)
_BEGINS_AS_REMARK = re.compile(
    r"(\*+|†|©|\(c\)|copyright|eof|end of (file|report|data)"
    r"|(downloaded|exported|generated|retrieved) (on|by|at|from))(?![a-z])", re.IGNORECASE,
)  # fmt: skip
_COUNT = re.compile(
    r"\W*+(total |number of )?(\d[\d,. ]*+\s*+(rows?|records?|observations?|lines|entries|results?|items)"
    r"|(rows?|records?|observations?|entries|results?)\s*+[:=]\s*+\d[\d,. ]*+)"
    r"(\s*+(affected|selected|in set|returned|found|fetched|exported|total)\b.*)?\W*+",
    re.IGNORECASE | re.DOTALL,
)
_ENDED = re.compile(r"(completion time|elapsed|query time|time elapsed)\s*:\s*\d", re.IGNORECASE)


@dataclass(frozen=True)
class LastLine:
    """A line that is no row, or may be none: its place, from 1, in the text that was looked at."""

    line: int
    text: str


@dataclass(frozen=True)
class Ending:
    """How a table ends.

    Attributes
    ----------
    length : int
        Bytes up to the end of the last row.
    left_out : tuple of LastLine
        What stands below it, from the top.
    doubtful : LastLine, optional
        The last row, where it may be none.
    empty : int
        Lines without any value, left out too.
    """

    length: int
    left_out: tuple[LastLine, ...] = ()
    doubtful: LastLine | None = None
    empty: int = 0

    def from_line(self, line: int) -> Ending:
        """Return the same for text that begins in this line."""
        moved = tuple(replace(last, line=last.line + line - 1) for last in self.left_out)
        last = self.doubtful
        return replace(self, left_out=moved, doubtful=last and replace(last, line=last.line + line - 1))


@dataclass(frozen=True)
class _Line:
    """A line, and where it begins."""

    begin: int
    text: str
    separator: str

    @cached_property
    def fields(self) -> list[str]:
        """None where it has no value."""
        fields = [field for record in records_of(self.text, self.separator) for field in record.fields]
        return fields if any(map(str.strip, fields)) else []

    def forget_fields(self) -> None:
        """Let go of them."""
        self.__dict__.pop("fields", None)

    @property
    def is_rule(self) -> bool:
        """Whether it is a drawn line, be it in the first field only."""
        return is_rule(self.text) or is_rule(" ".join(self.fields))


_Verdict = Literal["row", "doubtful", "footer"]


class Footers:
    """Tells rows of a table from what stands below them.

    Parameters
    ----------
    separator : str
    width : int
        Fields of a row.
    rows : sequence of sequences of str
        The first rows.
    wanted : bool, optional
        Whether footers are left out; None leaves out the clear ones.
    """

    def __init__(
        self, separator: str, width: int, rows: Sequence[Sequence[str]], wanted: bool | None = None
    ) -> None:
        self._separator, self._width, self._rows, self._wanted = separator, width, rows, wanted
        self._mark = separator.encode()

    @classmethod
    def below(cls, layout: TextLayout, wanted: bool | None) -> Footers:
        """Return what tells rows of a layout from what stands below them."""
        return cls(layout.separator, len(layout.names), layout.rows_below_header, wanted)

    def ending(self, data: bytes) -> Ending:
        """Find the end of the rows in text that ends with a whole record."""
        if self._width < 2 or self._wanted is False:
            return Ending(len(data))
        end = self._end_of_values(data)
        lines = self._lines(data, end)
        apart = max(self._apart(lines), self._below_a_rule(lines))
        left_out: list[_Line] = []
        doubtful = None
        for place, line in enumerate(lines):
            verdict = "footer" if place < apart else self._verdict(line)
            if verdict == "doubtful" and not self._wanted:
                doubtful = line
            if verdict == "row" or doubtful:
                break
            left_out.append(line)
        if not any(line.fields for line in left_out):
            left_out = []
        empty = sum(self._mark in line for line in data[end:].split(b"\n"))
        if not left_out and empty < FEWEST_EMPTY:
            end, empty = len(data), 0
        length = left_out[-1].begin if left_out else end
        placed = tuple(_placed(data, line) for line in reversed(left_out) if line.fields)
        last = None if doubtful is None else _placed(data, doubtful)
        for line in lines:  # all at once, millions of fields would hold up every other thread
            line.forget_fields()
        return Ending(length, placed, last, empty)

    def _end_of_values(self, data: bytes) -> int:
        """Return the end of the last line in which something stands beside separators."""
        last = len(data.rstrip(self._mark + b' \t"\n'))
        return data.find(b"\n", last) + 1

    def _lines(self, data: bytes, end: int) -> list[_Line]:
        """Return the last lines from the bottom, as far as no row goes over several of them.

        A single text in quotes that does is one of them.
        """
        lines: list[_Line] = []
        while end > 0 and len(lines) < MOST_LINES:
            begin = data.rfind(b"\n", 0, end - 1) + 1
            text = data[begin : end - 1].decode("utf-8", "replace")
            if text.count('"') % 2:
                begin, text = self._quoted(data, begin, end)
            if text.count('"') % 2:
                break
            lines.append(_Line(begin, text, self._separator))
            end = begin
        return lines

    def _quoted(self, data: bytes, begin: int, end: int) -> tuple[int, str]:
        """Return where a text in quotes that ends a line begins, and the text; else what the line has."""
        opened = data.rfind(b'"', 0, begin)
        above = data.rfind(b"\n", 0, max(opened, 0)) + 1
        text = data[above : end - 1].decode("utf-8", "replace")
        is_alone = opened == above and text.endswith('"') and data.count(b"\n", above, end) <= MOST_LINES
        return (above, text) if is_alone else (begin, data[begin : end - 1].decode("utf-8", "replace"))

    def _apart(self, lines: Sequence[_Line]) -> int:
        """Return how many lines, short texts all, stand below a blank one and rows without a gap."""
        whole = (place for place, line in enumerate(lines) if line.fields and not self._may_be_below(line))
        slim = next(whole, 0)
        rows = lines[slim : slim + LOOKED_AT]
        has_gap = slim > 0 and not lines[slim - 1].fields
        return slim if has_gap and len(rows) > 1 and all(line.fields for line in rows) else 0

    def _below_a_rule(self, lines: Sequence[_Line]) -> int:
        """Return how many lines, no row among them, stand below a rule, with the rule."""
        rules = [place for place, line in enumerate(lines) if line.is_rule]
        return next((p + 1 for p in reversed(rules) if p and all(map(self._is_no_row, lines[:p]))), 0)

    def _is_no_row(self, line: _Line) -> bool:
        """Whether it is empty, a rule or a text, be it as long as a row where rows begin with numbers."""
        if not line.fields or line.is_rule or self._is_slim(line):
            return True
        first = line.fields[0].strip()
        return self._has_no_texts(line) and first not in MISSING_CODES and not numerals.is_number(first)

    def _may_be_below(self, line: _Line) -> bool:
        """Whether it is no whole row, or a remark that a separator happens to part into as many fields."""
        return self._is_slim(line) or _REMARK.match(line.text) is not None

    def _is_slim(self, line: _Line) -> bool:
        """Whether it is no whole row, and begins with a text."""
        filled = [field.strip() for field in line.fields if field.strip()]
        is_whole = len(line.fields) == self._width and len(filled) > 1
        return not is_whole and not numerals.is_number(filled[0]) and filled[0] not in MISSING_CODES

    def _verdict(self, line: _Line) -> _Verdict:
        if not line.fields or line.is_rule or self._is_count(line.text):
            return "footer"
        place, first = next((p, field.strip()) for p, field in enumerate(line.fields) if field.strip())
        if self._is_slim(line):
            if _COUNT.fullmatch(line.text) or self._is_remark(line.text, first):
                return "footer"
            is_alone = sum(map(bool, map(str.strip, line.fields))) == 1
            if is_alone and place == 0 and self._has_no_texts(line):
                return "footer"
            is_long = len(first.split()) >= FEWEST_WORDS
            if is_long and len(line.fields) < self._width and self._is_new(first, line):
                return "doubtful"
        return self._of_total(line, place, first)

    def _is_count(self, text: str) -> bool:
        """Whether a line that blanks may cut into fields tells what a database did: 30 rows selected."""
        text = " ".join(text.split())
        if self._separator in " \t" and _ENDED.match(text):
            return True
        found = _COUNT.fullmatch(text) if self._separator in " \t" else None
        return found is not None and (text.startswith("(") or bool(found[5]))

    def _is_remark(self, text: str, first: str) -> bool:
        return bool(_REMARK.match(text) or _BEGINS_AS_REMARK.match(first))

    def _of_total(self, line: _Line, place: int, first: str) -> _Verdict:
        is_clear = bool(_TOTAL.fullmatch(first)) and self._is_new(first, line, place)
        if not (is_clear or _BEGINS_AS_TOTAL.match(first)) or not self._are_numbers(line, place + 1):
            return "doubtful" if is_clear and first.endswith(":") else "row"
        if is_clear:
            return "footer"
        return "row" if self._count(first, place) >= FEWEST_OF_CATEGORY else "doubtful"

    def _are_numbers(self, line: _Line, begin: int) -> bool:
        """Whether the fields from a place on are numbers in columns of numbers, or nothing."""
        rows, filled = self._others(line), 0
        for place, field in enumerate(line.fields[begin:], start=begin):
            text = field.strip()
            if text not in MISSING_CODES and text.casefold() not in NUMBER_GAPS:
                filled += 1
                if place >= self._width or not numerals.is_number(text) or not holds_numbers(rows, place):
                    return False
        return filled > 0

    def _others(self, line: _Line) -> list[Sequence[str]]:
        return [row for row in self._rows[: LOOKED_AT + MOST_LINES] if list(row) != line.fields][:LOOKED_AT]

    def _has_no_texts(self, line: _Line) -> bool:
        """Whether the first column holds numbers or dates."""
        rows = self._others(line)
        cells = [row[0].strip() for row in rows if row[0].strip() not in MISSING_CODES]
        return holds_numbers(rows, 0) or (bool(cells) and all(dates.parse([cell]) for cell in cells))

    def _count(self, text: str, place: int) -> int:
        """Return how many rows have the text in that column."""
        cells = (row[place].strip().casefold() for row in self._rows if place < len(row))
        return sum(cell == text.casefold() for cell in cells)

    def _is_new(self, text: str, line: _Line, place: int = 0) -> bool:
        """Whether no other row has the text in that column."""
        rows = (row for row in self._rows if list(row) != line.fields)
        return all(row[place].strip().casefold() != text.casefold() for row in rows if place < len(row))


def _placed(data: bytes, line: _Line) -> LastLine:
    return LastLine(data.count(b"\n", 0, line.begin) + 1, line.text)
