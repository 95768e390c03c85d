"""Rows of other kinds of file, written as CSV for the reader of text: one way of finding names and types."""

from __future__ import annotations

import csv
import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.readers.base import HEAD_BYTES, Source
from workbench.data.readers.delimited import DelimitedReader
from workbench.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench.data.readers.base import Cancelled as CancelledQuestion
    from workbench.data.readers.base import Progress
    from workbench.data.table import Table

ASK_EVERY = 1000  # rows


def table_of_rows(
    source: Source, rows: Iterable[Sequence[str]], progress: Progress | None,
    cancelled: CancelledQuestion | None,
) -> Table:
    """Make a table of rows of text, the header among them; they lie on the disk meanwhile."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        path = Path(folder) / "rows.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            for number, row in enumerate(rows):
                if number % ASK_EVERY == 0:
                    leave_if(cancelled)
                writer.writerow(row)
        with path.open("rb") as file:
            written = Source(path, path.stat().st_size, file.read(HEAD_BYTES), source.name)
        table = DelimitedReader().read(written, progress=progress, cancelled=cancelled)
    return replace(table, name=source.name, source=str(source.path), sha256=file_hash(source.path))


def leave_if(cancelled: Callable[[], bool] | None) -> None:
    """Raise Cancelled where the person has asked for it."""
    if cancelled is not None and cancelled():
        raise Cancelled


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
