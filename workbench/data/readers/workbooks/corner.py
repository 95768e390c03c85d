"""Where in a sheet the table begins: rows and columns that stand empty above and left of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.data.table import TableNote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Corner(NamedTuple):
    """The first row with several cells, and the column in which such rows begin; both from 0."""

    row: int = 0
    column: int = 0

    def cells(self, row: Sequence[str]) -> list[str]:
        """Return the cells of a row from this column on; a title further left stands in the first one."""
        if any(row[: self.column]):
            return [cell for cell in row if cell]
        return [*row[self.column :]]

    def notes(self) -> tuple[TableNote, ...]:
        """Say which columns are left out."""
        if not self.column:
            return ()
        columns = "1 empty column" if self.column == 1 else f"{self.column:,} empty columns"
        are = "is" if self.column == 1 else "are"
        begun = f"The table begins in cell {column_name(self.column)}{self.row + 1}"
        return (TableNote(f"{begun}; {columns} left of it {are} left out.", count=self.column),)


def corner_of(rows: Iterable[Sequence[str]]) -> Corner:
    """Find the corner; where no row has several cells, that of the rows with one."""
    several, single = _first(rows)
    return several or single or Corner()


def _first(rows: Iterable[Sequence[str]]) -> tuple[Corner | None, Corner | None]:
    """Return the corner of the rows with several cells, and of those with one."""
    found: list[Corner | None] = [None, None]
    for number, filled in _filled(rows):
        place = 0 if len(filled) > 1 else 1
        known = found[place]
        begins = Corner(number, filled[0])
        found[place] = begins if known is None else known._replace(column=min(known.column, filled[0]))
        if place == 0 and filled[0] == 0:
            break
    return found[0], found[1]


def _filled(rows: Iterable[Sequence[str]]) -> Iterator[tuple[int, list[int]]]:
    for number, row in enumerate(rows):
        filled = [place for place, cell in enumerate(row) if cell]
        if filled:
            yield number, filled


def column_name(place: int) -> str:
    """Return how a spreadsheet calls the column at a place from 0: A to Z, then AA."""
    name = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
