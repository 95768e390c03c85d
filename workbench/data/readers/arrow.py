"""Parquet and Feather: a column at a time, so that only one is held in the file's own types."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from workbench.data.cells import Cells, Chunk
from workbench.data.column_types import infer
from workbench.data.columns import LARGEST_EXACT, number_column, on_disk
from workbench.data.encoding import check_cancelled
from workbench.data.frames import column_from_series, labels_of_text, whole_column_notes, zone_notes
from workbench.data.header import unique_names
from workbench.data.labels import Labels
from workbench.data.readers.as_text import file_hash, leave_if
from workbench.data.readers.base import READERS, missing_package
from workbench.data.readers.chunks import CHUNK_ROWS, ChunkedTable
from workbench.data.readers.options import GUESS_ALL
from workbench.data.remarks import column_remarks, table_remarks
from workbench.data.room import Rows, ask_for_rows, check_columns
from workbench.data.table import Column, Note, Table
from workbench.errors import Cancelled, WorkbenchError
from workbench.mapped import MappedSpace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.base import Cancelled as CancelledQuestion
    from workbench.data.readers.base import Progress, Source
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Kind

PARQUET_MAGIC, FIRST_FEATHER = b"PAR1", b"FEA1"
FEATHER_MAGICS = (b"ARROW1", FIRST_FEATHER)
READ_CELLS = 1 << 16  # at once
T = TypeVar("T")


class ArrowReader:
    """Reads what pyarrow reads; columns of lists, records or bytes are left out, and said so."""

    name = "arrow"
    kind = "a Parquet or Feather file"
    uses = frozenset({"map_folder"})
    order = 10

    def accepts(self, source: Source) -> bool:
        """Whether the file begins as Parquet or Feather does."""
        return source.head.startswith((PARQUET_MAGIC, *FEATHER_MAGICS))

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: CancelledQuestion | None = None,
    ) -> Table:  # fmt: skip
        """Read the file; see `read_table`."""
        with _damage_told(source):
            return _table(source, _opened(source), options, progress, cancelled)

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


def _is_parquet(source: Source) -> bool:
    return source.head.startswith(PARQUET_MAGIC)


@contextmanager
def _damage_told(source: Source) -> Iterator[None]:
    """Say in one line what is wrong with a file that pyarrow does not read."""
    kind = "Parquet" if _is_parquet(source) else "Feather"
    try:
        import pyarrow as pa
    except ImportError as error:
        raise missing_package(source, f"a {kind} file", "pyarrow") from error
    try:
        yield
    except (Cancelled, WorkbenchError):
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError, MemoryError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        words = f"'{source.name}' is a damaged {kind} file: {reason}. Copy it again."
        raise WorkbenchError(words) from error


class _ParquetFile:
    """Columns by their place: several may have one name."""

    def __init__(self, source: Source) -> None:
        import pyarrow.parquet as pq

        self._file = pq.ParquetFile(source.path)
        self.schema, self.rows = self._file.schema_arrow, self._file.metadata.num_rows
        self._names = self.schema.names
        counts: Counter[str] = Counter()
        self._nth: list[int] = []  # of the columns of the same name
        for name in self._names:
            self._nth.append(counts[name])
            counts[name] += 1

    def columns(self, places: list[int]) -> list[Any]:
        """Return whole columns."""
        return self._picked(self._file.read([*{self._names[place]: None for place in places}]), places)

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        """Return some rows at a time: how many, and the columns."""
        names = [*{self._names[place]: None for place in places}] or self._names[:1]
        for batch in self._file.iter_batches(CHUNK_ROWS, columns=names):
            yield batch.num_rows, self._picked(batch, places)

    def _picked(self, read: Any, places: list[int]) -> list[Any]:
        """Return columns from among those that were read with all of the same names."""
        found: dict[str, list[int]] = {}
        for which, name in enumerate(read.schema.names):
            found.setdefault(name, []).append(which)
        return [read.column(found[self._names[place]][self._nth[place]]) for place in places]


class _FeatherFile:
    """Read without mapping the file into memory: one that is cut meanwhile would end the program."""

    def __init__(self, source: Source) -> None:
        from pyarrow import ipc

        self._path = source.path
        with self._path.open("rb") as stream, ipc.open_file(stream) as file:
            self.schema = file.schema
        self.rows = sum(batch.num_rows for batch in self._written([0])) if self.schema.names else 0

    def columns(self, places: list[int]) -> list[Any]:
        """Return whole columns, whose places ascend."""
        import pyarrow as pa

        return list(pa.Table.from_batches(list(self._written(places))).columns)

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        """Return some rows at a time: how many, and the columns."""
        ascending = sorted(places) or [0]
        placed = {place: which for which, place in enumerate(ascending)}
        order = [placed[place] for place in places]
        for written in self._written(ascending):
            for begin in range(0, written.num_rows, CHUNK_ROWS):
                batch = written.slice(begin, CHUNK_ROWS)
                yield batch.num_rows, [batch.column(which) for which in order]

    def _written(self, places: list[int]) -> Iterator[Any]:
        """Read columns in batches as they were written."""
        from pyarrow import ipc

        only = ipc.IpcReadOptions(included_fields=places)
        with self._path.open("rb") as stream, ipc.open_file(stream, options=only) as file:
            for number in range(file.num_record_batches):
                yield file.get_batch(number)


class _FirstFeatherFile:
    """The first version of Feather, which is read as a whole."""

    def __init__(self, source: Source) -> None:
        from pyarrow import feather

        self._whole = feather.read_table(source.path)
        self.schema, self.rows = self._whole.schema, self._whole.num_rows

    def columns(self, places: list[int]) -> list[Any]:
        """Return whole columns."""
        return [self._whole.column(place) for place in places]

    def batches(self, places: list[int]) -> Iterator[tuple[int, list[Any]]]:
        """Return some rows at a time: how many, and the columns."""
        for batch in self._whole.to_batches(CHUNK_ROWS):
            yield batch.num_rows, [batch.column(place) for place in places]


File = _ParquetFile | _FeatherFile | _FirstFeatherFile


def _opened(source: Source) -> File:
    file: type[File] = _FirstFeatherFile if source.head.startswith(FIRST_FEATHER) else _FeatherFile
    opened = (_ParquetFile if _is_parquet(source) else file)(source)
    check_columns(source.name, len(opened.schema.names))
    return opened


def _table(
    source: Source, file: File, options: ReadOptions, progress: Progress | None,
    cancelled: CancelledQuestion | None,
) -> Table:  # fmt: skip
    found, rows = file.schema.names, file.rows
    size = f"{rows:,} rows and {len(found)} columns"
    if not found or not rows:
        raise WorkbenchError(f"'{source.name}' has {size}. Choose another file.")
    space = None if options.map_folder is None else MappedSpace(options.map_folder)
    ask_for_rows(Rows(source.name, rows, len(found), can_be_sampled=False), space)
    names, notes = unique_names(found)
    columns: list[Column] = []
    for place, (name, values) in enumerate(zip(names, _whole_columns(file), strict=True)):
        leave_if(cancelled)
        values.validate(full=True)  # lengths and offsets in the file may be anything
        if len(values) != rows:
            raise ValueError(f"column '{name}' has {len(values):,} rows, not {rows:,}")
        if not _is_single(values.type):
            text = f"Column '{name}' holds {_held(values.type)}, and is left out."
            notes.append(Note(text, name, rows, "warning"))
            continue
        made = _column(name, values, options.kind_of(name))
        columns.append(made[0] if space is None else on_disk(made[0], space))
        notes += made[1] + column_remarks(made[0])
        if progress is not None:
            progress(round(rows * (place + 1) / len(names)), rows)
    if not columns:
        raise WorkbenchError(f"'{source.name}' has no column of numbers, text or dates. Choose another file.")
    return Table(source.name, tuple(columns), (*table_remarks(columns), *notes), str(source.path),
                 file_hash(source.path))


def _whole_columns(file: File) -> Iterator[Any]:
    """Yield every column; short ones are read many at once, since each reading goes through all names."""
    width, n_columns = max(READ_CELLS // file.rows, 1), len(file.schema.names)
    for begin in range(0, n_columns, width):
        yield from file.columns([*range(begin, min(begin + width, n_columns))])


def _column(name: str, values: Any, wanted: Kind | None) -> tuple[Column, list[Note]]:
    """Make a column of a chunked array."""
    import pandas as pd
    import pyarrow as pa

    kind = values.type
    if pa.types.is_integer(kind):
        if wanted == "category":  # not by way of numbers, which have fewer digits
            return infer(name, Labels.of(values.cast(pa.string()).to_pylist()), kind="category")
        nullable = {pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}
        return column_from_series(name, values.to_pandas(types_mapper=nullable.get))
    if pa.types.is_decimal(kind):
        values = values.cast(pa.float64())
    elif pa.types.is_duration(kind):
        column, notes = number_column(name, values.to_pandas().dt.total_seconds().to_numpy())
        return column, notes + whole_column_notes(column, "durations are read as seconds")
    elif pa.types.is_date(kind):
        values = values.cast(pa.timestamp("ms"))
    elif pa.types.is_timestamp(kind):
        moments = values.cast(pa.timestamp(kind.unit))  # the moment itself; zones may be unknown here
        column, notes = column_from_series(name, moments.to_pandas())
        return column, notes + zone_notes(column, kind.tz)
    elif pa.types.is_time(kind) or pa.types.is_null(kind):
        values = values.cast(pa.string())
    return column_from_series(name, values.to_pandas())


def _chunked(source: Source, progress: Progress | None, cancelled: CancelledQuestion | None) -> ChunkedTable:
    """Return the columns of single values, to be read by batch; one is held in the file's own types."""
    file = _opened(source)
    names, _ = unique_names(list(file.schema.names))
    places = {name: place for place, name in enumerate(names) if _is_single(file.schema.field(place).type)}

    def chunks(wanted: frozenset[str], kept: frozenset[str]) -> Iterator[Chunk]:
        first = 0
        all_names = sorted(wanted | kept)
        with _damage_told(source):
            for rows, columns in file.batches([places[name] for name in all_names]):
                check_cancelled(cancelled)
                cells = {name: _cells(values) for name, values in zip(all_names, columns, strict=True)}
                yield Chunk(first, rows, {n: cells[n] for n in wanted}, {n: cells[n] for n in kept})
                first += rows
                if progress is not None:
                    progress(first, file.rows)

    return ChunkedTable(source.name, tuple(places), chunks)


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


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _held(kind: Any) -> str:
    """Say what the cells are that are no single values."""
    import pyarrow as pa

    if _is_bytes(kind):
        return "bytes"
    return "records" if pa.types.is_struct(kind) else "maps" if pa.types.is_map(kind) else "lists"


