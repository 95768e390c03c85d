"""Scored rows as Parquet: predictions as the model adds them up, kept columns as text, numbers or moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values.cells import Cells
from workbench.errors import WorkbenchError
from workbench.scoring.row_writers import ROW_WRITERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.bytes.files import Sink
    from workbench.scoring.scorer import OutColumn

MICROSECONDS_A_DAY = 86_400_000_000


class ParquetRows:
    """A Parquet file that is being written: a row group a chunk."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._writer: Any = None

    def write(self, columns: Mapping[str, OutColumn]) -> None:
        """Append rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        batch = pa.table({name: _array(column) for name, column in columns.items()})
        if self._writer is None:
            self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, mode="w"), batch.schema)
        self._writer.write_table(batch)

    def close(self) -> None:
        """Write the index at the end."""
        if self._writer is not None:
            self._writer.close()


class ParquetWriter:
    """Writes Parquet, where pyarrow is there."""

    name, label, suffixes = "parquet", "Parquet", (".parquet", ".pq")

    def open(self, sink: Sink, *, neutralise: bool) -> ParquetRows:
        """Begin a file; it knows no formulas."""
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError as error:
            words = "Writing Parquet needs the package pyarrow. Install it with: pip install pyarrow"
            raise WorkbenchError(words) from error
        return ParquetRows(sink)


def _array(column: OutColumn) -> Any:
    import pyarrow as pa

    if not isinstance(column, Cells):
        return pa.array(column)
    if column.labels is not None:
        codes = column.labels.codes
        texts = np.array([*column.labels.texts, None], object)[codes]
        return pa.array(texts, pa.string(), from_pandas=True)
    numbers = column.numbers
    assert numbers is not None
    missing = np.isnan(numbers)
    if column.is_date:
        moments = np.round(np.where(missing, 0, numbers) * MICROSECONDS_A_DAY).astype(np.int64)
        return pa.array(moments, pa.timestamp("us"), mask=missing)
    return pa.array(numbers, pa.float64(), mask=missing)


ROW_WRITERS.register(ParquetWriter())
