"""Parquet and Feather: a column at a time, so that only one is held in the file's own types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.data.columns import number_column
from workbench.data.frames import column_from_series
from workbench.data.header import unique_names
from workbench.data.readers.as_text import file_hash, leave_if
from workbench.data.readers.base import READERS, missing_package
from workbench.data.readers.options import GUESS_ALL
from workbench.data.remarks import column_remarks, table_remarks
from workbench.data.table import Column, Note, Table
from workbench.errors import Cancelled, WorkbenchError
from workbench.memory import ask_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.readers.base import Cancelled as CancelledQuestion
    from workbench.data.readers.base import Progress, Source
    from workbench.data.readers.options import ReadOptions

PARQUET_MAGIC, FEATHER_MAGICS = b"PAR1", (b"ARROW1", b"FEA1")
BYTES_A_CELL = 4
WIDEST_CELL = 60  # bytes of one text while its column is read


class ArrowReader:
    """Reads what pyarrow reads; columns of lists or records are left out, and said so."""

    name = "arrow"
    kind = "a Parquet or Feather file"
    uses: frozenset[str] = frozenset()
    order = 10

    def accepts(self, source: Source) -> bool:
        """Whether the file begins as Parquet or Feather does."""
        return source.head.startswith((PARQUET_MAGIC, *FEATHER_MAGICS))

    def read(
        self, source: Source, options: ReadOptions = GUESS_ALL, *, progress: Progress | None = None,
        cancelled: CancelledQuestion | None = None,
    ) -> Table:  # fmt: skip
        """Read the file; see `read_table`."""
        kind = "Parquet" if source.head.startswith(PARQUET_MAGIC) else "Feather"
        try:
            import pyarrow as pa
        except ImportError as error:
            raise missing_package(source, f"a {kind} file", "pyarrow") from error
        try:
            names, rows, take = (_parquet if kind == "Parquet" else _feather)(source)
            return _table(source, names, rows, take, progress, cancelled)
        except (Cancelled, WorkbenchError):
            raise
        except (pa.ArrowException, OSError, ValueError, TypeError, MemoryError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
            words = f"'{source.name}' is a damaged {kind} file: {reason}. Copy it again."
            raise WorkbenchError(words) from error


READERS.register(ArrowReader())


def _parquet(source: Source) -> tuple[list[str], int, Callable[[int], Any]]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source.path)
    names = list(file.schema_arrow.names)
    return names, file.metadata.num_rows, lambda place: file.read([names[place]]).column(0)


def _feather(source: Source) -> tuple[list[str], int, Callable[[int], Any]]:
    import pyarrow.feather as feather

    whole = feather.read_table(source.path, memory_map=True)
    return list(whole.column_names), whole.num_rows, whole.column


def _table(
    source: Source, found: list[str], rows: int, take: Callable[[int], Any], progress: Progress | None,
    cancelled: CancelledQuestion | None,
) -> Table:  # fmt: skip
    size = f"{rows:,} rows and {len(found)} columns"
    if not found or not rows:
        raise WorkbenchError(f"'{source.name}' has {size}. Choose another file.")
    ask_for(rows * (BYTES_A_CELL * len(found) + WIDEST_CELL), source.name, size)
    names, notes = unique_names(found)
    columns: list[Column] = []
    for place, name in enumerate(names):
        leave_if(cancelled)
        made = _column(name, take(place))
        if made is None:
            text = f"Column '{name}' holds lists or records, and is left out."
            notes.append(Note(text, name, rows, "warning"))
            continue
        columns.append(made[0])
        notes += made[1] + column_remarks(made[0])
        if progress is not None:
            progress(round(rows * (place + 1) / len(names)), rows)
    if not columns:
        raise WorkbenchError(f"'{source.name}' has no column of numbers, text or dates. Choose another file.")
    return Table(source.name, tuple(columns), (*table_remarks(columns), *notes), str(source.path),
                 file_hash(source.path))


def _column(name: str, values: Any) -> tuple[Column, list[Note]] | None:
    """Make a column of a chunked array; None where a cell is no single value."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return None
    if pa.types.is_decimal(kind):
        values = values.cast(pa.float64())
    elif pa.types.is_duration(kind):
        return number_column(name, values.to_pandas().dt.total_seconds().to_numpy())
    elif pa.types.is_date(kind):
        values = values.cast(pa.timestamp("ms"))
    elif pa.types.is_time(kind) or pa.types.is_null(kind):
        values = values.cast(pa.string())
    return column_from_series(name, values.to_pandas())
