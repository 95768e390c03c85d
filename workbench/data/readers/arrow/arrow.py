"""Parquet, Feather and Arrow streams: a column at a time, of which few are held in types of the file."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.data.readers.arrow.columns import (
    IN_SECONDS,
    doubles,
    has_long_numbers,
    is_number,
    is_read_as_text,
    labels_of_texts,
    parts_for,
)
from workbench.data.readers.arrow.files import Checks, File, is_text, kind_of_file, opened
from workbench.data.readers.as_text import file_hash
from workbench.data.readers.base import READERS
from workbench.data.readers.chunks import ChunkedTable
from workbench.data.readers.options import GUESS_ALL
from workbench.data.readers.source import missing_package
from workbench.data.remarks import column_remarks, table_remarks
from workbench.data.room import LEAST_TEXT, AwaitedRows, ask_for_rows
from workbench.data.table import Column, Table, TableNote
from workbench.data.text.layout.header import unique_names
from workbench.data.values.cells import Cells, Chunk
from workbench.data.values.columns import on_disk
from workbench.data.values.value_labels import labels_of_series
from workbench.errors import Cancelled, WorkbenchError, leave_if
from workbench.mapped import MappedSpace
from workbench.memory import ask_for
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.arrow.columns import ColumnParts
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress, Source

READ_CELLS = 1 << 16  # at once
T = TypeVar("T")


class ArrowReader:
    """Reads what pyarrow reads; columns of lists, records or bytes are left out, and said so."""

    name = "arrow"
    kind = "a Parquet, Feather or Arrow file"
    uses = frozenset({"map_folder"})
    order = 10

    def accepts(self, source: Source) -> bool:
        """Whether the file begins as Parquet, Feather or an Arrow stream does."""
        return kind_of_file(source) is not None

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: CancelledQuestion | None = None,
    ) -> Table:  # fmt: skip
        """Read the file; see `read_table`."""
        with _damage_told(source):
            return _table(source, opened(source), options, progress, cancelled)

    def with_chunks(
        self, source: Source, options: ReadOptions, take: Callable[[ChunkedTable], T], *,
        progress: Progress | None, cancelled: CancelledQuestion | None,
    ) -> T:  # fmt: skip
        """Hand out some rows at a time; see `with_chunks`."""
        with _damage_told(source):
            table = _chunked(source, progress, cancelled)
        table.check_named(options)
        return take(table)


READERS.register(ArrowReader())


@contextmanager
def _damage_told(source: Source) -> Iterator[None]:
    """Say in one line what is wrong with a file that pyarrow does not read."""
    kind = kind_of_file(source) or "file"
    try:
        import pyarrow as pa
    except ImportError as error:
        raise missing_package(source, f"{'an' if kind[0] == 'A' else 'a'} {kind}", "pyarrow") from error
    try:
        yield
    except (Cancelled, WorkbenchError):
        raise
    except ArithmeticError as error:
        words = f"'{source.name}' is a damaged {kind}: a decimal number is out of range. Copy it again."
        raise WorkbenchError(words) from error
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError, MemoryError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120].rstrip(". ")
        words = f"'{source.name}' is a damaged {kind}: {reason}. Copy it again."
        raise WorkbenchError(words) from error


def _table(
    source: Source, file: File, options: ReadOptions, progress: Progress | None,
    cancelled: CancelledQuestion | None,
) -> Table:  # fmt: skip
    found, rows = file.schema.names, file.rows
    size = f"{counted(rows, 'row')} and {counted(len(found), 'column')}"
    if not found or not rows:
        raise WorkbenchError(f"'{source.name}' has {size}. Choose another file.")
    types = file.schema.types
    names, notes = unique_names(found)
    notes += file.notes
    singles = [place for place, kind in enumerate(types) if _is_single(kind)]
    for place in sorted({*range(len(found))}.difference(singles)):
        text = f"Column '{names[place]}' holds {_held(types[place])}, and is left out."
        notes.append(TableNote(text, names[place], rows, "warning"))
    if not singles:
        raise WorkbenchError(f"'{source.name}' has no column of numbers, text or dates. Choose another file.")
    space = None if options.map_folder is None else MappedSpace(options.map_folder)
    ask_for_rows(AwaitedRows(source.name, rows, len(found), can_be_sampled=False), space)
    columns: list[Column] = []
    width = max(READ_CELLS // rows, 1)  # short columns are read many at once: each reading takes all names
    if file.most_passes is not None:
        width = max(width, -(-len(singles) // file.most_passes))
    for begin in range(0, len(singles), width):
        places = singles[begin : begin + width]
        growing = [parts_for(names[p], types[p], rows, options.kind_of(names[p]), space) for p in places]
        _read(source, file, dict(zip(places, growing, strict=True)), cancelled)
        for parts in growing:
            column, more = parts.finish()
            columns.append(column if space is None else on_disk(column, space))
            notes += more + column_remarks(column)
        if progress is not None:
            progress(round(rows * len(columns) / len(singles)), rows)
    return Table(source.name, tuple(columns), (*table_remarks(columns), *notes), str(source.path),
                 file_hash(source.path))


def _read(
    source: Source, file: File, growing: dict[int, ColumnParts], cancelled: CancelledQuestion | None
) -> None:  # fmt: skip
    """Read the columns at some places; memory for what they hold besides numbers is asked for on the way."""
    checks, asked, read = Checks(), LEAST_TEXT, 0
    for rows, batch in file.batches([*growing]):
        leave_if(cancelled)
        read += rows
        for (place, parts), values in zip(growing.items(), batch, strict=True):
            checks.check(place, values)
            parts.add(values)
        needed = sum(parts.needed for parts in growing.values())
        if needed > asked:
            ask_for(needed, source.name, "texts and dates while they are read")
            asked = 2 * needed
    if read != file.rows:
        raise ValueError(f"column {min(growing) + 1} has {read:,} rows, not {file.rows:,}")


def _chunked(source: Source, progress: Progress | None, cancelled: CancelledQuestion | None) -> ChunkedTable:
    """Return the columns of single values, to be read by batch; one is held in the file's own types."""
    import pyarrow as pa

    file = opened(source)
    names, _ = unique_names(list(file.schema.names))
    places = {name: place for place, name in enumerate(names) if _is_single(file.schema.field(place).type)}

    def chunks(wanted: frozenset[str], kept: frozenset[str]) -> Iterator[Chunk]:
        first = 0
        all_names = sorted(wanted | kept)
        checks = Checks()
        with _damage_told(source):
            for rows, columns in file.batches([places[name] for name in all_names]):
                leave_if(cancelled)
                cells = {}
                for name, values in zip(all_names, columns, strict=True):
                    checks.check(places[name], values)
                    cells[name] = _cells(name, values, first)
                yield Chunk(first, rows, {n: cells[n] for n in wanted}, {n: cells[n] for n in kept})
                first += rows
                if progress is not None:
                    progress(first, file.rows)

    kinds = {name: file.schema.field(place).type for name, place in places.items()}
    in_seconds = {name: IN_SECONDS for name, kind in kinds.items() if pa.types.is_duration(kind)}
    return ChunkedTable(source.name, tuple(places), chunks, notes=lambda: file.notes, writings=in_seconds)


