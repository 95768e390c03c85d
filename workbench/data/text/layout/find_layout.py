"""How a text table is laid out, found from its first bytes: separator, first line, header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.guess import Guess, chosen
from workbench.data.room import check_columns
from workbench.data.text.layout.cutting import cut_text
from workbench.data.text.layout.first_line import find_first_line, lines_before
from workbench.data.text.layout.footers import Footers
from workbench.data.text.layout.head import NoWholeRow, head_text
from workbench.data.text.layout.header import judge_header
from workbench.data.text.layout.languages import refuse_languages
from workbench.data.text.layout.layout import TextLayout
from workbench.data.text.layout.leading_comments import names_in_comments
from workbench.data.text.layout.naming import with_header, without_header
from workbench.data.text.layout.open_quote import OpenQuote
from workbench.data.text.layout.settled import NOTHING_SETTLED
from workbench.data.text.layout.start import find_start
from workbench.data.text.layout.titles import common_width
from workbench.data.text.stream.records import RecordCutter
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.cutting import CutText
    from workbench.data.text.layout.first_line import BegunTable
    from workbench.data.text.layout.record import Record
    from workbench.data.text.layout.settled import Settled
    from workbench.data.text.layout.start import TableStart

FEWEST_RECORDS = 2  # in the bytes that are looked at, so that one of them is a row
MOST_LINES = 20  # shown, to choose the first from


def find_layout(
    head: bytes, file_name: str, encoding: str, settled: Settled = NOTHING_SETTLED, *, whole: bool
) -> TextLayout:
    """Find the layout of a text table.

    Parameters
    ----------
    head : bytes
        The first bytes, not compressed.
    file_name : str
        For messages.
    encoding : str
    settled : Settled, optional
    whole : bool
        Whether `head` is the whole file.
    """
    text = head_text(head, encoding, whole=whole)
    start = find_start(text, settled.first_line)
    refuse_languages(start.body, file_name)
    cut = cut_text(start, settled.separator)
    records = cut.records if whole else _closed(cut.records, file_name, len(head))
    if not records:
        raise WorkbenchError(f"'{file_name}' has no rows. Choose a file with a table in it.")
    table = find_first_line(records, start, settled)
    check_columns(file_name, len(table.first))
    rows = _above_the_footers(cut, table, settled.footer) if whole else table.others
    headed = _headed(table.first, rows, settled)
    layout = _unnamed(text, encoding, start, cut, table, headed, rows)
    if not headed.value:
        commented = names_in_comments(start.comments, cut.separator, len(table.first))
        return without_header(layout, table.first, commented)
    if not rows:
        raise _without_rows(file_name, cut, table, start.skipped)
    return with_header(layout, table, start.skipped, cut.body, settled)


def _unnamed(
    text: str, encoding: str, start: TableStart, cut: CutText, table: BegunTable, headed: Guess,
    rows: Sequence[tuple[str, ...]],
) -> TextLayout:  # fmt: skip
    """Return a layout whose columns have no names yet."""
    first = table.records[0]
    return TextLayout(
        encoding, cut.separator, names=(),
        skip_lines=start.skipped + (first.last_line if headed.value else lines_before(first)),
        header=(), rows=tuple(rows), notes=(*start.notes, *table.notes), guesses=(cut.by, table.by, headed),
        lines=tuple(text.split("\n", MOST_LINES)[:MOST_LINES]), unwrap=cut.unwrap, masked=cut.masked,
        has_comments=_has_comments(start, rows), remark=cut.remark,
    )  # fmt: skip


def _closed(records: list[Record], file_name: str, head_bytes: int) -> list[Record]:
    """Leave out a last record that goes over lines: its quote may close further on."""
    is_open = bool(records) and any("\n" in field for field in records[-1].fields)
    records = records[:-1] if is_open else records
    if len(records) < FEWEST_RECORDS:
        begin = f"its first {head_bytes >> 10:,} KiB"
        raise NoWholeRow(f"'{file_name}' has no whole row in {begin}. Shorten its first row.")
    return records


def _headed(first: Sequence[str], rows: Sequence[Sequence[str]], settled: Settled) -> Guess:
    """Judge whether the first record names the columns; it does where all that are known stand in it."""
    if settled.header is not None:
        return chosen("header", settled.header)
    if settled.known and settled.known <= {*map(str.strip, first)}:
        return Guess("header", True, "The first line has the names of the model's columns.")
    return judge_header(first, rows)


def _above_the_footers(cut: CutText, table: BegunTable, wanted: bool | None) -> list[tuple[str, ...]]:
    """Return the rows without what stands below the table."""
    rows = table.others
    ending = Footers(cut.separator, common_width(table.records)[0], rows, wanted).ending(_data_of(cut.body))
    if not ending.left_out:
        return rows
    first = ending.left_out[0].line
    return [record.fields for record in table.records[1:] if record.last_line < first]


def _data_of(body: str) -> bytes:
    data = body.encode("utf-8", "replace")
    return data if data.endswith(b"\n") else data + b"\n"


def _without_rows(file_name: str, cut: CutText, table: BegunTable, skipped: int) -> WorkbenchError:
    """Say that there are no rows: they may be a part of the text in a quote that opens above them."""
    data = _data_of(cut.body)
    end = RecordCutter(cut.separator).end(data)
    if end < len(data):
        found = OpenQuote(data[end:], skipped + data.count(b"\n", 0, end) + 1)
        return WorkbenchError(found.words(cut.separator))
    listed = ", ".join(table.first[:8])
    return WorkbenchError(f"'{file_name}' has a header but no rows ({listed}). Choose a file with rows.")


def _has_comments(start: TableStart, rows: Sequence[Sequence[str]]) -> bool:
    has_marks = any(comment.startswith("#") for comment in start.comments)
    return has_marks and 2 * sum(row[0].startswith("#") for row in rows) < len(rows)
