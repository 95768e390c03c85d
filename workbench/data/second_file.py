"""A second file of rows like those of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.data.readers.options import GUESS_ALL
from workbench.data.reading import read_table
from workbench.data.values.column_types import change_kind
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.data.table import Table


def read_second(
    path: str | Path, first: Table, cancelled: Callable[[], bool] | None = None
) -> Table:
    """Read a file whose columns are what those of the first table are.

    Cells are read as was settled for the first table. A column that is there read as another kind, as all
    of its cells happen to be numbers, is changed where its values allow it.
    """
    options = GUESS_ALL.filled(first.settled)
    table = read_table(path, options=options, cancelled=cancelled)
    for column in first.columns:
        if column.name not in table.names or table.column(column.name).kind == column.kind:
            continue
        try:
            changed, _ = change_kind(table.column(column.name), column.kind)
        except WorkbenchError:
            continue  # which is said where the column is needed
        table = table.with_column(changed)
    return table
