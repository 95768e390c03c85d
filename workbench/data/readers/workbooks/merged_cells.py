"""Cells of a sheet merged over several rows: only the first of them holds the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.guess import Guess, chosen
from workbench.data.readers.workbooks.corner import column_name
from workbench.data.table import TableNote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class MergedRange(NamedTuple):
    """A range of cells: its first and last row and column, from 0."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int

    @property
    def name(self) -> str:
        """What a spreadsheet calls it."""
        first = f"{column_name(self.first_column)}{self.first_row + 1}"
        return f"{first}:{column_name(self.last_column)}{self.last_row + 1}"

    @property
    def cells_below(self) -> int:
        """How many of its cells stand below its first row."""
        return (self.last_row - self.first_row) * (self.last_column - self.first_column + 1)


def merged_notes(ranges: Sequence[MergedRange], fill: bool | None) -> tuple[TableNote, ...]:
    """Say which cells are missing as they are merged, or that they are filled."""
    if not ranges:
        return ()
    text = _filled(ranges) if fill else f"{_missing(ranges)} Where each row is meant, let them be filled."
    return (TableNote(text, count=_count(ranges), severity="info" if fill else "warning"),)


def merged_guesses(ranges: Sequence[MergedRange], fill: bool | None) -> tuple[Guess, ...]:
    """Ask whether they are to be filled, where there are some."""
    if not ranges:
        return ()
    if fill is not None:
        return (chosen("merged", fill),)
    return (Guess("merged", False, _missing(ranges), doubtful=True),)


def filled_down(rows: Iterable[list[str]], ranges: Sequence[MergedRange]) -> Iterator[list[str]]:
    """Yield the rows, with the value of each range in every empty cell of it."""
    waiting = sorted(ranges, reverse=True)
    filling: dict[int, tuple[int, str]] = {}  # by column: the last row, and the value
    for number, row in enumerate(rows):
        while waiting and waiting[-1].first_row == number:
            one = waiting.pop()
            if value := row[one.first_column] if one.first_column < len(row) else "":
                columns = range(one.first_column, one.last_column + 1)
                filling |= dict.fromkeys(columns, (one.last_row, value))
        filling = {column: held for column, held in filling.items() if held[0] >= number}
        row += [""] * (max(filling, default=-1) + 1 - len(row))
        for column, (_, value) in filling.items():
            row[column] = row[column] or value
        yield row


def _count(ranges: Sequence[MergedRange]) -> int:
    return sum(one.cells_below for one in ranges)


def _missing(ranges: Sequence[MergedRange]) -> str:
    return (
        f"Cells merged over several rows have their value in the first row alone: {_cells(ranges)} read as "
        f"missing, first in {min(ranges).name}."
    )


def _filled(ranges: Sequence[MergedRange]) -> str:
    return (
        f"Cells merged over several rows hold their value in each of them: {_cells(ranges)} filled, first in "
        f"{min(ranges).name}."
    )


def _cells(ranges: Sequence[MergedRange]) -> str:
    count = _count(ranges)
    return "1 cell is" if count == 1 else f"{count:,} cells are"
