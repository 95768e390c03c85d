"""Comments above a table: how many lines they take, and the names of the columns where they hold them."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from workbench.data.table import TableNote
from workbench.data.text.layout.separators import records_of
from workbench.data.values import numerals
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

OTHER_MARKS = {";": 1, "//": 1, "%": 2, "!": 2}  # of comments, and the fewest: names may begin with two
LOOKED_AT, FEW_BELOW = 200, 20  # lines
_SAYS_NAMES = re.compile(
    r"(?:#+|;|//|%|!) ?(?:fields|columns?(?: names)?|header|names)\b(?: ?[:=])?[\t ]*", re.IGNORECASE
)


def without_leading_comments(text: str) -> tuple[int, str, int]:
    """Return the number of comments, the text after them and the lines left out."""
    mark = _other_mark(text) or "#"
    comments = skipped = begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        if text.startswith(mark, begin):
            comments += 1
        elif text[begin:end].strip():
            break
        skipped += 1
        begin = end
    return comments, text[begin:], skipped


def _other_mark(text: str) -> str | None:
    """Return the sign of comments other than #: a blank or nothing follows it, and no row begins with it.

    A semicolon may part the columns, so that few of the rows have one.
    """
    lines = [line for line in text.split("\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]
    mark = next((mark for mark in OTHER_MARKS if lines and lines[0].startswith(mark)), None)
    if mark is None:
        return None
    count = sum(1 for _ in takewhile(lambda line: f"{line} ".startswith(f"{mark} "), lines))
    below = lines[count : count + FEW_BELOW]
    is_among_rows = any(line.startswith(mark) for line in below)
    may_part = mark == ";" and 2 * sum(mark in line for line in below) >= len(below)
    return mark if count >= OTHER_MARKS[mark] and below and not is_among_rows and not may_part else None


def comment_notes(count: int, line: int) -> tuple[TableNote, ...]:
    """Say how many lines were left out as comments, and the first."""
    told = f"{counted(count, 'line')} at the start left out as comments (first line {line})."
    return (TableNote(told, count=count),)


def names_in_comments(comments: Sequence[str], separator: str, width: int) -> tuple[str, ...]:
    """Return the fields of the last comment above the table, or of one that says so, if all are names."""
    said = [comment[found.end() :] for comment in comments if (found := _SAYS_NAMES.match(comment))]
    possible = [(text, mark) for text in said for mark in (",", separator, " ")]
    possible += [(comment.lstrip("#;/%!"), separator) for comment in comments[:1]]
    return next(filter(None, (_names_in(text, mark, width) for text, mark in possible)), ())


def _names_in(text: str, separator: str, width: int) -> tuple[str, ...]:
    """Return the fields of a text where there are as many, and all are names."""
    records = records_of(text, separator)
    fields = tuple(map(str.strip, records[0].fields)) if records else ()
    are_names = len(fields) == width > 1 and len(set(fields)) == width and all(fields[1:])
    if not are_names or any(map(numerals.is_number, fields)):
        return ()
    return (fields[0] or "#", *fields[1:])  # the sign alone is the name of a column of numbers of rows
