"""The columns of a text table: grown block by block, read again where numbers are none, and finished."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.data.remarks import column_remarks
from workbench.data.text.growing_columns import GrowingColumns
from workbench.data.text.notes import digit_notes
from workbench.data.text.stream.ahead import work_ahead
from workbench.data.values.column_types import infer
from workbench.data.values.columns import on_disk
from workbench.errors import leave_if

if TYPE_CHECKING:
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.row_sample import RowSample
    from workbench.data.table import Column, TableNote
    from workbench.data.text.blocks.record_block import RecordBlock
    from workbench.data.text.reading_plan import ReadingPlan
    from workbench.data.text.row_text import Piece, RowText
    from workbench.data.text.rows_read import RowsRead
    from workbench.data.text.spare_column import SpareColumn
    from workbench.data.text.stream.recoded import Recoded

MANY_ROWS = 1 << 16  # of which columns are finished by several threads


class TableColumns:
    """All columns of one table.

    Parameters
    ----------
    plan : ReadingPlan
    rows : RowsRead
        Which count what is read.
    spare : SpareColumn
        Which looks at every block.
    recoded : Recoded, optional
        Which counts cells that show another encoding.
    cancelled : callable () -> bool, optional
        Asked before each column is finished.
    """

    def __init__(
        self, plan: ReadingPlan, rows: RowsRead, spare: SpareColumn, recoded: Recoded | None,
        cancelled: CancelledQuestion | None,
    ) -> None:  # fmt: skip
        self._plan, self._rows, self._spare = plan, rows, spare
        self._recoded, self._cancelled = recoded, cancelled
        name, width = plan.source.name, len(plan.layout.names)
        self._growing = GrowingColumns(name, width, plan.options, is_beginning=plan.most is not None)
        self._careful: set[int] = set()  # blocks in which a record was irregular

    @property
    def sample(self) -> RowSample | None:
        """The rows that were drawn, where not all are wanted."""
        return self._growing.sample

    def read(self, text: RowText) -> set[int]:
        """Read every block; return the columns that turned out not to be numbers."""
        plan, wrong = self._plan, set[int]()

        def parse(piece: Piece) -> tuple[RecordBlock, Piece]:
            return piece.parsed(plan.parser(plan.numbers - wrong, plan.texts, plan.codes)), piece

        for index, (block, piece) in enumerate(work_ahead(parse, text)):
            wrong |= block.not_numbers
            self._spare.see(block)
            if block.careful:
                self._careful.add(index)
            if index == 0:
                self._growing.begin(block, piece.share, plan.numbers, plan.texts)
            self._rows.add(block)
            self._growing.add(block)
            self._rows.tell(piece.share)
        self._growing.end()
        return wrong

    def read_again(self, text: RowText, places: set[int]) -> None:
        """Read as text the columns in which a number was none."""
        parser = self._plan.parser(frozenset(), frozenset(places))
        self._growing.begin_again(places)
        for index, piece in enumerate(text):
            self._growing.add_again(piece.parsed(parser, careful=index in self._careful))

    def finish(self) -> tuple[list[Column], list[TableNote]]:
        """Return the columns, and notes on them."""
        columns, notes, space = [], [], self._growing.space
        first = enumerate(self._plan.first_rows.shown(self._rows.count))
        by_threads = self._rows.count >= MANY_ROWS and self._recoded is None
        for column, found in (work_ahead if by_threads else map)(self._finished, first):
            columns.append(column if space is None else on_disk(column, space))
            notes += found + column_remarks(column)
        return columns, notes

    def _finished(self, seen: tuple[int, tuple[str, ...]]) -> tuple[Column, list[TableNote]]:
        """Return the column at a place, and notes on it; beside the place stand its first cells."""
        leave_if(self._cancelled)
        plan, (place, cells) = self._plan, seen
        name = plan.layout.names[place]
        kind = plan.options.kind_of(name)
        if (numbers := self._growing.numbers(place)) is not None:
            as_numbers = kind == "number" or not plan.rules.finds_days
            column, notes = numbers.finish(name, plan.codes, as_numbers=as_numbers)
            if any("." in cell for cell in cells):
                column = replace(column, writing=replace(column.writing, decimal="."))
            return column, notes + digit_notes(column, cells)
        labels = self._growing.labels(place)
        if self._recoded is not None:
            self._recoded.count(name, labels)
        return infer(name, labels, plan.rules, kind)
