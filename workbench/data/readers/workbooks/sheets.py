"""Sheets of workbooks of any kind: the chosen one, or the one most like a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess, chosen
from workbench.data.readers.as_text import ASK_EVERY, preview_of_rows, table_of_rows
from workbench.data.readers.preview import PREVIEW_ROWS
from workbench.data.readers.workbooks.corner import corner_of
from workbench.data.readers.workbooks.merged_cells import filled_down, merged_guesses, merged_notes
from workbench.data.table import TableNote
from workbench.errors import WorkbenchError, leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.source import Cancelled, Progress, Source
    from workbench.data.readers.workbooks.merged_cells import MergedRange
    from workbench.data.table import Table

MOST_ROWS = 1 << 20
MOST_SHEETS = 1000
MOST_PREVIEWED = 20_000  # rows of a sheet, empty ones too
MOST_MEASURED = 1000  # rows, the widest of which is how wide the table is
MOST_COMPARED = 200  # rows of each sheet, where one looks for the most like a table


def check_sheets(name: str, sheets: int) -> None:
    """Refuse a workbook in which one would look for the one most like a table without end."""
    if sheets > MOST_SHEETS:
        words = f"'{name}' has {sheets:,} sheets, and {MOST_SHEETS:,} can be looked at"
        raise WorkbenchError(f"{words}. Save the one that is wanted alone.")


@dataclass(frozen=True)
class Sheet:
    """A sheet: its name, and its rows as text from the first on, as often as they are asked for.

    `remarks` are on what its file tells beside the cells; `merged` are its ranges of several rows.
    """

    name: str
    all_rows: Callable[[], Iterator[list[str]]]
    remarks: Callable[[], tuple[TableNote, ...]] = tuple
    merged: Callable[[], Sequence[MergedRange]] = tuple

    def rows(self, most: int | None = None, cancelled: Cancelled | None = None) -> Iterator[list[str]]:
        """Yield the rows without the empty cells behind the last, up to the last row that holds something.

        Only the first `most` are looked at; WorkbenchError where there are more than a sheet can have.
        """
        blank = 0  # rows
        for number, cells in enumerate(self.all_rows()):
            if number % ASK_EVERY == 0:  # also where there are only empty rows
                leave_if(cancelled)
            if number == (MOST_ROWS if most is None else most):
                if most is not None:
                    return
                last = f"{MOST_ROWS:,}, the last that a sheet can have"
                raise WorkbenchError(f"Sheet '{self.name}' names a row beyond {last}. Save it again.")
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                blank += 1
                continue
            for _ in range(blank):  # so that lines are counted as a person sees them
                yield []
            yield cells
            blank = 0

    def filled(self, ranges: Sequence[MergedRange]) -> Sheet:
        """Return the sheet with the value of each range in all its cells."""
        return replace(self, all_rows=lambda: filled_down(self.all_rows(), ranges))

    @property
    def has_cells(self) -> bool:
        """Whether one of the first rows holds something."""
        return next(self.rows(MOST_PREVIEWED), None) is not None

    @property
    def n_table_cells(self) -> int:
        """Number of cells in those of the first rows that hold several."""
        filled = (sum(map(bool, cells)) for cells in islice(self.rows(MOST_PREVIEWED), MOST_COMPARED))
        return sum(number for number in filled if number > 1)

    @property
    def has_more(self) -> bool:
        """Whether there are rows beyond those that a preview looks at."""
        return next(islice(self.all_rows(), MOST_PREVIEWED, None), None) is not None


def table_of_sheets(
    source: Source, sheets: Sequence[Sheet], options: ReadOptions, progress: Progress | None,
    cancelled: Cancelled | None,
) -> Table:  # fmt: skip
    """Read the wanted sheet, or the one that looks most like a table."""
    part = _most_like_table(sheets, cancelled) if options.part is None else options.part
    found = _chosen(source, sheets, part, options.merged, cancelled=cancelled)
    table = table_of_rows(source, found.rows, options, progress, cancelled)
    table = replace(table, notes=(*found.notes, *table.notes))
    others = [other.name for other in sheets if other.name != found.name]
    if not others or options.part is not None:
        return table
    listed = ", ".join(f"'{other}'" for other in others)
    note = TableNote(f"Sheet '{found.name}' is read; the workbook also has {listed}.", severity="warning")
    return replace(table, notes=(note, *table.notes))


def _most_like_table(sheets: Sequence[Sheet], cancelled: Cancelled | None = None) -> str | None:
    """Return the sheet with the most cells in rows of several, of equals the first; None if all are empty."""
    best, most = None, -1
    for sheet in sheets:
        leave_if(cancelled)
        cells = sheet.n_table_cells
        if cells > most and sheet.has_cells:
            best, most = sheet.name, cells
    return best


def preview_of_sheets(
    source: Source, sheets: Sequence[Sheet], options: ReadOptions, cancelled: Cancelled | None = None
) -> Preview:
    """Read the first rows of the wanted sheet, or of the one that looks most like a table."""
    parts = tuple(one.name for one in sheets if one.has_cells)
    part = _most_like_table(sheets) if options.part is None else options.part
    found = _chosen(source, sheets, part, options.merged, most=MOST_PREVIEWED)
    first = list(islice(found.rows, PREVIEW_ROWS + 1))
    is_whole = len(first) <= PREVIEW_ROWS and not found.has_more
    seen = preview_of_rows(source, first, options, is_whole, cancelled)
    seen = replace(seen, table=replace(seen.table, notes=(*found.notes, *seen.table.notes)))
    guess = chosen("part", found.name)
    if options.part is None:
        reason = "It is the only sheet with something in it."
        if len(parts) > 1:
            reason = f"Of {len(parts)} sheets with something in them '{found.name}' looks most like a table."
        guess = Guess("part", found.name, reason, len(parts) > 1)
    return replace(seen, guesses=(guess, *found.guesses, *seen.guesses), parts=parts)


class _Found(NamedTuple):
    """The sheet that is read: its rows from its corner on, whether there are more, what is said and asked."""

    name: str
    rows: Iterator[list[str]]
    has_more: bool
    notes: tuple[TableNote, ...]
    guesses: tuple[Guess, ...]


def _chosen(
    source: Source, sheets: Sequence[Sheet], part: str | None, fill: bool | None, *, most: int | None = None,
    cancelled: Cancelled | None = None,
) -> _Found:  # fmt: skip
    """Return the wanted sheet, or the first with cells in it; `fill` as in `ReadOptions.merged`."""
    if part is not None and all(sheet.name != part for sheet in sheets):
        listed = ", ".join(f"'{sheet.name}'" for sheet in sheets)
        raise WorkbenchError(f"'{source.name}' has no sheet '{part}'. It has {listed}.")
    for sheet in sheets:
        leave_if(cancelled)
        if part in (None, sheet.name):
            rows = sheet.rows(most, cancelled)
            first = list(islice(rows, MOST_MEASURED))
            if first:
                corner = corner_of(first)
                merged = [one for one in sheet.merged() if one.first_row > corner.row]
                if fill and merged:
                    rows = sheet.filled(merged).rows(most, cancelled)
                    first = list(islice(rows, MOST_MEASURED))
                if corner.column:  # a later row may begin further left
                    corner = corner_of(sheet.rows(most, cancelled))
                    first, rows = [corner.cells(row) for row in first], map(corner.cells, rows)
                notes = (*corner.notes(), *merged_notes(merged, fill), *sheet.remarks())
                has_more = most is not None and sheet.has_more
                guesses = merged_guesses(merged, fill)
                return _Found(sheet.name, _filled(first, rows), has_more, notes, guesses)
    empty = "no sheet with cells in it" if part is None else f"no cells in its sheet '{part}'"
    raise WorkbenchError(f"'{source.name}' has {empty}. Choose another one.")


def _filled(first: list[list[str]], rest: Iterator[list[str]]) -> Iterator[list[str]]:
    """Fill every row up to the widest of the first ones, or above it: also a header without a last name.

    Rows that hold nothing stay so; of a sheet of one column, where they would be cells, they are left out.
    """
    width = max(map(len, first))
    for row in chain(first, rest):
        width = max(width, len(row))
        if row:
            yield row + [""] * (width - len(row))
        elif width > 1:
            yield row
