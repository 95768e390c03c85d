"""The table that a study is given: a frame, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.session.table_source import TableSource

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions
    from workbench.data.table import Kind, Table


def given_table(data: Any, options: Any) -> tuple[Table, TableSource | None]:
    """Return a table, and its file where it comes from one."""
    if isinstance(data, (str, Path)):
        from workbench.data.reading import read_table

        table = read_table(data, options=settled_options(options))
        kinds = {column.name: column.kind for column in table.columns}
        return table, TableSource(Path(data), None if options is None else settled_options(options), kinds)
    from workbench.data.given.frames import table_from_frame
    from workbench.data.given.rows import is_frame, rows_of

    rows = rows_of(data)
    if not is_frame(rows):
        raise WorkbenchError("A study is of a frame or of a file: give a DataFrame, or the path of a table.")
    return table_from_frame(rows), None


def settled_options(said: ReadOptions | Mapping[str, Any] | None) -> ReadOptions:
    """Return how a file is read; guessed where nothing is said."""
    from workbench.data.readers.options import GUESS_ALL, ReadOptions

    return ReadOptions(**said) if isinstance(said, Mapping) else said or GUESS_ALL


def with_kind(table: Table, name: str, kind: Kind) -> Table:
    """Return the table with a column of another kind."""
    from workbench.data.values.column_types import change_kind

    column = table.column(name)
    return table if column.kind == kind else table.with_column(change_kind(column, kind)[0])
