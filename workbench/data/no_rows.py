"""Lines among the rows that are none: comments, repeated headers, blank lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.data.line_repairs import LineRepairs
from workbench.data.line_tally import LineTally
from workbench.data.separators import reader_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from workbench.data.layout import Layout

COMMENT_MARKS = ("#", "//", "%%", "% ")  # of a line that is no whole record
_BLANK, _BLANK_OR_TAB = re.compile(rb"^ *+\n", re.MULTILINE), re.compile(rb"^[ \t]*+\n", re.MULTILINE)


def is_comment(fields: Sequence[str], layout: Layout) -> bool:
    """Whether a record is a comment: no whole one, or in a table with comments above it."""
    if len(fields) == len(layout.names):
        return layout.has_comments and fields[0].startswith("#")
    return fields[0].startswith(COMMENT_MARKS)


@dataclass(frozen=True)
class NoRows:
    """Knows such lines in blocks of one layout.

    Attributes
    ----------
    layout : Layout
    separator : str
        One byte.
    """

    layout: Layout
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
        """Whether a line of a block is the header once more."""
        header, mark = self.layout.header, self.separator
        if not header:
            return False
        lines = [mark.join(header)]
        if b'"' in data:  # one byte is sought many times faster than a line
            lines.append(mark.join(f'"{name}"' for name in header))
        if b" " in data:
            lines.append(f"{mark} ".join(header))
        begun = ((line + "\n").encode() for line in lines)
        return any(data.startswith(line) or b"\n" + line in data for line in begun)

    def blanked(self, data: bytes, first_line: int) -> tuple[bytes, LineRepairs]:
        """Empty the comments and repeated headers of a block without quotes, and count them."""
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
        return _lines_like(re.escape(self.separator.join(self.layout.header or ())))


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