def _is_single(kind: Any) -> bool:
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType) and not pa.types.is_struct(kind.storage_type):  # an interval
        return not pa.types.is_nested(kind.storage_type)
    return not (pa.types.is_nested(kind) or _is_bytes(kind))


def _is_bytes(kind: Any) -> bool:
    import pyarrow as pa

    tests = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary,
             pa.types.is_binary_view)  # fmt: skip
    return any(test(kind) for test in tests)


def _held(kind: Any) -> str:
    """Say what the cells are that are no single values."""
    import pyarrow as pa

    if _is_bytes(kind):
        return "bytes"
    return "records" if pa.types.is_struct(kind) else "maps" if pa.types.is_map(kind) else "lists"


def _cells(name: str, values: Any, first_row: int) -> Cells:
    """Return an array as cells, each by itself, whatever the others hold."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        moments = values.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return Cells(doubles(moments) / 86_400_000_000, is_date=True)
    if pa.types.is_duration(kind):
        seconds = values.cast(pa.duration("us"), safe=False).cast(pa.int64())
        return Cells(doubles(seconds) / 1e6)
    if pa.types.is_dictionary(kind) and not is_text(kind.value_type):
        return _cells(name, values.cast(kind.value_type), first_row)
    if pa.types.is_null(kind) or (is_number(kind) and not has_long_numbers(values)):
        return Cells(doubles(values))
    if is_number(kind) or is_read_as_text(kind) or pa.types.is_dictionary(kind):
        return Cells(labels=labels_of_texts(values, name, first_row))
    return Cells(labels=labels_of_series(values.to_pandas()))
