"""A file read as a table: whole, a preview of it, or some rows at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.data.readers.base import reader_for
from workbench.data.readers.chunks import ChunkedTable, ChunkingReader, T, chunked
from workbench.data.readers.options import CELL_OPTIONS, GUESS_ALL
from workbench.data.readers.preview import Preview, PreviewingReader
from workbench.data.readers.source import open_source, trouble_said
from workbench.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled, Progress
    from workbench.data.table import Table, TableNote


def read_table(
    path: str | Path, *, options: ReadOptions = GUESS_ALL, progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Table:  # fmt: skip
    """Read a table from a file, or from the text tables of a folder.

    Parameters
    ----------
    path : str or Path
    options : ReadOptions, optional
        What is settled; the rest is guessed.
    progress : callable (done, total), optional
        Told after each block the rows read so far and the rows expected in all (an estimate from
        the size of the file until the end is reached).
    cancelled : callable () -> bool, optional
        Asked after each block.

    Raises
    ------
    WorkbenchError
        In one line what is wrong with the file, where, and what to do.
    Cancelled
        Where `cancelled` answered yes.
    """
    with trouble_said(Path(path)):
        if Path(path).is_dir():
            from workbench.data.readers.folder import read_folder

            return _settled(read_folder(Path(path), options, progress, cancelled), options)
        source = open_source(Path(path))
        reader = reader_for(source, options)
        return _settled(reader.read(source, options, progress=progress, cancelled=cancelled), options)


def can_be_mapped(path: str | Path, options: ReadOptions) -> bool:
    """Whether the table of a file, or of a folder, can be kept on disk."""
    return is_folder(path) or "map_folder" in reader_for(open_source(Path(path)), options).uses


def _settled(table: Table, options: ReadOptions) -> Table:
    return replace(with_kinds(table, options), settled=options.of_cells)


def knows_cells(path: str | Path) -> bool:
    """Whether cells of a file, or of a folder, can be read in several ways."""
    return is_folder(path) or reader_for(open_source(Path(path))).uses >= CELL_OPTIONS


def with_kinds(table: Table, options: ReadOptions) -> Table:
    """Give columns the kinds that are wanted."""
    from workbench.data.values.column_types import change_kind

    for name, kind in options.kinds:
        before = table.column(name)
        column, notes = change_kind(before, kind, options.cell_rules)
        if kind != before.kind:  # why it was read as another one is no longer true
            notes = [*(n for n in table.notes if not _tells_kind(n, name)), *notes]
            table = replace(table.with_column(column), notes=tuple(notes))
    return table


def _tells_kind(note: TableNote, name: str) -> bool:
    """Whether a note says as what a column was read."""
    from workbench.data.values.mixed_units import AS_CATEGORY

    return note.column == name and note.text.endswith(AS_CATEGORY)


def with_chunks(
    path: str | Path, take: Callable[[ChunkedTable], T], *, options: ReadOptions = GUESS_ALL,
    progress: Progress | None = None, cancelled: Cancelled | None = None,
) -> T:  # fmt: skip
    """Return what `take` makes of a table that is read some rows at a time.

    `take` may be called twice, and begins anew then: a file that seemed to be UTF-8 may prove to be not.
    Text, and Parquet, are never held as a whole; workbooks and the like are.

    Raises
    ------
    WorkbenchError, Cancelled
        As `read_table`.
    """
    path = Path(path)
    if not is_folder(path):
        source = open_source(path)
        reader = reader_for(source, options)
        if isinstance(reader, ChunkingReader):
            return reader.with_chunks(source, options, take, progress=progress, cancelled=cancelled)
    table = read_table(path, options=options, progress=progress, cancelled=cancelled)
    return take(chunked(table, cancelled))


def preview(
    path: Path, options: ReadOptions = GUESS_ALL, cancelled: Cancelled | None = None
) -> Preview | None:
    """Read the beginning of a file, or of the first one in a folder; None where nothing can be chosen.

    Raises
    ------
    WorkbenchError
        As `read_table`; so also where the first rows cannot be read with these options.
    """
    with trouble_said(path):
        if path.is_dir():
            from workbench.data.readers.folder import preview_folder

            return preview_folder(path, options, cancelled)
        source = open_source(path)
        reader = reader_for(source, options)
        if not isinstance(reader, PreviewingReader):
            return None
        return replace(reader.preview(source, options, cancelled), uses=reader.uses)
