"""Rows of other kinds of file, written as CSV for the reader of text: one way of finding names and types."""

from __future__ import annotations

import csv
import hashlib
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.data.readers.delimited import DelimitedReader
from workbench.data.readers.source import HEAD_BYTES, Source
from workbench.data.room import MOST_FOLD, AwaitedRows, ask_for_rows
from workbench.data.text.stream.long_cells import check_cells
from workbench.errors import WorkbenchError, leave_if
from workbench.memory import in_megabytes
from workbench.passing_folder import passing_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress
    from workbench.data.table import Table

ASK_EVERY = 1000  # rows
LEAST_UNFOLDED = 1 << 28  # characters that any file may make


def table_of_rows(
    source: Source, rows: Iterable[Sequence[str]], options: ReadOptions, progress: Progress | None,
    cancelled: CancelledQuestion | None,
) -> Table:
    """Make a table of rows of text, the header among them; they lie on the disk meanwhile."""
    with _written(source, rows, options, cancelled) as written:
        table = DelimitedReader().read(written, of_csv(options), progress=progress, cancelled=cancelled)
    return replace(table, name=source.name, source=str(source.path), sha256=file_hash(source.path))


def preview_of_rows(
    source: Source, rows: Iterable[Sequence[str]], options: ReadOptions, is_whole: bool,
    cancelled: CancelledQuestion | None = None,
) -> Preview:
    """Preview a table of the first rows, the header among them."""
    with _written(source, rows, options, cancelled) as written:
        seen = DelimitedReader().preview(written, of_csv(options), cancelled)
    own = tuple(guess for guess in seen.guesses if guess.option not in ("separator", "encoding"))
    return replace(seen, guesses=own, is_whole=is_whole and seen.is_whole)


def of_csv(options: ReadOptions) -> ReadOptions:
    """Return the options for rows that were written as CSV."""
    return replace(options, separator=",", encoding="utf-8", part=None, merged=None)


@contextmanager
def _written(
    source: Source, rows: Iterable[Sequence[str]], options: ReadOptions, cancelled: CancelledQuestion | None
) -> Iterator[Source]:
    """Write rows as CSV into a file that goes again; of those wanted in memory as many as have room there."""
    with passing_folder() as folder:
        path = folder / "rows.csv"
        with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            written, most = 0, max(LEAST_UNFOLDED, MOST_FOLD * source.size)
            for number, row in enumerate(rows):
                if number % ASK_EVERY == 0:
                    leave_if(cancelled)
                    if not options.is_sample and options.map_folder is None:
                        ask_for_rows(AwaitedRows(source.name, number, max(1, len(row)), is_least=True))
                written += len(row) + check_cells(row, number + 1)
                if written > most:
                    words = f"'{source.name}' unpacks to more than {in_megabytes(most)}"
                    raise WorkbenchError(f"{words}, which no table needs. Save it again as CSV.")
                writer.writerow(row)
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
        yield Source(path, path.stat().st_size, head, source.name)


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
