"""A folder of text tables with the same columns, read as one table."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from workbench.data.labels import natural_key
from workbench.data.readers.as_text import of_csv
from workbench.data.readers.base import HEAD_BYTES, Source, open_source
from workbench.data.readers.delimited import DelimitedReader, take_text
from workbench.data.table import Note, Table
from workbench.errors import Cancelled, WorkbenchError
from workbench.passing_folder import passing_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from workbench.data.readers.base import Cancelled as CancelledQuestion
    from workbench.data.readers.base import Progress
    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.preview import Preview
    from workbench.data.readers.text_reading import Reading

TABLES, TEXTS = (".csv", ".tsv", ".tab"), (".txt", ".dat")  # these where there are none of those
PACKED = (".gz", ".bz2", ".xz")
NAMED = 3  # columns or files that a message names


def table_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the tables in a folder in the order of their names, and the other files."""
    try:
        files = [path for path in folder.iterdir() if not (path.is_dir() or path.name.startswith("."))]
    except OSError as error:
        raise WorkbenchError(f"'{folder}' cannot be read: {error.strerror}. Check the folder.") from None
    files.sort(key=lambda path: natural_key(path.name))
    wanted = next((kinds for kinds in (TABLES, TEXTS) if any(_is_of(path, kinds) for path in files)), ())
    tables = [path for path in files if path.is_file() and _is_of(path, wanted)]
    if not tables:
        raise WorkbenchError(f"'{folder.name}' is a folder without CSV files. Choose another one, or a file.")
    chosen = frozenset(tables)
    return tables, [path for path in files if path not in chosen]


def _is_of(path: Path, kinds: Sequence[str]) -> bool:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return bool(suffixes) and suffixes[-1] in kinds


def read_folder(
    folder: Path, options: ReadOptions, progress: Progress | None, cancelled: CancelledQuestion | None
) -> Table:
    """Read every table of a folder, one below the other; a column says which row is from which file.

    Columns are matched by name. Types are found over all rows, which lie on the disk meanwhile.
    WorkbenchError names the file whose columns differ, or whose lines cannot be read.
    """
    tables, others = table_files(folder)
    with passing_folder() as temporary:
        path = temporary / "rows.csv"
        with path.open("w", encoding="utf-8", errors="replace", newline="") as out:
            merging = _Merging(out, options, cancelled, has_file_column=len(tables) > 1)
            for table in tables:
                merging.add(open_source(table), progress)
        written = Source(path, path.stat().st_size, _head(path), folder.name)
        whole = replace(of_csv(options), header=True, units=False, first_line=1, footer=False)
        read = DelimitedReader().read(written, whole, progress=progress, cancelled=cancelled)
    notes = (*_left_out(others), *merging.notes, *read.notes)
    return Table(folder.name, read.columns, notes, str(folder), merging.sha256)


def preview_folder(folder: Path, options: ReadOptions) -> Preview:
    """Preview the first table of a folder; the options hold for all of them."""
    reader = DelimitedReader()
    seen = reader.preview(open_source(table_files(folder)[0][0]), options)
    return replace(seen, uses=reader.uses - {"part"}, is_whole=False)


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
        self.notes: list[Note] = []

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

    def _write(self, reading: Reading, name: str, mark: int) -> tuple[Note, ...]:
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


def _left_out(others: Sequence[Path]) -> list[Note]:
    if not others:
        return []
    text = f"Other files in the folder are left out: {_listed([path.name for path in others])}."
    return [Note(text, count=len(others))]


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
