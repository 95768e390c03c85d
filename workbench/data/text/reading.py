"""One reading of a text table: as a whole, row by row, or block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.guess import Guess, chosen
from workbench.data.remarks import table_remarks, wrong_suffix_notes
from workbench.data.table import Table, TableNote
from workbench.data.text.ending_ahead import ending_ahead
from workbench.data.text.layout.footer_words import footer_guess, footer_notes
from workbench.data.text.layout.footers import Ending
from workbench.data.text.notes import encoding_notes, nul_notes, rewritten_notes
from workbench.data.text.reading_plan import ReadingPlan
from workbench.data.text.rows_read import RowsRead
from workbench.data.text.spare_column import SpareColumn
from workbench.data.text.table_columns import TableColumns
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress, Source
    from workbench.data.row_sample import RowSample
    from workbench.data.text.blocks.record_block import RecordBlock
    from workbench.data.text.row_text import RowText
    from workbench.data.text.stream.compression import Head
    from workbench.data.text.stream.recoded import Recoded

FEW_BYTES = 1 << 13  # for which calling pandas takes longer than to look at records one by one


class Reading:
    """One reading of one file, or of its first `most` bytes, in one encoding.

    Attributes
    ----------
    layout : TextLayout
    rules : CellRules
        How its cells are read.
    is_cut : bool
        Whether more follows what was read.
    sha256 : str
        Of the file, once its rows were handed over.
    """

    def __init__(
        self,
        source: Source,
        head: Head,
        encoding: str,
        options: ReadOptions,
        most: int | None,
        progress: Progress | None,
        cancelled: CancelledQuestion | None,
        recoded: Recoded | None = None,
    ) -> None:
        self._plan = ReadingPlan.of(source, head, encoding, options, most)
        self.layout, self.rules = self._plan.layout, self._plan.rules
        self._recoded, self._cancelled = recoded, cancelled
        self._rows = RowsRead(progress)
        self._spare = SpareColumn(self.layout, self.rules)
        self._text: RowText | None = None  # that was begun first
        self.is_cut = False
        self.sha256 = ""

    @property
    def rows(self) -> int:
        """Rows that were read so far."""
        return self._rows.count

    def table(self) -> Table:
        """Read everything."""
        source, text = self._plan.source, self._begin()
        self._spare.begin(is_wanted=self._plan.options.names_column(self.layout.names[-1]))
        found = TableColumns(self._plan, self._rows, self._spare, self._recoded, self._cancelled)
        if wrong := found.read(text):
            again = self._plan.text(self._cancelled)
            found.read_again(again, wrong)
            if again.stream.sha256 != text.stream.sha256:
                raise WorkbenchError(f"'{source.name}' changed while it was read. Read it again.")
        self.is_cut = text.stream.is_cut
        self._check_rows(found.sample)
        columns, notes = found.finish()
        if self._spare.is_left_out:
            notes = [note for note in notes if note.column != columns[-1].name]
            columns.pop()
        notes = [*self._file_notes(text, found.sample), *table_remarks(columns), *notes]
        return Table(source.name, tuple(columns), tuple(notes), str(source.path), text.stream.sha256)

    def hand_rows(self, take: Callable[[Iterable[tuple[str, ...]]], None]) -> tuple[TableNote, ...]:
        """Hand over every row as text, block by block, and return notes on what was repaired."""
        text = self._begin()
        parser = self._plan.parser(frozenset(), frozenset(range(len(self.layout.names))))
        for piece in text:
            block = piece.parsed(parser, careful=len(piece.data) < FEW_BYTES)
            self._count(block)
            labels = [block.texts[place] for place in range(len(block.texts))]
            columns = [np.array([*found.texts, ""], dtype=object)[found.codes] for found in labels]
            take(zip(*columns, strict=True))
            self._rows.tell(piece.share)
        self.sha256 = text.stream.sha256
        return self.notes()

    def blocks(self, numbers: frozenset[int], texts: frozenset[int]) -> Iterator[RecordBlock]:
        """Yield every block: columns at `numbers` as float64 for as long as all are plain, or as text.

        Those at `texts` are there as text in any case.
        """
        if self._plan.options.is_sample:
            raise WorkbenchError("Every row is predicted. Leave the sample out.")
        plain = numbers & self._plan.numbers
        for piece in self._begin():
            parser = self._plan.parser(plain, (numbers | texts) - plain, self._plan.codes)
            block = piece.parsed(parser)
            plain = plain.difference(block.not_numbers)
            if again := frozenset(block.not_numbers) | (plain & texts):
                parser = self._plan.parser(frozenset(), again)
                block.texts |= piece.parsed(parser, careful=block.careful).texts
            self._count(block)
            yield block
            self._rows.tell(piece.share)

    def first_texts(self) -> tuple[tuple[str, ...], ...]:
        """Return the cells of the first rows as they stand, column by column."""
        return self._plan.first_rows.shown(self.rows)

    def notes(self) -> tuple[TableNote, ...]:
        """Return what was repaired in the rows that were gone through."""
        return () if self._text is None else tuple(self._file_notes(self._text))

    def footer_guess(self) -> Guess:
        """Say what was found below the table."""
        footer = self._plan.options.footer
        if footer is not None:
            return chosen("footer", footer)
        if self.is_cut:
            return footer_guess(ending_ahead(self._plan.source, self.layout, footer), counted=False)
        return footer_guess(Ending(0) if self._text is None else self._text.ending, counted=True)

    def _begin(self) -> RowText:
        self._text = self._plan.text(self._cancelled)
        return self._text

    def _check_rows(self, sample: RowSample | None) -> None:
        if not self.rows:
            name = self._plan.source.name
            raise WorkbenchError(f"'{name}' has a header but no rows. Choose a file with rows.")
        if sample is not None and not len(sample.rows):
            raise WorkbenchError(f"Of {self.rows:,} rows none was drawn. Draw a larger sample.")

    def _count(self, block: RecordBlock) -> None:
        if self._recoded is not None:
            for place, labels in block.texts.items():
                self._recoded.count(self.layout.names[place], labels, self.rows)
        self._rows.add(block)

    def _file_notes(self, text: RowText, sample: RowSample | None = None) -> Iterator[TableNote]:
        source, layout = self._plan.source, self.layout
        if self._recoded is not None:
            yield self._recoded.note()
        yield from wrong_suffix_notes(source.path, source.head)
        yield from layout.notes
        yield from self._spare.notes()
        yield from rewritten_notes(layout, text.stream)
        yield from footer_notes(text.ending)
        yield from self._rows.repairs.notes()
        if sample is not None:
            yield sample.note(self.rows)
        yield from nul_notes(text.stream)
        yield from encoding_notes(layout.encoding, chosen=self._plan.options.encoding is not None)
