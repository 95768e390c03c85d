"""Names of the columns: of the header, in one line or several, or of a comment; numbers where none are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.data.table import TableNote
from workbench.data.text.layout.header import full_header, joined_names, row_names_doubt, unique_names
from workbench.data.text.layout.second_lines import find_second_lines, without_second_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.first_line import BegunTable
    from workbench.data.text.layout.layout import TextLayout
    from workbench.data.text.layout.settled import Settled

_SEVERAL_LINES = TableNote("The names stand in several lines and were joined.", severity="warning")


def with_header(
    layout: TextLayout, table: BegunTable, skipped: int, body: str, settled: Settled
) -> TextLayout:
    """Name the columns as the first record does, without second lines; `skipped` lines stand above it."""
    header = table.first
    second = find_second_lines(header, layout.rows, settled.units)
    joined = joined_names(header, layout.rows[: second.lines]) if second.may_be_names else None
    last_lines = [skipped + record.last_line for record in table.records[1:]]
    layout = without_second_lines(layout, second, last_lines, settled.units)
    if (joined := joined or table.grouped) is None:
        return _with_one_line(layout, header, body, settled)
    names, named = unique_names(joined)
    return replace(layout, names=names, header=header, notes=(*layout.notes, _SEVERAL_LINES, *named))


def _with_one_line(layout: TextLayout, header: tuple[str, ...], body: str, settled: Settled) -> TextLayout:
    """Name the columns by one record, which may be a field shorter than the rows."""
    fields, completed = full_header(header, layout.rows, body)
    names, _ = unique_names(fields)
    has_spare = not completed and _has_spare(header, fields, layout.rows)
    _, named = unique_names(fields[:-1] if has_spare else fields)
    is_longer = len(fields) > len(header)
    doubt = row_names_doubt(header, layout.rows) if is_longer and settled.header is None else None
    if doubt is not None:
        layout = replace(layout, guesses=(*layout.guesses, doubt))
    return replace(layout, names=names, header=header, notes=(*layout.notes, *completed, *named),
                   spare=names[-1] if has_spare else "")  # fmt: skip


def _has_spare(header: Sequence[str], fields: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether an empty field stands behind those that have a name, in the header too or in the rows only."""
    if len(fields) > len(header):
        return True
    is_named = len(header) > 1 and bool(header[-2].strip()) and not header[-1].strip()
    return is_named and all(len(row) == len(header) and not row[-1].strip() for row in rows)


def without_header(layout: TextLayout, first: tuple[str, ...], commented: tuple[str, ...]) -> TextLayout:
    """Number the columns, or name them as a comment does; the first record is a row."""
    rows = (first, *layout.rows)
    if commented:
        names, _ = unique_names(commented)
        told = TableNote("The comment above the table names the columns.", severity="warning")
        return replace(layout, names=names, rows=rows, notes=(*layout.notes, told))
    names = tuple(f"column {number}" for number in range(1, len(first) + 1))
    told = TableNote("There is no header; the columns are numbered.", severity="warning")
    return replace(layout, names=names, rows=rows, notes=(*layout.notes, told))
