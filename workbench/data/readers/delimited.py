"""CSV, TSV and other separated text, plain or compressed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from workbench.data.guess import Guess, chosen
from workbench.data.readers.base import READERS
from workbench.data.readers.chunks import ChunkedTable
from workbench.data.readers.doubts import cell_guesses
from workbench.data.readers.options import CELL_OPTIONS, EDGE_OPTIONS, ENCODINGS, GUESS_ALL, SIZE_OPTIONS
from workbench.data.readers.preview import PREVIEW_BYTES, Preview
from workbench.data.readers.source import HEAD_BYTES, foreign_kind
from workbench.data.table import Table, TableNote
from workbench.data.text.layout.head import NoWholeRow, has_lines
from workbench.data.text.reading import Reading
from workbench.data.text.stream.code_pages import WESTERN, find_code_page
from workbench.data.text.stream.compression import (
    ZIP_MAGIC,
    Head,
    chunks_inside,
    is_packed,
    likeliest_member,
    longer_head,
    main_member,
    unpacked_head,
    zip_members,
)
from workbench.data.text.stream.recoded import DAMAGED, Recoded
from workbench.data.text.stream.text_encoding import find_encoding
from workbench.data.text.stream.text_stream import NotUtf8
from workbench.data.values.cells import Cells, Chunk
from workbench.errors import WorkbenchError
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress, Source

T = TypeVar("T")
LONG_HEAD_BYTES = 1 << 24  # that are looked at where no row ends earlier
ENOUGH_LINES = 8  # where they are long


class DelimitedReader:
    """Reads separated text of any of the usual layouts."""

    name = "delimited"
    order = 100  # any text that no other reader wants
    kind = "a text table"
    uses = CELL_OPTIONS | EDGE_OPTIONS | SIZE_OPTIONS | {"separator", "encoding", "part"}

    def accepts(self, source: Source) -> bool:
        """Whether the file is text, or compressed."""
        if foreign_kind(source.head) is not None:
            return False
        return is_packed(source.head) or find_encoding(source.head) is not None

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: CancelledQuestion | None = None,
    ) -> Table:  # fmt: skip
        """Read the file; see `read_table`."""
        table, _ = take_text(source, options, Reading.table, None, progress, cancelled)
        return replace(table, notes=(*_other_members(source, options), *table.notes))

    def with_chunks(
        self, source: Source, options: ReadOptions, take: Callable[[ChunkedTable], T], *,
        progress: Progress | None, cancelled: CancelledQuestion | None,
    ) -> T:  # fmt: skip
        """Hand out block by block; see `with_chunks`."""

        def taken(reading: Reading) -> T:
            table = _chunked(source.name, reading, options)
            table.check_named(options)
            return take(table)

        return take_text(source, options, taken, None, progress, cancelled)[0]

    def preview(
        self, source: Source, options: ReadOptions, cancelled: CancelledQuestion | None = None
    ) -> Preview:
        """Read the first rows."""
        parts = zip_members(source.path) if source.head.startswith(ZIP_MAGIC) else ()
        part = options.part or (main_member(source.path) or likeliest_member(source.path) if parts else None)
        inside = replace(options, part=part)
        (reading, table), encoded = take_text(
            source, inside, _with_table, PREVIEW_BYTES, cancelled=cancelled
        )
        texts = reading.first_texts()[: len(table.columns)]
        cells = cell_guesses(table.names, texts, options, reading.layout.separator, cancelled)
        found = (
            *_part_guesses(parts, part, options), encoded, *reading.layout.guesses, reading.footer_guess(),
            *cells,
        )  # fmt: skip
        lines, is_whole = reading.layout.lines, not reading.is_cut
        return Preview(table, texts, found, parts, lines, is_whole=is_whole)


READERS.register(DelimitedReader())


def take_text(
    source: Source, options: ReadOptions, take: Callable[[Reading], T], most: int | None = None,
    progress: Progress | None = None, cancelled: CancelledQuestion | None = None,
) -> tuple[T, Guess]:  # fmt: skip
    """Return what `take` makes of a reading; where the encoding proves wrong, of another reading.

    With it comes the guess about the encoding.
    """
    if options.part is not None and not source.head.startswith(ZIP_MAGIC):
        raise WorkbenchError(f"'{source.name}' is one text table, which has no sheets. Leave that out.")
    head = _head(source, options)
    encoding = options.encoding or find_encoding(head.data)
    if is_packed(head.data):
        raise WorkbenchError(f"'{source.name}' holds another archive. Unpack it first.")
    if (what := foreign_kind(head.data)) is not None:
        words = f"'{source.name}' holds {what}, which cannot be read here"
        raise WorkbenchError(f"{words}. Save the table as CSV.")
    if not head.data:
        raise _nothing_packed(source, options)
    if encoding is None:
        raise WorkbenchError(f"'{source.name}' is not a text table. Save the table as CSV.")
    guess = chosen("encoding", encoding) if options.encoding else _encoding_guess(encoding)
    try:
        return take(_begun(source, head, encoding, options, most, progress, cancelled)), guess
    except NotUtf8 as found:
        guess, recoded = _other_encoding(found, wanted=options.encoding is not None)
    return take(_begun(source, head, guess.value, options, most, progress, cancelled, recoded)), guess


def _nothing_packed(source: Source, options: ReadOptions) -> WorkbenchError:
    """Say what is wrong with a packed file of which nothing came out."""
    for _ in chunks_inside(source.path, source.head, options.part):  # where it is damaged, this says so
        break
    return WorkbenchError(f"'{source.name}' is packed, and what is in it is empty. Choose another file.")


def _head(source: Source, options: ReadOptions) -> Head:
    """Return as much of the beginning as some lines take."""
    data = unpacked_head(source.path, source.head, 4 * HEAD_BYTES, options.part)
    is_whole = source.size <= HEAD_BYTES and len(data) < 4 * HEAD_BYTES
    if is_whole or has_lines(data):
        return Head(data, is_whole)
    return longer_head(source.path, source.head, LONG_HEAD_BYTES, options.part, ENOUGH_LINES)


def _begun(
    source: Source, head: Head, encoding: str, options: ReadOptions, most: int | None,
    progress: Progress | None, cancelled: CancelledQuestion | None, recoded: Recoded | None = None,
) -> Reading:  # fmt: skip
    """Begin a reading, with a longer head where no row ends in this one."""
    try:
        return Reading(source, head, encoding, options, most, progress, cancelled, recoded)
    except NoWholeRow:
        if len(head.data) >= LONG_HEAD_BYTES:
            raise
    head = longer_head(source.path, source.head, LONG_HEAD_BYTES, options.part)
    return Reading(source, head, encoding, options, most and len(head.data), progress, cancelled, recoded)


def _chunked(name: str, reading: Reading, options: ReadOptions) -> ChunkedTable:
    names = reading.layout.names
    places = {name: place for place, name in enumerate(names)}

    def chunks(wanted: frozenset[str], kept: frozenset[str]) -> Iterator[Chunk]:
        first = 0
        sought, shown = (frozenset(places[name] for name in some) for some in (wanted, kept))
        for block in reading.blocks(sought, shown):
            texts = {place: Cells(labels=labels) for place, labels in block.texts.items()}
            numbers = {place: Cells(values) for place, values in block.numbers.items()}
            cells = {names[place]: numbers[place] if place in numbers else texts[place] for place in sought}
            yield Chunk(first, block.n_rows, cells, {names[place]: texts[place] for place in shown})
            first += block.n_rows

    rows = reading.layout.rows_below_header
    texts = {
        name: tuple(row[place] for row in rows if place < len(row)) for name, place in places.items()
    }
    return ChunkedTable(name, names, chunks, texts, reading.rules, reading.notes)


def _with_table(reading: Reading) -> tuple[Reading, Table]:
    return reading, reading.table()


def _encoding_guess(encoding: str) -> Guess:
    if encoding in ("utf-16-le", "utf-16-be"):
        reason = f"No mark says so, but every second byte may be 0: it is read as {ENCODINGS[encoding]}."
        return Guess("encoding", encoding, reason, doubtful=True)
    if encoding in ("utf-16", "utf-32"):
        return Guess("encoding", encoding, f"The first bytes say {encoding.upper()}.")
    return Guess("encoding", encoding, "Every byte read so far fits UTF-8.")


def _other_encoding(found: NotUtf8, *, wanted: bool) -> tuple[Guess, Recoded]:
    """Choose between an encoding of before and UTF-8 with a few bad bytes."""
    text = found.block.decode("utf-8", errors="replace")
    where = f"The file is not UTF-8 (first in line {found.line})"
    if wanted or sum(character > "\x7f" for character in text) > 2 * text.count(DAMAGED):
        said = f"{where}; such bytes are shown as {DAMAGED}"
        return Guess("encoding", "utf-8-sig", f"{said}.", not wanted), Recoded(said, is_damaged=True)
    encoding = find_code_page(found.block)
    said = f"{where}, so it is read as {ENCODINGS[encoding].partition(' (')[0]}"
    letters = "letters with accents" if encoding == WESTERN else "all letters"
    reason = f"{said}. See whether {letters} are right."
    return Guess("encoding", encoding, reason, doubtful=True), Recoded(said, is_damaged=False)


def _other_members(source: Source, options: ReadOptions) -> tuple[TableNote, ...]:
    """Say which files of an archive were not read."""
    if options.part is not None or not source.head.startswith(ZIP_MAGIC):
        return ()
    names, read = zip_members(source.path), main_member(source.path)
    listed = ", ".join(f"'{name}'" for name in names if name != read)
    text = f"'{read}' is read; the archive also has {listed}."
    return (TableNote(text, severity="warning"),) if len(names) > 1 else ()


def _part_guesses(parts: tuple[str, ...], part: str | None, options: ReadOptions) -> tuple[Guess, ...]:
    if options.part is not None:
        return (chosen("part", options.part),)
    if not parts:
        return ()
    reason = f"The archive holds {counted(len(parts), 'file')}; this one looks most like a table."
    return (Guess("part", part, reason, len(parts) > 1),)
