"""In which line a table begins: below titles, at the names or the first row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess, chosen
from workbench.data.table import TableNote
from workbench.data.text.layout.header import grouped_names
from workbench.data.text.layout.titles import count_titles, has_group_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.text.layout.record import Record
    from workbench.data.text.layout.settled import Settled
    from workbench.data.text.layout.start import TableStart


class BegunTable(NamedTuple):
    """The records of a table from the names on, or from the first row where it has none.

    Attributes
    ----------
    records : sequence of Record
    grouped : tuple of str, optional
        The names with those of the groups in a line above them.
    by : Guess
        Why it begins there.
    notes : tuple of TableNote
        What was left out above it.
    """

    records: Sequence[Record]
    grouped: tuple[str, ...] | None
    by: Guess
    notes: tuple[TableNote, ...]

    @property
    def first(self) -> tuple[str, ...]:
        """Fields of the first record."""
        return self.records[0].fields

    @property
    def others(self) -> list[tuple[str, ...]]:
        """Fields of the others."""
        return [record.fields for record in self.records[1:]]


def find_first_line(records: Sequence[Record], start: TableStart, settled: Settled) -> BegunTable:
    """Leave out titles above a table."""
    if settled.first_line:
        titles = int(settled.header is not False and has_group_line(records))
    else:
        titles = count_titles(records, named=settled.header)
    grouped = grouped_names(records[titles - 1].fields, records[titles].fields) if titles else None
    by, notes = _told(records, titles - (grouped is not None), start, settled.first_line)
    return BegunTable(records[titles:], grouped, by, notes)


def _told(
    records: Sequence[Record], titles: int, start: TableStart, wanted: int | None
) -> tuple[Guess, tuple[TableNote, ...]]:
    """Say in which line the table begins, and what was left out above it."""
    if wanted is not None:
        return chosen("first_line", wanted), ()
    line = start.skipped + lines_before(records[titles]) + 1
    if not titles:
        return Guess("first_line", line, "No line above it looks like a title."), ()
    lines = "1 line above the table is" if titles == 1 else f"{titles} lines above the table are"
    shown = " ".join(filter(None, map(str.strip, records[0].fields)))[:60]
    text = f"{lines} left out ('{shown}'); it begins in line {line}."
    return Guess("first_line", line, text, doubtful=True), (
        TableNote(text, count=titles, severity="warning"),
    )


def lines_before(record: Record) -> int:
    """Return how many lines of the text stand above a record."""
    return record.last_line - 1 - sum(field.count("\n") for field in record.fields)
