"""A table some rows at a time, so that one of any length needs the memory of a few."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from workbench.data.values.cell_rules import USUAL, CellRules
from workbench.data.values.cells import Chunk, cells_of
from workbench.errors import WorkbenchError, leave_if
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workbench.data.readers.options import ReadOptions
    from workbench.data.readers.source import Cancelled as CancelledQuestion
    from workbench.data.readers.source import Progress, Source
    from workbench.data.table import Table, TableNote
    from workbench.data.values.writing import Writing

    Names = frozenset[str]

CHUNK_ROWS = 32_768
T = TypeVar("T")


@dataclass(frozen=True)
class ChunkedTable:
    """A table that is read while it is used.

    Attributes
    ----------
    name : str
    names : tuple of str
        Of the columns.
    chunks : callable (wanted, kept) to an iterator of Chunk
        From the first row; `wanted` and `kept` are sets of names.
    first_texts : mapping of str to tuple of str
        Cells of the first rows as they stand, by column; none where the file has types of its own.
    rules : CellRules
        How text is read.
    writings : mapping of str to Writing
        Of columns that were read as a whole, how they are written.
    notes : callable () to a tuple of TableNote
        What was repaired, once the chunks are through.
    """

    name: str
    names: tuple[str, ...]
    chunks: Callable[[Names, Names], Iterator[Chunk]]
    first_texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rules: CellRules = USUAL
    notes: Callable[[], tuple[TableNote, ...]] = tuple
    writings: dict[str, Writing] = field(default_factory=dict)

    def check_named(self, options: ReadOptions) -> None:
        """Refuse options for columns that are not there."""
        unknown = next((name for name, _ in options.kinds if name not in self.names), None)
        if unknown is not None:
            raise WorkbenchError(f"There is no column '{unknown}'. {nearest(unknown, self.names)}.")


@runtime_checkable
class ChunkingReader(Protocol):
    """A reader that need not hold the whole file."""

    def with_chunks(
        self, source: Source, options: ReadOptions, take: Callable[[ChunkedTable], T], *,
        progress: Progress | None, cancelled: CancelledQuestion | None,
    ) -> T:  # fmt: skip
        """Return what `take` makes of the table; it is called again where the encoding proves wrong."""


def chunked(table: Table, cancelled: CancelledQuestion | None = None) -> ChunkedTable:
    """Return a table that is in memory, to be gone through by chunk."""
    columns = {column.name: column for column in table.columns}

    def chunks(wanted: Names, kept: Names) -> Iterator[Chunk]:
        for begin in range(0, table.n_rows, CHUNK_ROWS):
            leave_if(cancelled)
            end = min(begin + CHUNK_ROWS, table.n_rows)
            cells = {name: cells_of(columns[name], begin, end) for name in wanted | kept}
            yield Chunk(begin, end - begin, {n: cells[n] for n in wanted}, {n: cells[n] for n in kept})

    writings = {column.name: column.writing for column in table.columns}
    return ChunkedTable(table.name, table.names, chunks, notes=lambda: table.notes, writings=writings)
