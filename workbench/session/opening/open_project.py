"""A project file with its table, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.session.objective_facts import ObjectiveFacts, known_objectives
from workbench.session.project.found_table import FoundTable, find_table
from workbench.session.project.read import read_project
from workbench.session.project.tables import KnownTables, resolved_lines
from workbench.session.table_source import TableSource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from workbench.data.statistics import ColumnSummary
    from workbench.data.table import Table
    from workbench.session.project.content import ProjectContent
    from workbench.session.session import Session


@dataclass(frozen=True)
class OpenedProject:
    """What was read, and the table as it stood there.

    `tables` make it again with other kinds of columns; None where there is no table.
    """

    path: Path
    content: ProjectContent
    found: FoundTable
    tables: KnownTables | None
    table: Table | None
    summaries: Mapping[str, ColumnSummary]
    objectives: tuple[ObjectiveFacts, ...]

    @property
    def source(self) -> TableSource | None:
        """Where the table came from."""
        if self.found.path is None or self.tables is None:
            return None
        kinds = {column.name: column.kind for column in self.tables.read.columns}
        return TableSource(self.found.path, self.found.options, kinds)

    def show(self, session: Session) -> None:
        """Let a session go on with it."""
        as_read = None if self.tables is None else self.tables.read
        session.take_up(self.content, self.table, self.summaries, self.objectives, self.source, as_read)


def open_project(
    path: Path, elsewhere: Path | None = None, progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> OpenedProject:  # fmt: skip
    """Read a project and its table; imports pandas and numba, so call it on a worker thread.

    Parameters
    ----------
    elsewhere : Path, optional
        Where its table is, if that was moved.

    Raises
    ------
    WorkbenchError
        In one line why it cannot be opened.
    """
    content = read_project(path)
    return with_table(path, content, find_table(path, content, elsewhere, progress, cancelled))


def with_table(path: Path, content: ProjectContent, found: FoundTable) -> OpenedProject:
    """Put a project and a table together that was found for it."""
    tables = None if found.table is None else KnownTables(found.table)
    content.lines = resolved_lines(content, tables)
    table = None if tables is None else tables.with_kinds(content.kinds)
    summaries = {} if tables is None or table is None else tables.summaries(table)
    return OpenedProject(path, content, found, tables, table, summaries, known_objectives())
