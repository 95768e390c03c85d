"""How a text table is laid out: encoding, separator, header; found from its first bytes."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.data import numerals
from workbench.data.labels import MISSING_CODES
from workbench.data.table import Note
from workbench.data.text_stream import plain_line_ends
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

SNIFF_BYTES = 1 << 17
SEPARATORS = (",", ";", "\t", "|", " ")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b")) + b"\x7f"
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


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
    """

    encoding: str
    separator: str
    names: tuple[str, ...]
    skip_lines: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class _Record:
    fields: tuple[str, ...]
    last_line: int


def find_encoding(head: bytes) -> str | None:
    """Return the encoding that the first bytes show, or None where they are not text."""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return encoding
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return None if controls > 0.01 * len(head) + 1 else "utf-8"


def find_layout(head: bytes, file_name: str, encoding: str, *, whole: bool) -> Layout:
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
    """
    text = _head_text(head if whole else head[:SNIFF_BYTES], encoding, whole=whole)
    comments, body, skipped = _without_leading_comments(text)
    _refuse_json(body, file_name)
    separator, records = _find_separator(body)
    if not records:
        raise WorkbenchError(f"'{file_name}' has no rows. Choose a file with a table in it.")
    first, rows = records[0].fields, [record.fields for record in records[1:]]
    notes = [Note(f"Comment lines left out at the start: {comments}.", count=comments)] if comments else []
    if not _is_header(first, rows):
        names = tuple(f"column {number}" for number in range(1, len(first) + 1))
        notes.append(Note("There is no header; the columns are numbered.", severity="warning"))
        shown = tuple(record.fields for record in records)
        return Layout(encoding, separator, names, skipped, (), shown, tuple(notes))
    if not rows:
        listed = ", ".join(first[:8])
        raise WorkbenchError(f"'{file_name}' has a header but no rows ({listed}). Choose a file with rows.")
    header, more = _full_header(first, rows, text)
    names, named = unique_names(header)
    skip = skipped + records[0].last_line
    return Layout(encoding, separator, names, skip, first, tuple(rows), (*notes, *more, *named))


def _head_text(head: bytes, encoding: str, *, whole: bool) -> str:
    text = head.decode(encoding, errors="replace").removeprefix("\ufeff").replace("\0", "")
    text = plain_line_ends(text.encode("utf-8", "replace")).decode()
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


def _find_separator(text: str) -> tuple[str, list[_Record]]:
    best: tuple[float, int] = (0.0, 0)
    found = ",", _records(text, ",")
    for separator in SEPARATORS:
        records = _records(text, separator)
        widths = Counter(len(record.fields) for record in records)
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        header = len(records[0].fields) if records else 0
        if width < 2 or header < 2:
            continue
        agreement = count / len(records) * (1 if header in (width, width - 1) else 0.5)
        if separator == " ":
            agreement *= 0.5
        if (agreement, width) > best:
            best, found = (agreement, width), (separator, records)
    return found


def _records(text: str, separator: str) -> list[_Record]:
    lines = io.StringIO(text, newline="\n")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    records = []
    try:
        for fields in reader:
            if separator == " " and fields and not fields[-1]:
                fields = fields[:-1]
            if any(fields):
                records.append(_Record(tuple(fields), reader.line_num))
    except csv.Error:
        return records
    return records


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Judge whether the first record names the columns.

    It does where a text stands over a column of numbers, where its numbers look like years or
    count the columns, and, among columns of text only, where it does not recur below.
    """
    names = [name.strip() for name in first]
    if not any(names):
        return False
    if not rows:
        return not all(numerals.is_plain(name) for name in names)
    body = [row for row in rows if row != first and not row[0].startswith("#")]
    number_columns = [place for place in range(len(names)) if _holds_numbers(body, place)]
    over_numbers = [names[place] for place in number_columns]
    if any(name not in MISSING_CODES and not numerals.is_plain(name) for name in over_numbers):
        return True
    numbers = [name for name in over_numbers if name not in MISSING_CODES]
    if numbers:
        return _look_like_names(numbers, whole=len(numbers) == len(names))
    below = [{row[place].strip() for row in rows if place < len(row)} for place in range(len(names))]
    recurring = sum(name in texts for name, texts in zip(names, below, strict=True))
    return recurring * 2 < len(names)


def _holds_numbers(rows: Sequence[Sequence[str]], place: int) -> bool:
    cells = [row[place].strip() for row in rows if place < len(row)]
    solid = [cell for cell in cells if cell not in MISSING_CODES]
    return bool(solid) and sum(map(numerals.is_plain, solid)) >= 0.8 * len(solid)


def _look_like_names(numbers: Sequence[str], *, whole: bool) -> bool:
    if len(set(numbers)) < max(2, len(numbers)):
        return False
    if all(_YEAR.fullmatch(number) for number in numbers):
        return True
    counted = [str(number) for number in range(len(numbers) + 1)]
    return whole and len(numbers) > 2 and list(numbers) in (counted[:-1], counted[1:])


def _full_header(
    header: tuple[str, ...], rows: Sequence[Sequence[str]], text: str
) -> tuple[tuple[str, ...], list[Note]]:
    """Complete a header that is one field shorter than every row."""
    longer = all(len(row) == len(header) + 1 for row in rows)
    if not longer or '\\"' in text:
        return header, []
    if not any(row[-1].strip() for row in rows):
        return (*header, ""), []
    text = "The header is one field short, so the first column is taken as row names."
    return ("row name", *header), [Note(text, severity="warning")]


def unique_names(header: Sequence[str]) -> tuple[tuple[str, ...], list[Note]]:
    """Trim the names, fill empty ones and tell equal ones apart."""
    names: list[str] = []
    taken = {name.strip() for name in header}
    changed, empty = [], 0
    for place, raw in enumerate(header, start=1):
        name = raw.strip() or f"column {place}"
        empty += not raw.strip()
        if name in names:
            changed.append(name)
            name = _next_free(name, taken | set(names))
        names.append(name)
    return tuple(names), _name_notes(names, changed, empty)


def _next_free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


def _name_notes(names: Sequence[str], changed: Sequence[str], empty: int) -> list[Note]:
    notes = []
    if changed:
        text = f"Columns of the same name were numbered: {', '.join(dict.fromkeys(changed))}."
        notes.append(Note(text, count=len(changed), severity="warning"))
    if empty:
        text = "Columns without a name are called after their place."
        notes.append(Note(text, count=empty, severity="warning"))
    folded = Counter(name.casefold() for name in names)
    similar = [name for name in names if folded[name.casefold()] > 1]
    if similar:
        text = f"Names that differ only by case stay apart: {', '.join(similar)}."
        notes.append(Note(text, count=len(similar), severity="warning"))
    return notes
