"""Cells that are too long to be one of a table: whole files that stand where a text should."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_CELL = 1 << 24  # bytes, or characters


def check_cells(cells: Sequence[str], row: int) -> int:
    """Return the characters of a row's cells; WorkbenchError where one has too many."""
    total = sum(map(len, cells))
    if total > LONGEST_CELL:
        place = next((place for place, cell in enumerate(cells) if len(cell) > LONGEST_CELL), None)
        if place is not None:
            raise too_long(f"row {row:,}, column {place + 1:,}")
    return total


def too_long(where: str) -> WorkbenchError:
    """Say where such a cell is."""
    return WorkbenchError(
        f"The cell in {where} takes more than {LONGEST_CELL >> 20} MB, which no table needs. "
        "Shorten it, or leave the column out."
    )
