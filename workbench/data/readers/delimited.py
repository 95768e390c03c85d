"""CSV, TSV and other separated text, plain or compressed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.data import numerals
from workbench.data.column_parts import NumberParts, TextParts
from workbench.data.column_types import leading_zero_notes
from workbench.data.compression import is_packed, unpacked_head
from workbench.data.labels import MISSING_CODES
from workbench.data.layout import find_encoding, find_layout
from workbench.data.readers.base import HEAD_BYTES, READERS
from workbench.data.record_block import BlockParser
from workbench.data.remarks import column_remarks, table_remarks, wrong_suffix_notes
from workbench.data.table import Column, Note, Table
from workbench.data.text_stream import NotUtf8, TextStream
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.readers.base import Cancelled as CancelledQuestion
    from workbench.data.readers.base import Progress, Source
    from workbench.data.record_block import Block


class DelimitedReader:
    """Reads separated text of any of the usual layouts."""

    name = "delimited"
    order = 100  # any text that no other reader wants

    def accepts(self, source: Source) -> bool:
        """Whether the file is text, or compressed."""
        if source.head.startswith(b"%PDF"):
            return False
        return is_packed(source.head) or find_encoding(source.head) is not None

    def read(
        self, source: Source, *, progress: Progress | None = None, cancelled: CancelledQuestion | None = None
    ) -> Table:
        """Read the file; see `read_table`."""
        head = unpacked_head(source.path, source.head, 4 * HEAD_BYTES)
        encoding = find_encoding(head)
        if encoding is None or not head:
            raise WorkbenchError(f"'{source.name}' is not a text table. Save the table as CSV.")
        try:
            return _Reading(source, head, encoding, progress, cancelled).table()
        except NotUtf8 as found:
            encoding, note = _other_encoding(found)
        table = _Reading(source, head, encoding, progress, cancelled).table()
        return replace(table, notes=(note, *table.notes))


READERS.register(DelimitedReader())


def _other_encoding(found: NotUtf8) -> tuple[str, Note]:
    """Choose between the Windows code page and UTF-8 with a few bad bytes."""
    text = found.block.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    where = f"The file is not UTF-8 (first in line {found.line})"
    if sum(character > "\x7f" for character in text) > 2 * bad:
        return "utf-8-sig", Note(f"{where}; such bytes are shown as \ufffd.", count=bad, severity="warning")
    return "cp1252", Note(f"{where}, so it is read as Windows-1252.", count=bad, severity="warning")


class _Reading:
    """One reading of one file, in one encoding."""

    def __init__(
        self,
        source: Source,
        head: bytes,
        encoding: str,
        progress: Progress | None,
        cancelled: CancelledQuestion | None,
    ) -> None:
        self._source = source
        self._progress = progress
        self._cancelled = cancelled
        whole = source.size <= HEAD_BYTES and len(head) < 4 * HEAD_BYTES
        self._layout = find_layout(head, source.name, encoding, whole=whole)
        columns = frozenset(range(len(self._layout.names)))
        self._numbers = frozenset() if whole else frozenset(filter(self._starts_with_numbers, columns))
        self._number_parts = {place: NumberParts() for place in self._numbers}
        self._text_parts = {place: TextParts() for place in columns - self._numbers}
        self._careful: set[int] = set()
        self._short: list[int] = []
        self._comments: list[int] = []
        self._headers: list[int] = []
        self._rows = 0

    def table(self) -> Table:
        """Read everything."""
        stream = self._stream()
        wrong = self._read_all(stream)
        if wrong:
            self._read_as_text(wrong)
        if not self._rows:
            raise WorkbenchError(f"'{self._source.name}' has a header but no rows. Choose a file with rows.")
        columns, notes = self._columns()
        return Table(
            name=self._source.name,
            columns=tuple(columns),
            notes=(
                *wrong_suffix_notes(self._source.path),
                *self._layout.notes,
                *self._line_notes(stream),
                *table_remarks(columns),
                *notes,
            ),
            source=str(self._source.path),
            sha256=stream.sha256,
        )

    def _stream(self) -> TextStream:
        return TextStream(self._source.path, self._layout.encoding, self._layout.separator)

    def _starts_with_numbers(self, place: int) -> bool:
        cells = (cell.strip() for cell in self._head_cells(place))
        return all(numerals.is_plain(cell) for cell in cells if cell not in MISSING_CODES)

    def _head_cells(self, place: int) -> Iterator[str]:
        return (row[place] for row in self._layout.rows if place < len(row))

    def _codes_in_head(self) -> tuple[str, ...]:
        cells = {cell.strip() for place in self._numbers for cell in self._head_cells(place)}
        return tuple(sorted(cells & MISSING_CODES - {""}))

    def _read_all(self, stream: TextStream) -> set[int]:
        """Read every block; return the columns that turned out not to be numbers."""
        codes = self._codes_in_head()
        wrong: set[int] = set()
        for index, (data, line) in enumerate(self._blocks(stream)):
            texts = frozenset(self._text_parts) | wrong
            block = BlockParser(self._layout, self._numbers - wrong, texts, codes).parse(data, line)
            wrong |= block.not_numbers
            if block.careful:
                self._careful.add(index)
            self._take(block)
            self._tell(stream)
        return wrong

    def _blocks(self, stream: TextStream) -> Iterator[tuple[bytes, int]]:
        """Yield text and first line of each block, without the header."""
        for index, data in enumerate(stream):
            self._stop_if_asked()
            skip = self._layout.skip_lines if index == 0 else 0
            start = 0
            for _ in range(skip):
                start = data.index(b"\n", start) + 1
            yield data[start:] if start else data, stream.lines + skip + 1

    def _take(self, block: Block) -> None:
        self._rows += block.n_rows
        self._short += block.short
        self._comments += block.comments
        self._headers += block.headers
        for place, values in block.numbers.items():
            self._number_parts[place].add(values)
        for place, labels in block.texts.items():
            if place in self._text_parts:
                self._text_parts[place].add(labels.texts, labels.codes)

    def _read_as_text(self, places: set[int]) -> None:
        """Read again, as text, the columns in which a number was none."""
        parser = BlockParser(self._layout, frozenset(), frozenset(places))
        for place in places:
            del self._number_parts[place]
            self._text_parts[place] = TextParts()
        for index, (data, line) in enumerate(self._blocks(self._stream())):
            block = parser.parse(data, line, careful=index in self._careful)
            for place, labels in block.texts.items():
                self._text_parts[place].add(labels.texts, labels.codes)

    def _stop_if_asked(self) -> None:
        if self._cancelled is not None and self._cancelled():
            raise Cancelled

    def _tell(self, stream: TextStream) -> None:
        if self._progress is not None:
            share = min(1.0, stream.bytes_read / self._source.size)
            self._progress(self._rows, round(self._rows / share))

    def _columns(self) -> tuple[list[Column], list[Note]]:
        columns, notes = [], []
        codes = self._codes_in_head()
        for place, name in enumerate(self._layout.names):
            self._stop_if_asked()
            if place in self._number_parts:
                column, more = self._number_parts.pop(place).finish(name, codes)
                more = more + leading_zero_notes(name, self._head_cells(place))
            else:
                column, more = self._text_parts.pop(place).finish(name)
            columns.append(column)
            notes += more + column_remarks(column)
        return columns, notes

    def _line_notes(self, stream: TextStream) -> Iterator[Note]:
        for lines, text in (
            (self._short, "with too few fields, filled up with missing values"),
            (self._comments, "left out as comments"),
            (self._headers, "left out because they repeat the header"),
        ):
            if lines:
                yield Note(
                    f"{len(lines):,} {text} (first line {lines[0]}).", count=len(lines), severity="warning"
                )
        if stream.nul_bytes:
            text = f"{stream.nul_bytes:,} NUL bytes are left out."
            yield Note(text, count=stream.nul_bytes, severity="warning")
        if self._layout.encoding == "utf-16":
            yield Note("The file is in UTF-16.")
