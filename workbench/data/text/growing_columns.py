"""The columns of a text table while they grow: room is asked for, rows are drawn, blocks are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.column_parts import NumberParts, TextParts
from workbench.data.room import DRAWN, LEAST_TEXT, AwaitedRows, ask_for_rows, bytes_of_texts
from workbench.data.row_sample import RowSample
from workbench.mapped import MappedSpace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.data.readers.options import ReadOptions
    from workbench.data.text.blocks.record_block import RecordBlock
    from workbench.data.values.labels import Labels

ROOM = 1.1  # for as many rows as the first block makes us expect


class GrowingColumns:
    """The columns of one table, by place.

    Parameters
    ----------
    name : str
        Of the table.
    width : int
        Columns that it has.
    options : ReadOptions
        Which say whether rows are drawn, and columns kept on disk.
    is_beginning : bool
        Whether only the first rows are read, so that there is room for them.

    Attributes
    ----------
    sample : RowSample or None
        Of the rows that were added.
    space : MappedSpace or None
        Where the columns stand instead of in memory.
    """

    def __init__(self, name: str, width: int, options: ReadOptions, *, is_beginning: bool) -> None:
        self._name, self._width, self._options, self._is_beginning = name, width, options, is_beginning
        self.sample: RowSample | None = None
        if options.is_sample and not is_beginning:
            self.sample = RowSample(options.sample_rows, options.sample_share or 1.0)
        self.space: MappedSpace | None = None
        if options.map_folder is not None and not is_beginning:
            self.space = MappedSpace(options.map_folder)
        self._numbers: dict[int, NumberParts] = {}
        self._texts: dict[int, TextParts] = {}
        self._rows = 0
        self._asked = self._at_once = 0  # rows for which there was room, and of the first block
        self._text_per_row = self._asked_text = 0.0  # bytes
        self._rows_again = self._held_again = 0  # of columns that are begun again

    def begin(self, first: RecordBlock, share: float, numbers: Iterable[int], texts: Iterable[int]) -> None:
        """Ask for the memory of as many rows as the first block makes us expect, a share of the file."""
        new = (found.texts for found in first.texts.values() if 2 * len(found.texts) > first.n_rows)
        self._text_per_row = sum(map(bytes_of_texts, new)) / max(first.n_rows, 1)
        rows = round(first.n_rows / share) if share else first.n_rows
        self._at_once = first.n_rows
        if self._options.sample_rows is None and self.sample is not None:
            rows = round(rows * (self._options.sample_share or 1.0))
        expected = int(ROOM * self._ask_for(rows))
        self._numbers = {place: NumberParts(expected, self.space) for place in numbers}
        self._texts = {place: TextParts(expected, self.space) for place in texts}

    def add(self, block: RecordBlock) -> None:
        """Add the rows of a block that are drawn, or all; forget columns in which a number is none."""
        for place in block.not_numbers:
            self._numbers.pop(place, None)
        self._rows += block.n_rows
        if self.sample is not None:
            block = block.rows(self.sample.draw(block.n_rows))
        self._ask_for_more(self._rows if self.sample is None else len(self.sample.rows))
        for place, values in block.numbers.items():
            if place in self._numbers:
                self._numbers[place].add(values, block.digits.get(place))
        self._add_texts(block)
        self._leave_out()

    def end(self) -> None:
        """Keep no more rows than are wanted."""
        self._leave_out(at_end=True)

    def begin_again(self, places: Iterable[int]) -> None:
        """Begin columns as text."""
        self._rows_again = self._held_again = 0
        self._texts |= {place: TextParts(self._rows, self.space) for place in places}

    def add_again(self, block: RecordBlock) -> None:
        """Add a block of the columns that were begun again, of a sample the same rows."""
        first, self._rows_again = self._rows_again, self._rows_again + block.n_rows
        if self.sample is not None:
            block = block.rows(self.sample.places_in(first, block.n_rows))
        self._held_again += block.n_rows
        self._ask_for_more(self._held_again)
        self._add_texts(block)

    def numbers(self, place: int) -> NumberParts | None:
        """Give out a column of numbers, and forget it."""
        return self._numbers.pop(place, None)

    def labels(self, place: int) -> Labels:
        """Give out a column of text, and forget it."""
        return self._texts.pop(place).finish()

    def _add_texts(self, block: RecordBlock) -> None:
        for place, labels in block.texts.items():
            if place in self._texts:
                self._texts[place].add(labels.texts, labels.codes)

    def _ask_for(self, rows: int, held: int = 0) -> int:
        """Ask for the memory of so many rows, at most those of a sample, and return how many these are.

        Where some are held already, the table has more than was expected.
        """
        if self._options.sample_rows is not None:
            rows = min(rows, DRAWN * self._options.sample_rows + self._at_once)
        if not self._is_beginning:
            ask_for_rows(
                AwaitedRows(
                    self._name, rows, self._width, self._text_per_row, held, is_least=bool(held),
                    at_once=self._at_once,
                ), self.space,
            )  # fmt: skip
        self._asked = int(ROOM * rows)
        self._asked_text = ROOM * rows * self._text_per_row + LEAST_TEXT
        return rows

    def _ask_for_more(self, held: int) -> None:
        """Ask again where there are more rows, or more text in them, than was expected."""
        text = sum(parts.text_bytes for parts in self._texts.values())
        if held > self._asked or text > self._asked_text:
            self._text_per_row = max(self._text_per_row, text / max(held, 1))
            self._ask_for(2 * held, held)

    def _leave_out(self, *, at_end: bool = False) -> None:
        """Forget rows of which a sample has drawn too many."""
        chosen = None if self.sample is None else self.sample.keeping(at_end=at_end)
        if chosen is not None:
            for numbers in self._numbers.values():
                numbers.keep(chosen)
            for texts in self._texts.values():
                texts.keep(chosen)
