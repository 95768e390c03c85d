"""What a person should know of a table before training on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.roles import identifies_rows
from workbench.data.table import Column, TableNote
from workbench.data.text.stream.compression import ZIP_MAGIC, is_packed
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

FEWEST_ROWS = 10
ALMOST_ALL = 0.95
NOTHING_TO_LEARN = "nothing can be learnt"

_PACKED = (".gz", ".bz2", ".xz")
_OTHER_KINDS = (".parquet", ".feather", ".xlsx", ".xls", ".ods", ".zip", ".json", ".png", ".jpg", ".pdf")


def table_remarks(columns: Sequence[Column]) -> list[TableNote]:
    """Remark on too few rows, and on rows without any value."""
    n = len(columns[0].values)
    notes = []
    if n < FEWEST_ROWS:
        rows = "1 row" if n == 1 else f"{n} rows"
        notes.append(TableNote(f"The table has only {rows}.", count=n, severity="warning"))
    if empty := _empty_rows(columns):
        several = f"{empty.count:,} rows, first {empty.row}, have"
        rows = f"Row {empty.row} has" if empty.count == 1 else several
        notes.append(TableNote(f"{rows} no value in any column.", count=empty.count, severity="warning"))
    return notes


def _empty_rows(columns: Sequence[Column]) -> Places:
    """Return the rows that hold nothing; of a single column these are its missing values."""
    empty = np.isnan(columns[0].values) if len(columns) > 1 else np.zeros(1, np.bool_)
    for column in columns[1:]:
        if not empty.any():
            break
        empty &= np.isnan(column.values)
    return Places.of(empty)


def column_remarks(column: Column) -> list[TableNote]:
    """Remark on a column that is missing, constant or an identifier."""
    name, n, missing = column.name, len(column.values), column.missing
    if missing == n:
        return [TableNote(f"Column '{name}' is missing in every row.", name, missing, "warning")]
    notes = []
    if missing > ALMOST_ALL * n:
        first = int(np.argmin(np.isnan(column.values))) + 1
        text = f"Column '{name}' has a value in {n - missing:,} of {n:,} rows, first in row {first}."
        notes.append(TableNote(text, name, missing, "warning"))
    is_constant = np.fmin.reduce(column.values) == np.fmax.reduce(column.values)  # NaN is passed over
    if n - missing > 1 and not column.collapsed and is_constant:
        notes.append(TableNote(f"Column '{name}' has one value only.", name, n - missing))
    if identifies_rows(column):
        text = f"Column '{name}' differs in every row, so it is left out."
        notes.append(TableNote(text, name, n, "warning"))
    return notes


def identifier_notes(columns: Iterable[Column]) -> list[TableNote]:
    """Remark on columns that a script gives although they only tell rows apart: a table's are left out."""
    texts = {
        column.name: f"Column '{column.name}' differs in every row, as an identifier does, and is a feature "
        "all the same. Drop it unless it means something."
        for column in columns if identifies_rows(column)
    }  # fmt: skip
    return [TableNote(text, name, severity="warning") for name, text in texts.items()]


def one_value_note(target: str, value: str, does: str, rows: int) -> TableNote:
    """Remark on a target that is the same in every row, and on what its model does."""
    text = f"The target '{target}' is {value} in every row: {NOTHING_TO_LEARN}, and the model {does}."
    return TableNote(text, target, rows, "warning")


def tells_one_value(target: str, notes: Iterable[TableNote]) -> bool:
    """Whether `one_value_note` is among them."""
    return any(note.column == target and NOTHING_TO_LEARN in note.text for note in notes)


def left_out_notes(target: str, left_out: Places) -> list[TableNote]:
    """Remark on rows that cannot be trained on."""
    if not left_out:
        return []
    rows = f"row {left_out.row}" if left_out.count == 1 else f"{left_out.count:,} rows, first {left_out.row}"
    text = f"'{target}' is missing in {rows}, left out of training."
    return [TableNote(text, target, left_out.count)]


def wrong_suffix_notes(path: Path, head: bytes) -> list[TableNote]:
    """Remark on a text table under the name of another kind of file; text in a zip is rightly called so."""
    if path.suffix.lower() in _PACKED and not is_packed(head):
        text = f"The name ends with {path.suffix}, but the file is not packed."
        return [TableNote(text, severity="warning")]
    if path.suffix.lower() not in _OTHER_KINDS or head.startswith(ZIP_MAGIC):
        return []
    return [TableNote(f"The name ends with {path.suffix}, but the file is a text table.", severity="warning")]
