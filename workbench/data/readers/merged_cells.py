"""Cells of a sheet merged over several rows: only the first of them holds the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.table import Note

if TYPE_CHECKING:
    from collections.abc import Iterable


class MergedRange(NamedTuple):
    """A range of cells: its name, its first row from 1, and how many of its cells stand below that."""

    name: str
    first_row: int
    cells_below: int


def merged_notes(ranges: Iterable[MergedRange], head_row: int) -> tuple[Note, ...]:
    """Say which cells below the head of a table, in row `head_row` from 1, are missing as they are merged."""
    count, first = 0, None
    for one in ranges:
        if one.first_row > head_row:
            count += one.cells_below
            first = one if first is None or one.first_row < first.first_row else first
    if first is None:
        return ()
    cells = "1 cell is" if count == 1 else f"{count:,} cells are"
    text = (
        f"Cells merged over several rows have their value in the first row alone: {cells} read as missing, "
        f"first in {first.name}. Where each row is meant, split them and fill them down in a spreadsheet."
    )
    return (Note(text, count=count, severity="warning"),)
