"""Scored rows as CSV: UTF-8, a header, numbers in the shortest text that gives the same number back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values.cells import Cells
from workbench.formats.bytes.csv_text import csv_text
from workbench.scoring.row_writers import ROW_WRITERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.bytes.files import Sink
    from workbench.scoring.scorer import OutColumn


class CsvRows:
    """A CSV file that is being written."""

    def __init__(self, sink: Sink, neutralise: bool) -> None:
        self._sink, self._neutralise = sink, neutralise
        self._is_begun = False

    def write(self, columns: Mapping[str, OutColumn]) -> None:
        """Append rows, below a header the first time."""
        if not self._is_begun:
            self._sink.write(csv_text([list(columns)], neutralise=self._neutralise))
            self._is_begun = True
        rows = zip(*map(csv_texts, columns.values()), strict=True)
        self._sink.write(csv_text(rows, neutralise=self._neutralise))

    def close(self) -> None:
        """Nothing stands at the end."""


class CsvWriter:
    """Writes CSV."""

    name, label, suffixes = "csv", "CSV", (".csv", ".txt")

    def open(self, sink: Sink, *, neutralise: bool) -> CsvRows:
        """Begin a file."""
        return CsvRows(sink, neutralise)


def csv_texts(column: OutColumn) -> list[Any]:
    """Return the cells of a column as they stand in the file."""
    if isinstance(column, Cells):
        return column.texts()
    if column.dtype.kind == "i":
        return column.tolist()
    texts = column.astype(str).tolist()
    return ["" if text == "nan" else text for text in texts] if np.isnan(column).any() else texts


ROW_WRITERS.register(CsvWriter())
