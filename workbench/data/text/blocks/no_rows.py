"""Lines among the rows that are none: comments, repeated headers, blank lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.data.text.blocks.line_repairs import LineRepairs
from workbench.data.text.blocks.line_tally import LineTally
from workbench.data.text.layout.separators import reader_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from workbench.data.text.layout.layout import TextLayout

COMMENT_MARKS = ("#", "//", "%%", "% ")  # of a line that is no whole record
_BLANK, _BLANK_OR_TAB = re.compile(rb"^[ \f]*+\n", re.MULTILINE), re.compile(rb"^[ \t\f]*+\n", re.MULTILINE)


def is_comment(fields: Sequence[str], layout: TextLayout) -> bool:
    """Whether a record is a comment: no whole one, or in a table with comments above it."""
    if len(fields) == len(layout.names):
        return layout.has_comments and fields[0].startswith("#")
    return fields[0].startswith(COMMENT_MARKS)


@dataclass(frozen=True)
class NoRows:
    """Knows such lines in blocks of one layout.

    Attributes
    ----------
    layout : TextLayout
    separator : str
        One byte.
    """

    layout: TextLayout
    separator: str

    def is_blank(self, fields: Sequence[str]) -> bool:
        """Whether nothing stands in a record."""
        only_spaces = len(self.layout.names) > 1 and len(fields) == 1 and not fields[0].strip()
        return not fields or only_spaces

    def are_blank(self, data: bytes, first_line: int, more: int, no_gaps: AbstractSet[int]) -> LineTally:
        """Count the lines outside quotes in which nothing stands, but for those that are no gaps.

        So many lines of the block as are known to be no others.
        """
        found = LineTally()
        if more <= len(no_gaps):
            return found
        first = (_BLANK_OR_TAB if self.separator != "\t" else _BLANK).search(data)
        if first is None:
            return found
        if b'"' not in data and not no_gaps:
            found.add(first_line + data.count(b"\n", 0, first.start()), more)
            return found
        reader = reader_of(data.decode("utf-8", "replace"), self.separator)
        for fields in reader:
            line = first_line + reader.line_num - 1
            if self.is_blank(fields) and line not in no_gaps:
                found.add(line)
        return found

    def has_comment(self, data: bytes) -> bool:
        """Whether a line of a block may be a whole record, and a comment all the same."""
        return self.layout.has_comments and (data.startswith(b"#") or b"\n#" in data)

    def has_header(self, data: bytes) -> bool:
        """Whether a line of a block is the header once more, perhaps with blanks before its names."""
        header = self.layout.header
        if not header:
            return False
        ways = [header]
        if b'"' in data:  # one byte is sought many times faster than a line
            ways.append(tuple(f'"{name}"' for name in header))
        lines = [(self.separator.join(names) + "\n").encode() for names in ways]
        if any(data.startswith(line) or b"\n" + line in data for line in lines):
            return True
        return b" " in data and any(_has_line(data, self._spaced(names)) for names in ways)

    def _spaced(self, names: Sequence[str]) -> bytes:
        """Return the pattern of names with blanks before all but the first, or with none."""
        return f"{re.escape(self.separator)} *".join(map(re.escape, names)).encode()

    def blanked(self, data: bytes, first_line: int) -> tuple[bytes, LineRepairs]:
        """Empty the comments and repeated headers of a block without quotes, and count them.

        A rule below a header goes with it.
        """
        repairs = LineRepairs()
        data = _blanked(data, self._comment_lines, first_line, repairs.comments)
        return _blanked(data, self._header_lines, first_line, repairs.headers), repairs

    @cached_property
    def _comment_lines(self) -> re.Pattern[bytes]:
        """Comments in which no separator stands, one below the other."""
        marks = COMMENT_MARKS if len(self.layout.names) > 1 else ("#",) if self.layout.has_comments else ()
        return _lines_like("|".join(f"{re.escape(m)}[^\\n{re.escape(self.separator)}]*+" for m in marks))

    @cached_property
    def _header_lines(self) -> re.Pattern[bytes]:
        names = self._spaced(self.layout.header or ()).decode()
        drawn = f"[-=+|* {re.escape(self.separator)}]*"
        return _lines_like(names and f" *{names}(?:\\n{drawn}(?:--|==){drawn})?")


def _has_line(data: bytes, pattern: bytes) -> bool:
    """Whether nothing but blanks stands in a line before what a pattern matches, and nothing behind it."""
    found = (one.start() for one in re.finditer(pattern + rb"\n", data))
    return any(not data[data.rfind(b"\n", 0, start) + 1 : start].strip(b" ") for start in found)


def _lines_like(pattern: str) -> re.Pattern[bytes]:
    """Return what matches lines that a pattern matches, as many as stand one below the other; none of ""."""
    lines = rf"^(?:(?:{pattern})\n)++" if pattern else r"(?!)"
    return re.compile(lines.encode(), re.MULTILINE)


def _blanked(data: bytes, lines: re.Pattern[bytes], first_line: int, tally: LineTally) -> bytes:
    """Empty the lines that a pattern matches, and count them."""

    def blank(run: re.Match[bytes]) -> bytes:
        ends = run[0].count(b"\n")
        tally.add(tally.first or first_line + data.count(b"\n", 0, run.start()), ends)
        return b"\n" * ends

    return lines.sub(blank, data)
