"""How a text table is laid out: separator, first line, header; found from its first bytes, or as chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess, chosen
from workbench.data.room import check_columns
from workbench.data.table import Note
from workbench.data.text.blocks.shown_record import shown
from workbench.data.text.layout.descriptions import count_descriptions
from workbench.data.text.layout.footers import Footers
from workbench.data.text.layout.header import (
    full_header,
    grouped_names,
    joined_names,
    judge_header,
    judge_second_lines,
    names_go_on,
    row_names_doubt,
    unique_names,
)
from workbench.data.text.layout.leading_comments import (
    comment_notes,
    names_in_comments,
    without_leading_comments,
)
from workbench.data.text.layout.open_quote import OpenQuote
from workbench.data.text.layout.separators import find_separator
from workbench.data.text.layout.titles import common_width, count_titles, has_group_line
from workbench.data.text.stream.records import RecordCutter
from workbench.data.text.stream.text_encoding import SNIFF_BYTES, to_utf8
from workbench.data.text.stream.text_stream import plain_line_ends
from workbench.data.text.wrappings.aligned import ALIGNED, find_gaps, with_tabs
from workbench.data.text.wrappings.wrapped_lines import find_wrapping
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.data.text.layout.record import Record
    from workbench.data.text.wrappings.aligned import Gap
    from workbench.data.text.wrappings.wrapped_lines import Wrapping

FEWEST_LINES = 3  # in the bytes that are looked at; where lines are long, these are more
FEWEST_RECORDS = 2  # in them, so that one of them is a row
MOST_LINES = 20  # shown, to choose the first from
_SAYS_SEPARATOR = re.compile(r'"?sep=([,;|\t:~^])"?[;,]*\n', re.IGNORECASE)
_LOGGER = re.compile(r'"?TO(?:A5|ACI1)"?,[^\n]*\n')  # of Campbell Scientific's data loggers
_LABVIEW = re.compile(r"LabVIEW Measurement\s.*?\n(?=X_Value\t)", re.DOTALL)
_LANGUAGES = (
    (re.compile(r'\s*[{\[]\s*["{\[]'), "JSON"),
    (re.compile(r"\s*\[\s*(?:-?\d[^,\]\s]*|true|false|null|NaN)?\s*(?:,[^\n]*)?\]\s*?(?:\n|$)"), "JSON"),
    (re.compile(r"\s*<(!doctype\s+html|html|head|body|table)\b", re.IGNORECASE), "a web page"),
    (re.compile(r"\s*<\?xml\b"), "XML"),
    (re.compile(r"(\s*%[^\n]*\n)*\s*@relation\b", re.IGNORECASE), "an ARFF table"),
    (
        re.compile(
            r"(?:\s*+(?:--[^\n]*|/\*[^\n]*\*/;?|(?:SET|BEGIN|START|PRAGMA|USE|LOCK|DROP)\b[^\n]*;)\n)*+"
            r"\s*+(?:(?:CREATE TABLE(?: IF NOT EXISTS)?|INSERT INTO) [\w.`\"\[\]]++ ?(?:\(|VALUES\b)"
            r"|COPY [\w.\"]++ (?:\([^\n]*\) )?FROM stdin;)", re.IGNORECASE,
        ), "statements of SQL",
    ),
    (re.compile(r"\s*+(?:-\[ RECORD 1 \]|\*{9,}+ 1\. row \*{9,}+)"), "records with one value a line"),
    (re.compile(r"%%MatrixMarket\s"), "a sparse matrix"),
    (re.compile(r"\s*+(?:---\n)?- [\w ]++: [^\n]*\n  [\w ]++:"), "YAML"),
    (re.compile(r"\s*+\{\|"), "a page of a wiki"),
    (re.compile(r"version https://git-lfs\."), "a pointer to a table that Git LFS keeps elsewhere"),
)  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """What must be known before the rows can be read.

    Attributes
    ----------
    encoding, separator : str
    names : tuple of str
        One per column.
    skip_lines : int
        Lines before the first row: titles, comments, blank lines, the header.
    header : tuple of str
        Fields of the header as they stand, to know it where it is repeated; empty without one.
    rows : tuple of tuple of str
        The first rows.
    notes : tuple of Note
    guesses : tuple of Guess
        Why this separator, this first line and this header.
    lines : tuple of str
        The first lines as they stand.
    unwrap : callable (str) to str, optional
        Rewrites lines one for one, so that they can be cut at the separator: aligned ones, those in a frame.
    masked : callable (bytes) to bytes, optional
        Hides quotes that are text, byte for byte, where records are cut.
    remark : str
        What is round lines that are rewritten.
    spare : str
        The last of the names, where the first rows have an empty field behind those of the header.
    has_comments : bool
        Whether comments stand above the table: then lines that begin as they do are none of its rows.
    """

    encoding: str
    separator: str
    names: tuple[str, ...]
    skip_lines: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...] = ()
    guesses: tuple[Guess, ...] = ()
    lines: tuple[str, ...] = ()
    unwrap: Callable[[str], str] | None = None
    masked: Callable[[bytes], bytes] | None = None
    has_comments: bool = False
    remark: str = ""
    spare: str = ""


_SEVERAL_LINES = Note("The names stand in several lines and were joined.", severity="warning")


class NoWholeRow(WorkbenchError):
    """No row ends in the bytes that were looked at; more of them may tell."""


def with_lines(head: bytes, most: int) -> int:
    """Return `most`, or the length of the head where fewer than `FEWEST_LINES` lines end in so many bytes."""
    return most if has_lines(head[:most]) else max(len(head), most)


def has_lines(head: bytes) -> bool:
    """Whether at least `FEWEST_LINES` lines end in these bytes."""
    return max(head.count(b"\n"), head.count(b"\r")) >= FEWEST_LINES


def find_layout(
    head: bytes, file_name: str, encoding: str, *, whole: bool, separator: str | None = None,
    header: bool | None = None, units: bool | None = None, first_line: int | None = None,
    footer: bool | None = None, known: frozenset[str] = frozenset(),
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
    units : bool, optional
        Whether the record below it is left out; None leaves out what looks like units or a rule.
    first_line : int, optional
        The line in which the table begins, from 1.
    footer : bool, optional
        Whether lines that look like footers are left out; None leaves out the clear ones.
    known : frozenset of str
        Columns of a model: where all of them stand in the first record, it names the columns.
    """
    text = _head_text(head if whole else head[: with_lines(head, SNIFF_BYTES)], encoding, whole=whole)
    start = _start(text, first_line)
    _refuse_languages(start.body, file_name)
    wrapping = find_wrapping(start.body)
    if wrapping is not None and separator not in (None, wrapping.separator or separator):
        wrapping = None
    start = _unwrapped(start, wrapping)
    records, by = find_separator(start.body, separator or start.separator)
    if wrapping is not None and wrapping.separator is not None:
        by = Guess("separator", wrapping.separator, wrapping.remark)
    elif start.separator is not None and separator is None:
        by = Guess("separator", start.separator, "The first line of the file says so.")
    body, mark = start.body, by.value
    unwrap = None if wrapping is None else wrapping.unwrap
    if by.value == ALIGNED:
        unwrap, mark = _aligned(find_gaps(body), unwrap), "\t"
        body = unwrap(body)
    if not whole:
        records = _closed(records)
        if len(records) < FEWEST_RECORDS:
            begin = f"its first {len(head) >> 10:,} KiB"
            raise NoWholeRow(f"'{file_name}' has no whole row in {begin}. Shorten its first row.")
    if not records:
        raise WorkbenchError(f"'{file_name}' has no rows. Choose a file with a table in it.")
    wanted_groups = header is not False and has_group_line(records)
    titles = int(wanted_groups) if first_line else count_titles(records, named=header)
    grouped = grouped_names(records[titles - 1].fields, records[titles].fields) if titles else None
    begun, more = _first_line(records, titles - (grouped is not None), start, first_line)
    records = records[titles:]
    first, rows = records[0].fields, [record.fields for record in records[1:]]
    check_columns(file_name, len(first))
    if whole:
        rows = _above_the_footers(body, records, mark, rows, footer)
    headed = chosen("header", header) if header is not None else _headed(first, rows, known)
    lines = tuple(text.split("\n", MOST_LINES)[:MOST_LINES])
    skip = start.skipped + (records[0].last_line if headed.value else _lines_before(records[0]))
    layout = Layout(encoding, mark, (), skip, (), tuple(rows), (*start.notes, *more),
                    (by, begun, headed), lines, unwrap, None if wrapping is None else wrapping.masked,
                    _has_comments(start, rows), "" if wrapping is None else wrapping.remark)  # fmt: skip
    if not headed.value:
        return _without_header(layout, first, names_in_comments(start.comments, mark, len(first)))
    if not rows:
        _refuse_open_quote(body, mark, start.skipped)
        listed = ", ".join(first[:8])
        raise WorkbenchError(f"'{file_name}' has a header but no rows ({listed}). Choose a file with rows.")
    second = _second_lines(first, rows, units)
    last_lines = [start.skipped + record.last_line for record in records[1:]]
    layout = _without_units(layout, units, last_lines, second)
    joined = joined_names(first, rows[: second.lines]) if second.may_be_names else None
    joined = joined or grouped
    rows = list(layout.rows)
    fields, completed = full_header(first, rows, body) if joined is None else (joined, [_SEVERAL_LINES])
    names, _ = unique_names(fields)
    has_spare = joined is None and not completed and _has_spare(first, fields, rows)
    _, named = unique_names(fields[:-1] if has_spare else fields)
    is_longer = joined is None and len(fields) > len(first)
    if is_longer and header is None and (doubt := row_names_doubt(first, rows)) is not None:
        layout = replace(layout, guesses=(*layout.guesses, doubt))
    return replace(layout, names=names, header=first, notes=(*layout.notes, *completed, *named),
                   spare=names[-1] if has_spare else "")  # fmt: skip