def _cells(values: Any) -> Cells:
    """Return an array as cells, each by itself, whatever the others hold."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values.validate(full=True)  # lengths and offsets in the file may be anything
    kind = values.type
    if pa.types.is_boolean(kind) or pa.types.is_time(kind):
        values = values.cast(pa.string())
    elif pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        moments = values.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        return Cells(_doubles(moments) / 86_400_000_000, is_date=True)
    elif pa.types.is_duration(kind):
        seconds = values.cast(pa.duration("us"), safe=False).cast(pa.int64())
        return Cells(_doubles(seconds) / 1e6)
    elif pa.types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        return _cells(values)
    elif kind in (pa.int64(), pa.uint64()) and _has_long_numbers(values):
        values = values.cast(pa.string())
    elif _is_number(kind) or pa.types.is_null(kind):
        return Cells(_doubles(values.cast(pa.float64(), safe=False)))
    elif not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return Cells(labels=labels_of_text(values.to_pandas()))
    coded = pc.dictionary_encode(values)
    codes = pc.fill_null(coded.indices.cast(pa.int64()), -1).to_numpy(zero_copy_only=False)
    return Cells(labels=Labels(tuple(coded.dictionary.to_pylist()), codes))


def _has_long_numbers(values: Any) -> bool:
    """Whether integers would lose digits in double precision."""
    import pyarrow.compute as pc

    ends = pc.min_max(values)
    return any(abs(end.as_py() or 0) > LARGEST_EXACT for end in (ends["min"], ends["max"]))


def _doubles(values: Any) -> Any:
    return values.to_numpy(zero_copy_only=False).astype(np.float64)
