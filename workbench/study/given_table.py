"""The table that a study is given: a frame, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.session.table_source import TableSource

if TYPE_CHECKING:
    from workbench.data.table import Kind, Table


def given_table(data: Any, options: Any) -> tuple[Table, TableSource | None]:
    """Return a table, and its file where it comes from one."""
    if isinstance(data, (str, Path)):
        from workbench.data.readers.options import GUESS_ALL, ReadOptions
        from workbench.data.reading import read_table

        if isinstance(options, Mapping):
            options = ReadOptions(**options)
        table = read_table(data, options=options or GUESS_ALL)
        kinds = {column.name: column.kind for column in table.columns}
        return table, TableSource(Path(data), options, kinds)
    from workbench.data.given.frames import table_from_frame
    from workbench.data.given.rows import is_frame, rows_of

    rows = rows_of(data)
    if not is_frame(rows):
        raise WorkbenchError("A study is of a frame or of a file: give a DataFrame, or the path of a table.")
    return table_from_frame(rows), None


def with_kind(table: Table, name: str, kind: Kind) -> Table:
    """Return the table with a column of another kind."""
    from workbench.data.values.column_types import change_kind

    column = table.column(name)
    return table if column.kind == kind else table.with_column(change_kind(column, kind)[0])
