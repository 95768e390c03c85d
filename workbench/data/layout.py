"""How a text table is laid out: encoding, separator, header; found from its first bytes, or as chosen."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.data.guess import Guess, chosen
from workbench.data.header import full_header, judge_header, unique_names
from workbench.data.separators import find_separator
from workbench.data.table import Note
from workbench.data.text_stream import plain_line_ends, to_utf8
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.separators import Record

SNIFF_BYTES = 1 << 17
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_PAIRED = 0.2  # of the bytes at even or odd places: so many NULs in text of two bytes a character
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")) + b"\x7f"


@dataclass(frozen=True)
class Layout:
    """What must be known before the rows can be read.

    Attributes
    ----------
    encoding, separator : str
    names : tuple of str
        One per column.
    skip_lines : int
        Lines before the first row: comments, blank lines, the header.
    header : tuple of str
        Fields of the header as they stand, to know it where it is repeated; empty without one.
    rows : tuple of tuple of str
        The first rows.
    notes : tuple of Note
    guesses : tuple of Guess
        Why this separator, and this header.
    """

    encoding: str
    separator: str
    names: tuple[str, ...]
    skip_lines: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...] = ()
    guesses: tuple[Guess, ...] = ()


def find_encoding(head: bytes) -> str | None:
    """Return the encoding that the first bytes show, or None where they are not text."""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding
    return "utf-8" if _is_text(head) else _unmarked_utf16(head[:SNIFF_BYTES])


def _is_text(data: bytes) -> bool:
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return controls <= 0.01 * len(data) + 1


def _unmarked_utf16(head: bytes) -> str | None:
    """Return UTF-16 without a mark where every second byte may be NUL and the characters make text."""
    head = head[: len(head) // 2 * 2]
    first, second = head[::2].count(0), head[1::2].count(0)
    if max(first, second) < _PAIRED * len(head) / 2 or 4 * min(first, second) > max(first, second):
        return None
    encoding = "utf-16-be" if first > second else "utf-16-le"
    text = head.decode(encoding, "replace").encode("utf-8", "replace")
    return encoding if _is_text(text) and text.count(b"\xef\xbf\xbd") <= 1 else None


def find_layout(
    head: bytes, file_name: str, encoding: str, *, whole: bool, separator: str | None = None,
    header: bool | None = None,
) -> Layout:  # fmt: skip
    """Find the layout of a text table.

    Parameters
    ----------
    head : bytes
        The first bytes, not compressed.
    file_name : str
        For messages.
    encoding : str
    whole : bool
        Whether `head` is the whole file.
    separator : str, optional
    header : bool, optional
        Whether the first record names the columns.
    """
    text = _head_text(head if whole else head[:SNIFF_BYTES], encoding, whole=whole)
    comments, body, skipped = _without_leading_comments(text)
    _refuse_json(body, file_name)
    records, by = find_separator(body, separator)
    if not records:
        raise WorkbenchError(f"'{file_name}' has no rows. Choose a file with a table in it.")
    first, rows = records[0].fields, [record.fields for record in records[1:]]
    headed = judge_header(first, rows) if header is None else chosen("header", header)
    notes = [Note(f"Comment lines left out at the start: {comments}.", count=comments)] if comments else []
    guesses = (by, headed)
    if not headed.value:
        return _without_header(encoding, by.value, records, skipped, notes, guesses)
    if not rows:
        listed = ", ".join(first[:8])
        raise WorkbenchError(f"'{file_name}' has a header but no rows ({listed}). Choose a file with rows.")
    fields, more = full_header(first, rows, text)
    names, named = unique_names(fields)
    skip, notes = skipped + records[0].last_line, [*notes, *more, *named]
    return Layout(encoding, by.value, names, skip, first, tuple(rows), tuple(notes), guesses)


def _without_header(
    encoding: str, separator: str, records: Sequence[Record], skipped: int, notes: list[Note],
    guesses: tuple[Guess, ...],
) -> Layout:  # fmt: skip
    width = len(records[0].fields)
    names = tuple(f"column {number}" for number in range(1, width + 1))
    told = Note("There is no header; the columns are numbered.", severity="warning")
    rows = tuple(record.fields for record in records)
    return Layout(encoding, separator, names, skipped, (), rows, (*notes, told), guesses)


def _head_text(head: bytes, encoding: str, *, whole: bool) -> str:
    plain = b"".join(to_utf8([head], encoding)).replace(b"\0", b"")
    text = plain_line_ends(plain).decode("utf-8", "replace").removeprefix("\ufeff")
    return text if whole or "\n" not in text else text[: text.rindex("\n") + 1]


def _without_leading_comments(text: str) -> tuple[int, str, int]:
    """Return the number of comments, the text after them and the lines left out."""
    comments = skipped = 0
    while text:
        line, _, rest = text.partition("\n")
        if line.startswith("#"):
            comments += 1
        elif line.strip():
            break
        skipped += 1
        text = rest
    return comments, text, skipped


def _refuse_json(text: str, file_name: str) -> None:
    if re.match(r'\s*[{\[]\s*["{\[]', text):
        raise WorkbenchError(f"'{file_name}' holds JSON, not a text table. Save the table as CSV.")
