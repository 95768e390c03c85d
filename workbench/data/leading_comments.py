"""Comments above a table: how many lines they take, and the names of the columns where they hold them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data import numerals
from workbench.data.separators import records_of
from workbench.data.table import Note
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAYS_NAMES = re.compile(r"#+ ?(?:fields|columns?(?: names)?|header|names)\b(?: ?[:=])?[\t ]*", re.IGNORECASE)


def without_leading_comments(text: str) -> tuple[int, str, int]:
    """Return the number of comments, the text after them and the lines left out."""
    comments = skipped = begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        if text[begin] == "#":
            comments += 1
        elif text[begin:end].strip():
            break
        skipped += 1
        begin = end
    return comments, text[begin:], skipped


def comment_notes(count: int, line: int) -> tuple[Note, ...]:
    """Say how many lines were left out as comments, and the first."""
    told = f"{counted(count, 'line')} at the start left out as comments (first line {line})."
    return (Note(told, count=count),)


def names_in_comments(comments: Sequence[str], separator: str, width: int) -> tuple[str, ...]:
    """Return the fields of the last comment above the table, or of one that says so, if all are names."""
    said = [comment[found.end() :] for comment in comments if (found := _SAYS_NAMES.match(comment))]
    possible = [(text, mark) for text in said for mark in (",", separator, " ")]
    possible += [(comment.lstrip("#"), separator) for comment in comments[:1]]
    return next(filter(None, (_names_in(text, mark, width) for text, mark in possible)), ())


def _names_in(text: str, separator: str, width: int) -> tuple[str, ...]:
    """Return the fields of a text where there are as many, and all are names."""
    records = records_of(text, separator)
    fields = tuple(map(str.strip, records[0].fields)) if records else ()
    are_names = len(fields) == width > 1 and len(set(fields)) == width and all(fields[1:])
    if not are_names or any(map(numerals.is_number, fields)):
        return ()
    return (fields[0] or "#", *fields[1:])  # the sign alone is the name of a column of numbers of rows