def _has_spare(header: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether an empty field stands behind those that have a name, in the header too or in the rows only."""
    if len(fields) > len(header):
        return True
    is_named = len(header) > 1 and bool(header[-2].strip()) and not header[-1].strip()
    return is_named and all(len(row) == len(header) and not row[-1].strip() for row in rows)


def _headed(first: Sequence[str], rows: Sequence[Sequence[str]], known: frozenset[str]) -> Guess:
    """Judge whether the first record names the columns; it does where all that are known stand in it."""
    if known and known <= {*map(str.strip, first)}:
        return Guess("header", True, "The first line has the names of the model's columns.")
    return judge_header(first, rows)


def _refuse_open_quote(body: str, separator: str, skipped: int) -> None:
    """Say that a quote opens above the rows, which so are a part of the text in it."""
    data = body.encode("utf-8", "replace")
    data = data if data.endswith(b"\n") else data + b"\n"
    end = RecordCutter(separator).end(data)
    if end < len(data):
        found = OpenQuote(data[end:], skipped + data.count(b"\n", 0, end) + 1)
        raise WorkbenchError(found.words(separator))


def _has_comments(start: _Start, rows: Sequence[Sequence[str]]) -> bool:
    has_marks = any(comment.startswith("#") for comment in start.comments)
    return has_marks and 2 * sum(row[0].startswith("#") for row in rows) < len(rows)


def _unwrapped(start: _Start, wrapping: Wrapping | None) -> _Start:
    if wrapping is None:
        return start
    return start._replace(
        body=wrapping.unwrap(start.body), separator=wrapping.separator or start.separator
    )


def _aligned(gaps: tuple[Gap, ...], unwrap: Callable[[str], str] | None) -> Callable[[str], str]:
    """Return what writes aligned columns with tabs between them."""
    return lambda text: with_tabs(text if unwrap is None else unwrap(text), gaps)


def _closed(records: list[Record]) -> list[Record]:
    """Leave out a last record that goes over lines: its quote may close further on."""
    return records[:-1] if records and any("\n" in field for field in records[-1].fields) else records


class _Second(NamedTuple):
    """How many lines between names and rows are left out, why, and whether they may be parts of names."""

    lines: int
    why: str
    may_be_names: bool


def _second_lines(header: Sequence[str], rows: Sequence[Sequence[str]], wanted: bool | None) -> _Second:
    """Find lines below the names that hold units, describe the columns or are a rule, or as is wanted."""
    if wanted is False:
        return _Second(0, "", may_be_names=False)
    width = len(header)
    count, why = judge_second_lines(rows, width)
    if not count and names_go_on(header, rows):
        count, why = 1, "Below names of groups stand those of their columns."
    if (described := count_descriptions(rows, width)) > count:
        return _Second(described, "Below the names the columns are described.", may_be_names=False)
    if wanted and not count and len(rows) > 1:
        count = 1
    return _Second(count, why, may_be_names=True)


def _without_units(layout: Layout, wanted: bool | None, lines: Sequence[int], second: _Second) -> Layout:
    """Leave out the second lines; `lines` are those in which the first rows end."""
    count, below, _ = second
    if not count:
        more = () if wanted is None else (chosen("units", wanted),)
        return replace(layout, guesses=(*layout.guesses, *more))
    left_out = f"Line {lines[0]} is" if count == 1 else f"Lines {lines[0]} to {lines[count - 1]} are"
    told = f"{below} {left_out} left out.".strip()
    guess = chosen("units", wanted) if wanted else Guess("units", True, told, doubtful=True)
    notes = (*layout.notes, Note(told, severity="warning"))
    return replace(layout, skip_lines=lines[count - 1], rows=layout.rows[count:],
                   guesses=(*layout.guesses, guess), notes=notes)  # fmt: skip


class _Start(NamedTuple):
    """The text from the first line on that may be of the table, and what stood above it."""

    body: str
    skipped: int
    separator: str | None = None
    comments: tuple[str, ...] = ()  # the last one first
    notes: tuple[Note, ...] = ()


def _start(text: str, first_line: int | None) -> _Start:
    separator, skipped = None, 0
    if first_line is not None:
        skipped = first_line - 1
        text = text.split("\n", skipped)[-1] if text.count("\n") >= skipped else ""
    elif (said := _SAYS_SEPARATOR.match(text)) is not None:
        separator, skipped = said[1], 1
        text = text[said.end() :]
    elif (logged := _LOGGER.match(text)) is not None:
        told = Note(f"The first line says what wrote the table: {shown(logged[0])}.", severity="warning")
        return _Start(text[logged.end() :], 1, ",", notes=(told,))
    elif (measured := _LABVIEW.match(text)) is not None:
        lines = measured[0].count("\n")
        left_out = f"{lines} lines of LabVIEW above the table are left out."
        told = Note(left_out, count=lines, severity="warning")
        return _Start(text[measured.end() :], lines, "\t", notes=(told,))
    comments, body, more = without_leading_comments(text)
    above = text[: len(text) - len(body)].rstrip("\n")
    blank = above[: len(above) - len(above.lstrip())].count("\n")
    notes = comment_notes(comments, skipped + blank + 1) if comments else ()
    commented = tuple(reversed(above.split("\n"))) if comments else ()
    return _Start(body, skipped + more, separator, commented, notes)


def _first_line(
    records: Sequence[Record], titles: int, start: _Start, wanted: int | None
) -> tuple[Guess, list[Note]]:
    """Say in which line the table begins, and what was left out above it."""
    if wanted is not None:
        return chosen("first_line", wanted), []
    line = start.skipped + _lines_before(records[titles]) + 1
    if not titles:
        return Guess("first_line", line, "No line above it looks like a title."), []
    lines = "1 line above the table is" if titles == 1 else f"{titles} lines above the table are"
    shown = " ".join(filter(None, map(str.strip, records[0].fields)))[:60]
    text = f"{lines} left out ('{shown}'); it begins in line {line}."
    return Guess("first_line", line, text, doubtful=True), [Note(text, count=titles, severity="warning")]


def _lines_before(record: Record) -> int:
    return record.last_line - 1 - sum(field.count("\n") for field in record.fields)


def _above_the_footers(
    body: str, records: Sequence[Record], separator: str, rows: list[tuple[str, ...]], wanted: bool | None
) -> list[tuple[str, ...]]:
    """Return the rows without what stands below the table."""
    data = body.encode("utf-8", "replace")
    data = data if data.endswith(b"\n") else data + b"\n"
    ending = Footers(separator, common_width(records)[0], rows, wanted).ending(data)
    if not ending.left_out:
        return rows
    first = ending.left_out[0].line
    return [record.fields for record in records[1:] if record.last_line < first]


def _without_header(layout: Layout, first: tuple[str, ...], commented: tuple[str, ...]) -> Layout:
    rows = (first, *layout.rows)
    if commented:
        names, _ = unique_names(commented)
        told = Note("The comment above the table names the columns.", severity="warning")
        return replace(layout, names=names, rows=rows, notes=(*layout.notes, told))
    names = tuple(f"column {number}" for number in range(1, len(first) + 1))
    told = Note("There is no header; the columns are numbered.", severity="warning")
    return replace(layout, names=names, rows=rows, notes=(*layout.notes, told))


def _head_text(head: bytes, encoding: str, *, whole: bool) -> str:
    plain = b"".join(to_utf8([head], encoding)).replace(b"\0", b"")
    text = plain_line_ends(plain).decode("utf-8", "replace").removeprefix("\ufeff")
    text = text.replace("\n\ufeff", "\n").removesuffix("\x1a")
    return text if whole or "\n" not in text else text[: text.rindex("\n") + 1]


def _refuse_languages(text: str, file_name: str) -> None:
    what = next((what for pattern, what in _LANGUAGES if pattern.match(text)), None)
    if what is not None:
        raise WorkbenchError(f"'{file_name}' holds {what}, not a text table. Save the table as CSV.")
