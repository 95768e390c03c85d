"""Parquet and Feather: a column at a time, so that only one is held in the file's own types."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from workbench.data.cells import Cells, Chunk
from workbench.data.column_types import infer
from workbench.data.columns import LARGEST_EXACT, number_column, on_disk
from workbench.data.encoding import check_cancelled
from workbench.data.frames import column_from_series
from workbench.data.header import unique_names
from workbench.data.labels import Labels
from workbench.data.readers.as_text import file_hash, leave_if
from workbench.data.readers.base import READERS, missing_package
from workbench.data.readers.chunks import CHUNK_ROWS, ChunkedTable
from workbench.data.readers.options import GUESS_ALL
from workbench.data.remarks import column_remarks, table_remarks
from workbench.data.room import Rows, ask_for_rows
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
            names, rows, take = (_parquet if _is_parquet(source) else _feather)(source)
            return _table(source, names, rows, take, options, progress, cancelled)

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
    except (pa.ArrowException, OSError, ValueError, TypeError, MemoryError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
        words = f"'{source.name}' is a damaged {kind} file: {reason}. Copy it again."
        raise WorkbenchError(words) from error


def _parquet(source: Source) -> tuple[list[str], int, Callable[[int], Any]]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source.path)
    names = list(file.schema_arrow.names)
    return names, file.metadata.num_rows, lambda place: file.read([names[place]]).column(0)


def _feather(source: Source) -> tuple[list[str], int, Callable[[int], Any]]:
    """Open without mapping the file into memory: one that is cut meanwhile would end the program."""
    from pyarrow import feather, ipc

    if source.head.startswith(FIRST_FEATHER):
        whole = feather.read_table(source.path)
        return list(whole.column_names), whole.num_rows, whole.column
    with source.path.open("rb") as stream, ipc.open_file(stream) as file:
        rows = sum(file.get_batch(number).num_rows for number in range(file.num_record_batches))
        return list(file.schema.names), rows, lambda place: _feather_column(source, place)


def _feather_column(source: Source, place: int) -> Any:
    from pyarrow import ipc

    only = ipc.IpcReadOptions(included_fields=[place])
    with source.path.open("rb") as stream, ipc.open_file(stream, options=only) as file:
        return file.read_all().column(0)


def _table(
    source: Source, found: list[str], rows: int, take: Callable[[int], Any], options: ReadOptions,
    progress: Progress | None, cancelled: CancelledQuestion | None,
) -> Table:  # fmt: skip
    size = f"{rows:,} rows and {len(found)} columns"
    if not found or not rows:
        raise WorkbenchError(f"'{source.name}' has {size}. Choose another file.")
    space = None if options.map_folder is None else MappedSpace(options.map_folder)
    ask_for_rows(Rows(source.name, rows, len(found), can_be_sampled=False), space)
    names, notes = unique_names(found)
    columns: list[Column] = []
    for place, name in enumerate(names):
        leave_if(cancelled)
        values = take(place)
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
        return number_column(name, values.to_pandas().dt.total_seconds().to_numpy())
    elif pa.types.is_date(kind):
        values = values.cast(pa.timestamp("ms"))
    elif pa.types.is_time(kind) or pa.types.is_null(kind):
        values = values.cast(pa.string())
    return column_from_series(name, values.to_pandas())


def _chunked(source: Source, progress: Progress | None, cancelled: CancelledQuestion | None) -> ChunkedTable:
    """Return the columns of single values, to be read by batch; one is held in the file's own types."""
    import pyarrow.feather as feather
    import pyarrow.parquet as pq

    if _is_parquet(source):
        file = pq.ParquetFile(source.path)
        schema, rows = file.schema_arrow, file.metadata.num_rows
    else:
        whole = feather.read_table(source.path, memory_map=True)
        schema, rows = whole.schema, whole.num_rows
    names, _ = unique_names(list(schema.names))
    found = {name: schema.names[place] for place, name in enumerate(names)
             if _is_single(schema.field(place).type)}

    def batches(columns: list[str]) -> Iterator[Any]:
        if _is_parquet(source):
            return file.iter_batches(CHUNK_ROWS, columns=columns)
        return iter(whole.select(columns).to_batches(CHUNK_ROWS))

    def chunks(wanted: frozenset[str], kept: frozenset[str]) -> Iterator[Chunk]:
        first = 0
        all_names = sorted(wanted | kept)
        with _damage_told(source):
            columns = [found[name] for name in all_names] or list(found.values())[:1]
            for batch in batches(columns):
                check_cancelled(cancelled)
                cells = {name: _cells(batch.column(found[name])) for name in all_names}
                yield Chunk(first, batch.num_rows, {n: cells[n] for n in wanted}, {n: cells[n] for n in kept})
                first += batch.num_rows
                if progress is not None:
                    progress(first, rows)

    return ChunkedTable(source.name, tuple(found), chunks)


def _is_single(kind: Any) -> bool:
    import pyarrow as pa

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


def _cells(values: Any) -> Cells:
    """Return an array as cells, each by itself, whatever the others hold."""
    import pyarrow as pa
    import pyarrow.compute as pc

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
    elif not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return Cells(_doubles(values.cast(pa.float64(), safe=False)))
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
