"""A folder of text tables with the same columns, read as one table."""

from __future__ import annotations

import csv
import hashlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from workbench.data.readers.as_text import of_csv
from workbench.data.readers.delimited import DelimitedReader, take_text
from workbench.data.readers.source import BY_A_CLUSTER, HEAD_BYTES, Source, open_source
from workbench.data.table import Table, TableNote
from workbench.data.values.labels import natural_key
from workbench.errors import Cancelled, WorkbenchError, leave_if
from workbench.passing_folder import passing_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress
    from workbench.data.text.reading import Reading

TABLES, TEXTS = (".csv", ".tsv", ".tab"), (".txt", ".dat")  # these where there are none of those
PARQUET = {".parquet", ".pq"}
PACKED = (".gz", ".bz2", ".xz")
NAMED = 3  # columns or files that a message names


def table_files(
    folder: Path, cancelled: CancelledQuestion | None = None
) -> tuple[list[Path], list[Path]]:  # fmt: skip
    """Return the tables in a folder in the order of their names, and the other files."""
    is_file: dict[str, bool] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                leave_if(cancelled)
                is_plain = entry.is_file(follow_symlinks=False)
                if not entry.name.startswith(".") and (is_plain or not (folder / entry.name).is_dir()):
                    is_file[entry.name] = is_plain or (folder / entry.name).is_file()
    except OSError as error:
        raise WorkbenchError(f"'{folder}' cannot be read: {error.strerror}. Check the folder.") from None
    names = sorted(is_file, key=natural_key)
    kinds = {name: _kind(name) for name in names}
    wanted = next((some for some in (TABLES, TEXTS) if any(kind in some for kind in kinds.values())), ())
    tables = [folder / name for name in names if is_file[name] and kinds[name] in wanted]
    if not tables and PARQUET & set(kinds.values()):
        raise WorkbenchError(f"'{folder.name}' is a folder of Parquet; {BY_A_CLUSTER}. Or choose one file.")
    if not tables:
        raise WorkbenchError(f"'{folder.name}' is a folder without CSV files. Choose another one, or a file.")
    chosen = frozenset(path.name for path in tables)
    return tables, [folder / name for name in names if name not in chosen]


def _kind(name: str) -> str:
    """Return the suffix of a name, without those of packing."""
    parts = name.lower().split(".")
    while f".{parts[-1]}" in PACKED:
        parts.pop()
    return f".{parts[-1]}" if len(parts) > 1 else ""


def read_folder(
    folder: Path, options: ReadOptions, progress: Progress | None, cancelled: CancelledQuestion | None
) -> Table:
    """Read every table of a folder, one below the other; a column says which row is from which file.

    Columns are matched by name. Types are found over all rows, which lie on the disk meanwhile.
    WorkbenchError names the file whose columns differ, or whose lines cannot be read.
    """
    tables, others = table_files(folder, cancelled)
    with passing_folder() as temporary:
        path = temporary / "rows.csv"
        with path.open("w", encoding="utf-8", errors="replace", newline="") as out:
            merging = _Merging(out, options, cancelled, has_file_column=len(tables) > 1)
            for number, table in enumerate(tables):
                merging.add(open_source(table), _of_all(progress, merging.rows, number, len(tables)))
        written = Source(path, path.stat().st_size, _head(path), folder.name)
        whole = replace(of_csv(options), header=True, units=False, first_line=1, footer=False)
        read = DelimitedReader().read(written, whole, progress=progress, cancelled=cancelled)
    notes = (*_left_out(others), *merging.notes, *read.notes)
    return Table(folder.name, read.columns, notes, str(folder), merging.sha256)


def preview_folder(
    folder: Path, options: ReadOptions, cancelled: CancelledQuestion | None = None
) -> Preview:
    """Preview the first table of a folder; the options hold for all of them."""
    reader = DelimitedReader()
    seen = reader.preview(open_source(table_files(folder)[0][0]), options, cancelled)
    return replace(seen, uses=reader.uses - {"part"}, is_whole=False)


def _of_all(progress: Progress | None, rows: int, number: int, n_files: int) -> Progress | None:
    """Return the progress of one file as that of the folder, of which rows of `number` files were read."""

    def told(done: int, total: int) -> None:
        if progress is not None:
            share = (number + min(done / max(total, 1), 1)) / n_files
            progress(rows + done, round((rows + done) / share) if share else rows + done)

    return told


class _Merging:
    """Writes the rows of several tables into one file, under the names of the first."""

    def __init__(
        self, out: TextIO, options: ReadOptions, cancelled: CancelledQuestion | None, *, has_file_column: bool
    ) -> None:
        self._out = out
        self._writer = csv.writer(out, lineterminator="\n")
        self._options = replace(options, part=None, kinds=())
        self._cancelled = cancelled
        self._has_file_column = has_file_column
        self._first = ""
        self._names: tuple[str, ...] = ()
        self._hash = hashlib.sha256()
        self.notes: list[TableNote] = []
        self.rows = 0

    @property
    def sha256(self) -> str:
        """Hash of the hashes of the files."""
        return self._hash.hexdigest()

    def add(self, source: Source, progress: Progress | None) -> None:
        """Write the rows of one more table."""
        mark = self._out.tell()
        try:
            notes, _ = take_text(
                source, self._options, lambda reading: self._write(reading, source.name, mark),
                progress=progress, cancelled=self._cancelled,
            )  # fmt: skip
        except Cancelled:
            raise
        except WorkbenchError as error:
            text = str(error)
            raise WorkbenchError(text if source.name in text else f"'{source.name}': {text}") from None
        self.notes += [replace(note, text=f"{source.name}: {note.text}") for note in notes]

    def _write(self, reading: Reading, name: str, mark: int) -> tuple[TableNote, ...]:
        """Write all rows from a mark on: those that were read in a wrong encoding go."""
        self._out.seek(mark)
        self._out.truncate()
        places = self._places(reading.layout.names, name)
        if mark == 0:
            self._writer.writerow((*self._names, *self._file_column()))
        told = (name,) if self._has_file_column else ()

        def take(rows: Iterable[tuple[str, ...]]) -> None:
            self._writer.writerows((*(row[place] for place in places), *told) for row in rows)

        notes = reading.hand_rows(take)
        self.rows += reading.rows
        self._hash.update(reading.sha256.encode())
        return notes

    def _places(self, names: tuple[str, ...], name: str) -> list[int]:
        """Return where the columns stand in this table; refuse one that has others."""
        if not self._first or self._first == name:
            self._first, self._names = name, names
        places = {column: place for place, column in enumerate(names)}
        known = frozenset(self._names)
        missing = [column for column in self._names if column not in places]
        more = [column for column in names if column not in known]
        if missing or more:
            parts = [f"has no column {_listed(missing)}"] if missing else []
            parts += [f"has {_listed(more)} besides"] if more else []
            said = f"'{name}' {' and '.join(parts)}, compared with '{self._first}'."
            raise WorkbenchError(f"{said} Give all files the same columns, or open one of them.")
        return [places[column] for column in self._names]

    def _file_column(self) -> tuple[str, ...]:
        if not self._has_file_column:
            return ()
        name, number = "file", 1
        while name in self._names:
            number += 1
            name = f"file ({number})"
        return (name,)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name[:40]}'" for name in names[:NAMED])
    return f"{shown} and {len(names) - NAMED} more" if len(names) > NAMED else shown


def _left_out(others: Sequence[Path]) -> list[TableNote]:
    if not others:
        return []
    text = f"Other files in the folder are left out: {_listed([path.name for path in others])}."
    return [TableNote(text, count=len(others))]


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
