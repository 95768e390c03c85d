"""One reading of a text table: its blocks parsed, its columns put together."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, reduce
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.guess import Guess, chosen
from workbench.data.remarks import column_remarks, table_remarks, wrong_suffix_notes
from workbench.data.room import check_unfolding
from workbench.data.table import Column, Note, Table
from workbench.data.text.blocks.block_parser import BlockParser
from workbench.data.text.blocks.line_repairs import LineRepairs
from workbench.data.text.blocks.no_rows import is_comment
from workbench.data.text.blocks.record_frame import WIDE
from workbench.data.text.growing_columns import GrowingColumns
from workbench.data.text.layout.find_layout import find_layout, with_lines
from workbench.data.text.layout.footer_words import footer_guess, footer_notes
from workbench.data.text.layout.footers import Ending, Footers
from workbench.data.text.layout.open_quote import OpenQuote
from workbench.data.text.notes import digit_notes, encoding_notes, nul_notes, rewritten_notes
from workbench.data.text.spare_column import SpareColumn
from workbench.data.text.stream.ahead import work_ahead
from workbench.data.text.stream.compression import BLOCK_BYTES, is_packed
from workbench.data.text.stream.records import count_lines
from workbench.data.text.stream.text_stream import TextStream, plain_line_ends
from workbench.data.values import numerals
from workbench.data.values.column_types import infer
from workbench.data.values.columns import on_disk
from workbench.errors import WorkbenchError, leave_if
from workbench.kernels.cache import kernels_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress, Source
    from workbench.data.row_sample import RowSample
    from workbench.data.text.blocks.record_block import Block
    from workbench.data.text.stream.compression import Head
    from workbench.data.text.stream.recoded import Recoded

FEW_BYTES = 1 << 13  # for which calling pandas takes longer than to look at records one by one
KERNEL_BYTES = 1 << 26  # a file for which compiling them pays
TAIL_BYTES = 1 << 16  # of a long file, in which its end is looked for ahead
BLOCK_ROWS = 64  # at least, of which a block is made
LARGEST_BLOCK = 1 << 25
MANY_ROWS = 1 << 16  # of which columns are finished by several threads
ENDING_BYTES = 1 << 13  # what stands below a table; a last block so short is read with the one before


class _Piece(NamedTuple):
    """Whole records: their text, the line in which it begins, and what share of the file is read with it.

    Some lines may be empty as nothing was left of them; these are no gaps.
    """

    data: bytes
    line: int
    n_lines: int
    share: float
    emptied: Sequence[int] = ()

    def join(self, below: _Piece) -> _Piece:
        """Return this piece with the one that stands below it."""
        return _Piece(
            self.data + below.data, self.line, self.n_lines + below.n_lines, below.share,
            (*self.emptied, *below.emptied),
        )


class Reading:
    """One reading of one file, or of its first `most` bytes, in one encoding.

    Attributes
    ----------
    layout : Layout
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
        self._source = source
        self._recoded = recoded
        self._options = options
        self._most = most and with_lines(head.data, most)
        self.is_cut = False
        self.sha256 = ""
        self._progress = progress
        self._cancelled = cancelled
        whole = head.is_whole
        self.layout = find_layout(
            head.data, source.name, encoding, whole=whole, separator=options.separator, header=options.header,
            units=options.units, first_line=options.first_line, footer=options.footer,
            known=frozenset(name.strip() for name, _ in options.known or ()),
        )  # fmt: skip
        width = len(self.layout.names)
        columns = frozenset(range(width))
        self._head_cells = _by_column(self.layout.rows, width)
        self.rules = options.cell_rules.for_cells(self._head_cells)
        as_text = whole and width <= WIDE  # a short table
        self._numbers = frozenset() if as_text else frozenset(filter(self._starts_with_numbers, columns))
        self._texts = columns - self._numbers
        self._growing = GrowingColumns(source.name, width, options, is_beginning=most is not None)
        self._some_rows = BLOCK_ROWS * len(head.data) // max(len(self.layout.rows), 1)  # their bytes
        self._by_kernel = source.size >= KERNEL_BYTES or (not whole and kernels_ready(rare=True))
        self._spare = SpareColumn(self.layout, self.rules)
        self._ending = Ending(0)
        self._careful: set[int] = set()
        self._repairs = LineRepairs()
        self._rows = 0
        self._gone_through: TextStream | None = None

    def table(self) -> Table:
        """Read everything."""
        stream = self._stream()
        self._spare.begin(is_wanted=self._options.names_column(self.layout.names[-1]))
        wrong = self._read_all(stream)
        if wrong and self._read_as_text(wrong) != stream.sha256:
            raise WorkbenchError(f"'{self._source.name}' changed while it was read. Read it again.")
        if not self._rows:
            raise WorkbenchError(f"'{self._source.name}' has a header but no rows. Choose a file with rows.")
        sample = self._growing.sample
        if sample is not None and not len(sample.rows):
            raise WorkbenchError(f"Of {self._rows:,} rows none was drawn. Draw a larger sample.")
        columns, notes = self._columns()
        if self._spare.is_left_out:
            notes = [note for note in notes if note.column != columns[-1].name]
            columns.pop()
        notes = [*self._file_notes(stream, sample), *table_remarks(columns), *notes]
        path = self._source.path
        return Table(self._source.name, tuple(columns), tuple(notes), str(path), stream.sha256)

    def hand_rows(self, take: Callable[[Iterable[tuple[str, ...]]], None]) -> tuple[Note, ...]:
        """Hand over every row as text, block by block, and return notes on what was repaired."""
        stream = self._stream()
        parser = self._parser(frozenset(), frozenset(range(len(self.layout.names))), ())
        for piece in self._weighed(stream):
            careful = len(piece.data) < FEW_BYTES
            block = parser.parse(
                piece.data, piece.line, piece.n_lines, careful=careful, emptied=piece.emptied
            )
            self._count_recoded(block)
            labels = [block.texts[place] for place in range(len(block.texts))]
            columns = [np.array([*found.texts, ""], dtype=object)[found.codes] for found in labels]
            take(zip(*columns, strict=True))
            self._count(block)
            self._tell(piece.share)
        self.sha256 = stream.sha256
        return tuple(self._file_notes(stream))

    def blocks(self, numbers: frozenset[int], texts: frozenset[int]) -> Iterator[Block]:
        """Yield every block: columns at `numbers` as float64 for as long as all are plain, or as text.

        Those at `texts` are there as text in any case.
        """
        if self._growing.sample is not None:
            raise WorkbenchError("Every row is predicted. Leave the sample out.")
        stream = self._gone_through = self._stream()
        plain, codes = numbers & self._numbers, self._codes_in_head
        for piece in self._weighed(stream):
            parser = self._parser(plain, (numbers | texts) - plain, codes)
            block = parser.parse(piece.data, piece.line, piece.n_lines, emptied=piece.emptied)
            plain = plain.difference(block.not_numbers)
            if again := frozenset(block.not_numbers) | (plain & texts):
                parser = self._parser(frozenset(), again, ())
                careful = block.careful
                block.texts |= parser.parse(piece.data, piece.line, piece.n_lines, careful=careful).texts
            self._count_recoded(block)
            self._count(block)
            yield block
            self._tell(piece.share)

    @property
    def rows(self) -> int:
        """Rows that were read so far."""
        return self._rows

    def notes(self) -> tuple[Note, ...]:
        """Return what was repaired in the blocks that were gone through."""
        return () if self._gone_through is None else tuple(self._file_notes(self._gone_through))

    def _count_recoded(self, block: Block) -> None:
        if self._recoded is not None:
            for place, labels in block.texts.items():
                self._recoded.count(self.layout.names[place], labels, self._rows)

    def _file_notes(self, stream: TextStream, sample: RowSample | None = None) -> Iterator[Note]:
        if self._recoded is not None:
            yield self._recoded.note()
        yield from wrong_suffix_notes(self._source.path, self._source.head)
        yield from self.layout.notes
        yield from self._spare.notes()
        yield from rewritten_notes(self.layout, stream)
        yield from footer_notes(self._ending)
        yield from self._repairs.notes()
        if sample is not None:
            yield sample.note(self._rows)
        yield from nul_notes(stream)
        yield from encoding_notes(self.layout.encoding, chosen=self._options.encoding is not None)

    def _stream(self) -> TextStream:
        layout, part = self.layout, self._options.part
        larger = () if self._some_rows <= BLOCK_BYTES else (min(self._some_rows, LARGEST_BLOCK),)
        return TextStream(self._source.path, layout.encoding, layout.separator, *larger, part=part,
                          most=self._most, unwrap=layout.unwrap, masked=layout.masked)  # fmt: skip

    def first_texts(self) -> tuple[tuple[str, ...], ...]:
        """Return the cells of the first rows as they stand, column by column."""
        width, header = len(self.layout.names), self.layout.header
        rows = [row for row in self.layout.rows if row != header and not is_comment(row, self.layout)]
        filled = ([*row, *repeat("", width - len(row))][:width] for row in rows[: self._rows])
        return tuple(zip(*filled, strict=True)) or ((),) * width

    def _starts_with_numbers(self, place: int) -> bool:
        if self._options.kind_of(self.layout.names[place]) not in (None, "number"):
            return False
        if self.rules.decimal is None and self.rules.writing_of(self.layout.names[place]).decimal == ",":
            return False  # 1.234 may be thousands
        decimal = self.rules.decimal or "."
        cells = (cell.strip() for cell in self._head_cells[place])
        return all(numerals.is_plain(cell, decimal) or self.rules.is_missing(cell) for cell in cells)

    @cached_property
    def _codes_in_head(self) -> tuple[str, ...]:
        found = set(chain.from_iterable(self._head_cells[place] for place in self._numbers))
        cells = {cell.strip() for cell in found}
        return tuple(sorted(cells & self.rules.missing - {""} | set(self._options.missing or ())))

    def _read_all(self, stream: TextStream) -> set[int]:
        """Read every block; return the columns that turned out not to be numbers."""
        codes = self._codes_in_head
        wrong: set[int] = set()

        def parse(piece: _Piece) -> tuple[Block, _Piece]:
            parser = self._parser(self._numbers - wrong, self._texts, codes)
            return parser.parse(piece.data, piece.line, piece.n_lines, emptied=piece.emptied), piece

        for index, (block, piece) in enumerate(work_ahead(parse, self._weighed(stream))):
            wrong |= block.not_numbers
            self._spare.see(block)
            if block.careful:
                self._careful.add(index)
            if index == 0:
                self._growing.begin(block, piece.share, self._numbers, self._texts)
            self._count(block)
            self._growing.add(block)
            self._tell(piece.share)
        self.is_cut = stream.is_cut
        self._growing.end()
        return wrong

    def _parser(
        self, numbers: frozenset[int], texts: frozenset[int], codes: tuple[str, ...]
    ) -> BlockParser:
        return BlockParser(self.layout, numbers, texts, codes, self.rules, self._by_kernel)

    def _blocks(self, stream: TextStream) -> Iterator[_Piece]:
        """Yield the blocks, without the header and what stands below the table."""
        held: list[_Piece] = []  # the last one, and the one above a short one
        for piece in self._pieces(stream):
            yield from held[:-1] if len(piece.data) < ENDING_BYTES else held
            held = [*held[-1:], piece] if len(piece.data) < ENDING_BYTES else [piece]
        if held and (last := self._without_footers(reduce(_Piece.join, held), stream)).data:
            yield last

    def _weighed(self, stream: TextStream) -> Iterator[_Piece]:
        """Yield the blocks, for as long as a packed file unpacks to what tables do."""
        given, is_bounded = 0, self._most is not None or not is_packed(self._source.head)
        for piece in self._blocks(stream):
            given += len(piece.data)
            if not (is_bounded or self._options.bears_much):
                check_unfolding(self._source.name, self._source.size, given, piece.share)
            yield piece

    def _pieces(self, stream: TextStream) -> Iterator[_Piece]:
        """Yield the blocks, without the header."""
        skip = self.layout.skip_lines  # what stands above the rows may be longer than a block
        for data in self._whole_records(stream):
            leave_if(self._cancelled)
            start = skipped = 0
            while skipped < skip and start < len(data):
                start = data.index(b"\n", start) + 1
                skipped += 1
            skip -= skipped
            if not skip:
                line = stream.lines + skipped + 1
                n_lines = stream.block_lines - skipped
                yield _Piece(data[start:] if start else data, line, n_lines, stream.share, stream.emptied)

    def _whole_records(self, stream: TextStream) -> Iterator[bytes]:
        """Yield the blocks; of a quote that does not close, say the column in which it opens."""
        try:
            yield from stream
        except OpenQuote as found:
            raise WorkbenchError(found.words(self.layout.separator, self.layout.names)) from None

    def _without_footers(self, last: _Piece, stream: TextStream) -> _Piece:
        if stream.is_cut:
            return last
        self._ending = self._footers().ending(last.data).from_line(last.line)
        data = last.data[: self._ending.length].rstrip(b"\n")  # blank lines below the last row are no gaps
        data = data and data + b"\n"
        return last._replace(data=data, n_lines=count_lines(data))

    def _count(self, block: Block) -> None:
        self._rows += block.n_rows
        self._repairs.join(block.repairs)

    def _read_as_text(self, places: set[int]) -> str:
        """Read again, as text, the columns in which a number was none; return the hash of what was read."""
        stream = self._stream()
        parser = self._parser(frozenset(), frozenset(places), ())
        self._growing.begin_again(places)
        for index, piece in enumerate(self._blocks(stream)):
            self._growing.add_again(
                parser.parse(piece.data, piece.line, piece.n_lines, careful=index in self._careful)
            )
        return stream.sha256

    def _tell(self, share: float) -> None:
        if self._progress is not None:
            self._progress(self._rows, round(self._rows / share))

    def _columns(self) -> tuple[list[Column], list[Note]]:
        columns, notes, space = [], [], self._growing.space
        by_threads = self._rows >= MANY_ROWS and self._recoded is None
        for column, found in (work_ahead if by_threads else map)(self._column, enumerate(self.first_texts())):
            columns.append(column if space is None else on_disk(column, space))
            notes += found + column_remarks(column)
        return columns, notes

    def _column(self, seen: tuple[int, tuple[str, ...]]) -> tuple[Column, list[Note]]:
        """Return the column at a place, and notes on it; beside the place stand its first cells."""
        leave_if(self._cancelled)
        place, cells = seen
        name, codes = self.layout.names[place], self._codes_in_head
        if (numbers := self._growing.numbers(place)) is not None:
            as_numbers = self._options.kind_of(name) == "number" or not self.rules.finds_days
            column, notes = numbers.finish(name, codes, as_numbers=as_numbers)
            if any("." in cell for cell in cells):
                column = replace(column, writing=replace(column.writing, decimal="."))
            return column, notes + digit_notes(column, cells)
        labels = self._growing.labels(place)
        if self._recoded is not None:
            self._recoded.count(name, labels)
        return infer(name, labels, self.rules, self._options.kind_of(name))

    def footer_guess(self) -> Guess:
        """Say what was found below the table."""
        if self._options.footer is not None:
            return chosen("footer", self._options.footer)
        return footer_guess(self._ending_ahead() if self.is_cut else self._ending, counted=not self.is_cut)

    def _ending_ahead(self) -> Ending | None:
        """Look at the end of a file of which only the beginning was read; None where that takes all of it."""
        if is_packed(self._source.head) or self.layout.encoding.startswith(("utf-16", "utf-32")):
            return None
        with self._source.path.open("rb") as file:
            file.seek(max(self._source.size - TAIL_BYTES, 0))
            tail = file.read(TAIL_BYTES).decode(self.layout.encoding, "replace").encode()
        lines = plain_line_ends(tail).partition(b"\n")[2].rstrip(b"\n") + b"\n"
        if self.layout.unwrap is not None:
            lines = self.layout.unwrap(lines.decode("utf-8", "replace")).encode()
        return self._footers().ending(lines)

    def _footers(self) -> Footers:
        rows = [row for row in self.layout.rows if row != self.layout.header]
        return Footers(self.layout.separator, len(self.layout.names), rows, self._options.footer)


def _by_column(rows: Sequence[Sequence[str]], width: int) -> list[tuple[str, ...]]:
    """Return the cells of each column; a row that is too short has none in the last ones."""
    if rows and all(len(row) == width for row in rows):
        return list(zip(*rows, strict=True))
    return [tuple(row[place] for row in rows if place < len(row)) for place in range(width)]
