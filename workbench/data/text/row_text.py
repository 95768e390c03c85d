"""The text of a table's rows, piece by piece: without what stands above and below the table."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from workbench.data.room import check_unfolding
from workbench.data.text.layout.footers import Ending, Footers
from workbench.data.text.layout.open_quote import OpenQuote
from workbench.data.text.stream.compression import is_packed
from workbench.data.text.stream.records import count_lines
from workbench.data.text.stream.text_stream import TextStream
from workbench.errors import WorkbenchError, leave_if

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Source
    from workbench.data.text.blocks.block_parser import BlockParser
    from workbench.data.text.blocks.record_block import RecordBlock
    from workbench.data.text.layout.layout import TextLayout

ENDING_BYTES = 1 << 13  # what stands below a table; a last block so short is read with the one before


class Piece(NamedTuple):
    """Whole records: their text, the line in which it begins, and what share of the file is read with it.

    Some lines may be empty as nothing was left of them; these are no gaps.
    """

    data: bytes
    line: int
    n_lines: int
    share: float
    emptied: Sequence[int] = ()

    def parsed(self, parser: BlockParser, *, careful: bool = False) -> RecordBlock:
        """Return the columns that a parser makes of the records."""
        return parser.parse(self.data, self.line, self.n_lines, careful=careful, emptied=self.emptied)

    def join(self, below: Piece) -> Piece:
        """Return this piece with the one that stands below it."""
        return Piece(
            self.data + below.data, self.line, self.n_lines + below.n_lines, below.share,
            (*self.emptied, *below.emptied),
        )


class RowText:
    """One pass over the text of the rows.

    Parameters
    ----------
    source : Source
    layout : TextLayout
    options : ReadOptions
    block_bytes : int
        Of a usual piece; 0 leaves that to the stream.
    most : int, optional
        Only the records in so many first bytes.
    cancelled : callable () -> bool, optional
        Asked before each piece.

    Attributes
    ----------
    stream : TextStream
        What was noticed in the text itself.
    ending : Ending
        How the table ends, once all pieces are through.
    """

    def __init__(
        self, source: Source, layout: TextLayout, options: ReadOptions, *, block_bytes: int = 0,
        most: int | None = None, cancelled: CancelledQuestion | None = None,
    ) -> None:  # fmt: skip
        self._source, self._layout, self._options, self._cancelled = source, layout, options, cancelled
        self._is_bounded = most is not None or options.bears_much or not is_packed(source.head)
        larger = (block_bytes,) if block_bytes else ()
        self.stream = TextStream(source.path, layout.encoding, layout.separator, *larger, part=options.part,
                                 most=most, unwrap=layout.unwrap, masked=layout.masked)  # fmt: skip
        self.ending = Ending(0)

    def __iter__(self) -> Iterator[Piece]:
        """Yield whole records, for as long as a packed file unpacks to what tables do."""
        given = 0
        for piece in self._rows():
            given += len(piece.data)
            if not self._is_bounded:
                check_unfolding(self._source.name, self._source.size, given, piece.share)
            yield piece

    def _rows(self) -> Iterator[Piece]:
        """Yield the pieces, without the header and what stands below the table."""
        held: list[Piece] = []  # the last one, and the one above a short one
        for piece in self._below_header():
            yield from held[:-1] if len(piece.data) < ENDING_BYTES else held
            held = [*held[-1:], piece] if len(piece.data) < ENDING_BYTES else [piece]
        if held and (last := self._without_footers(reduce(Piece.join, held))).data:
            yield last

    def _below_header(self) -> Iterator[Piece]:
        """Yield the pieces, without the header."""
        stream = self.stream
        skip = self._layout.skip_lines  # what stands above the rows may be longer than a block
        for data in self._whole_records():
            leave_if(self._cancelled)
            start = skipped = 0
            while skipped < skip and start < len(data):
                start = data.index(b"\n", start) + 1
                skipped += 1
            skip -= skipped
            if not skip:
                line = stream.lines + skipped + 1
                n_lines = stream.block_lines - skipped
                yield Piece(data[start:] if start else data, line, n_lines, stream.share, stream.emptied)

    def _whole_records(self) -> Iterator[bytes]:
        """Yield the blocks; of a quote that does not close, say the column in which it opens."""
        try:
            yield from self.stream
        except OpenQuote as found:
            raise WorkbenchError(found.words(self._layout.separator, self._layout.names)) from None

    def _without_footers(self, last: Piece) -> Piece:
        if self.stream.is_cut:
            return last
        self.ending = Footers.below(self._layout, self._options.footer).ending(last.data).from_line(last.line)
        data = last.data[: self.ending.length].rstrip(b"\n")  # blank lines below the last row are no gaps
        data = data and data + b"\n"
        return last._replace(data=data, n_lines=count_lines(data))
