"""What the first rows of a text table say of its columns, before the others are read."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING

from workbench.data.text.blocks.no_rows import is_comment
from workbench.data.values import numerals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.readers.options import ReadOptions
    from workbench.data.text.layout.layout import TextLayout


class FirstRows:
    """The first rows, by column.

    Attributes
    ----------
    rules : CellRules
        How cells are read, the first ones and all others.
    """

    def __init__(self, layout: TextLayout, options: ReadOptions) -> None:
        self._layout, self._options = layout, options
        self._cells = _by_column(layout.rows, len(layout.names))
        self.rules = options.cell_rules.for_cells(self._cells)

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Places of the columns whose first cells are plain numbers, as which the others can be parsed."""
        return frozenset(filter(self._starts_with_numbers, range(len(self._layout.names))))

    def _starts_with_numbers(self, place: int) -> bool:
        name = self._layout.names[place]
        if self._options.kind_of(name) not in (None, "number"):
            return False
        if self.rules.decimal is None and self.rules.writing_of(name).decimal == ",":
            return False  # 1.234 may be thousands
        decimal = self.rules.decimal or "."
        cells = (cell.strip() for cell in self._cells[place])
        return all(numerals.is_plain(cell, decimal) or self.rules.is_missing(cell) for cell in cells)

    def codes_among(self, numbers: frozenset[int]) -> tuple[str, ...]:
        """Return the codes for missing in some columns of numbers, and those that are settled."""
        found = set(chain.from_iterable(self._cells[place] for place in numbers))
        cells = {cell.strip() for cell in found}
        return tuple(sorted(cells & self.rules.missing - {""} | set(self._options.missing or ())))

    def shown(self, rows: int) -> tuple[tuple[str, ...], ...]:
        """Return the cells of at most so many rows as they stand, column by column."""
        layout, width = self._layout, len(self._layout.names)
        found = [row for row in layout.rows_below_header if not is_comment(row, layout)]
        filled = ([*row, *repeat("", width - len(row))][:width] for row in found[:rows])
        return tuple(zip(*filled, strict=True)) or ((),) * width


def _by_column(rows: Sequence[Sequence[str]], width: int) -> list[tuple[str, ...]]:
    """Return the cells of each column; a row that is too short has none in the last ones."""
    if rows and all(len(row) == width for row in rows):
        return list(zip(*rows, strict=True))
    return [tuple(row[place] for row in rows if place < len(row)) for place in range(width)]
