"""The rows that a model was trained on and those that were held out, found again in their table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.data.given.rows import is_frame, places_of, rows_of
from workbench.data.schema import BY_COLUMN
from workbench.data.split_columns import rows_by_column
from workbench.data.splits import hold_out, hold_out_groups
from workbench.data.table import Table
from workbench.errors import WorkbenchError
from workbench.formats.answered_rows import answers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema, Split
    from workbench.data.table import Column


class HeldRows(NamedTuple):
    """Rows of a table, from 0, ascending; those without an answer are in neither part."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]


def held_rows(schema: DataSchema, data: Any, y: Any = None) -> HeldRows:
    """Split a table as it was split for training.

    Parameters
    ----------
    data : path, DataFrame, table of Arrow, or Table
        The table that the model was trained on.
    y : array-like of shape (n,), optional
        The answers, where the table does not hold them.

    Raises
    ------
    WorkbenchError
        The model does not tell how, or the table lacks what it goes by.
    """
    split = schema.split
    if split is None or not split.holds_out:
        raise WorkbenchError("The model does not tell that rows of its table were held out.")
    if split.by == "file":
        raise WorkbenchError(f"All rows of the table trained; those of {split.file} were held out.")
    if isinstance(data, (str, Path)):
        data = _read(schema, data)
    data = rows_of(data)
    target = answers(schema, _labels(data, schema.target) if y is None else y, _length(data))
    rows = np.flatnonzero(~np.isnan(target))
    if split.by in BY_COLUMN:
        parts = rows_by_column(_column(data, split.column, split.by), rows, split)
    elif schema.group is not None:
        groups = _column(data, schema.group, "groups").values[rows]
        parts = hold_out_groups(groups, split.valid_fraction, split.seed)
    else:
        return held_at_random(schema, target, split)
    return HeldRows(rows[parts[0]], rows[parts[1]])


def held_at_random(schema: DataSchema, target: NDArray[np.float64], split: Split) -> HeldRows:
    """Split rows, of which the target is known or NaN, as they were split where no column says how."""
    rows = np.flatnonzero(~np.isnan(target))
    by_class = split.stratified and schema.class_labels
    parts = hold_out(target[rows] if by_class else len(rows), split.valid_fraction, split.seed)
    return HeldRows(rows[parts[0]], rows[parts[1]])


def _read(schema: DataSchema, path: str | Path) -> Table:
    from workbench.data.readers.options import GUESS_ALL
    from workbench.data.reading import read_table

    table = read_table(path, options=GUESS_ALL.filled(schema.settled))
    if schema.sha256 is not None and table.sha256 != schema.sha256:
        raise WorkbenchError(f"{path} is not the file that the model was trained on: its contents differ.")
    return table


def _length(data: Any) -> int:
    return data.n_rows if isinstance(data, Table) else len(data)


def _series(data: Any, name: str) -> Any:
    places = places_of(data, name) if is_frame(data) else []
    if len(places) != 1:
        raise WorkbenchError(f"The table has no column '{name}', by which rows were held out.")
    return data.iloc[:, places[0]]


def _labels(data: Any, name: str) -> Any:
    """Return answers as a frame holds them."""
    if not isinstance(data, Table):
        return _series(data, name)
    column = data.column(name)
    if not column.is_categorical:
        return column.values
    texts = np.array([*column.categories, None], object)
    return texts[np.where(np.isnan(column.values), -1, column.values).astype(np.int64)]


def _column(data: Any, name: str | None, what: str) -> Column:
    if name is None:
        raise WorkbenchError(f"The {what} by which rows were held out were given apart, and are in no table.")
    if isinstance(data, Table):
        return data.column(name)
    from workbench.data.given.frames import column_from_series

    return column_from_series(name, _series(data, name))[0]
