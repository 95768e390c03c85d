"""Rows held out by what a column says: whole groups, the latest ones, or those that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.name_words import name_words
from workbench.data.splits import hold_out_groups, hold_out_latest
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import Split
    from workbench.data.table import Column, Table

    Parts = tuple[NDArray[np.int64], NDArray[np.int64]]

TRAIN_WORDS = frozenset(("train", "training", "learn", "learning", "fit", "no", "false", "n", "f", "0"))
VALID_WORDS = frozenset((
    "valid", "validation", "val", "validate", "hold-out", "holdout", "hold_out", "held-out", "eval",
    "evaluation", "dev", "yes", "true", "y", "t", "1",
))  # fmt: skip
TEST_WORDS = frozenset(("test", "testing"))
PART_WORDS = frozenset(("split", "part", "partition", "subset", "set", "holdout", "valid", "validation"))
GROUP_WORDS = frozenset((
    "id", "group", "query", "customer", "patient", "subject", "user", "household", "session", "site",
))  # fmt: skip
EXAMPLES = "train and valid, 0 and 1, or no and yes"


def columns_for(table: Table, by: str) -> tuple[str, ...]:
    """Return the names of the columns by which rows could be held out so."""
    if by != "time":
        return table.names
    return tuple(column.name for column in table.columns if not column.is_categorical)


def likely_column(table: Table, by: str, target: str | None = None) -> str | None:
    """Return the column that suggests itself; None where none does."""
    for column in table.columns:
        words = set(name_words(column.name))
        suits = {
            "time": column.kind == "date",
            "groups": bool(words & GROUP_WORDS) and not column.missing,
            "column": bool(words & PART_WORDS) and not column.missing,
        }.get(by, False)
        if suits and column.name != target:
            return column.name
    return None


def rows_by_column(column: Column, rows: NDArray[np.int64], split: Split) -> Parts:
    """Split the rows that have a target, by a column.

    Parameters
    ----------
    rows : ndarray of int64, shape (n,)
        Rows of the column that have a target.

    Returns
    -------
    train_rows, valid_rows : ndarray of int64
        Places in `rows`, ascending and disjoint.

    Raises
    ------
    WorkbenchError
        In one line, why the column cannot say it.
    """
    if split.by == "column":
        return _named_rows(column, rows)
    is_time = split.by == "time"
    values = moments_of(column, rows) if is_time else values_in_full(column)[rows]
    if split.valid_fraction and len(values) and (values == values[0]).all():
        one = "one moment" if is_time else "one group"
        raise WorkbenchError(f"'{column.name}' holds {one} only, and two are needed to hold one out.")
    if is_time:
        return hold_out_latest(values, split.valid_fraction)
    groups = in_order_seen(values_in_full(column))[rows] if split.seen_order else values
    return hold_out_groups(groups, split.valid_fraction, split.seed)


def values_in_full(column: Column) -> NDArray[np.float64]:
    """Return the values as the file has them, which single precision may not tell apart."""
    return np.asarray(column.values if column.exact is None else column.exact, np.float64)


def moments_of(column: Column, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the time of rows; each must have one."""
    if column.is_categorical:
        raise WorkbenchError(
            f"Rows cannot be ordered by '{column.name}': it has text where dates or numbers are "
            "needed. Choose another column."
        )
    moments = values_in_full(column)[rows]
    _refuse_missing(column, rows, np.isnan(moments), "by which the latest rows are found")
    return moments


def in_order_seen(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of each row's value, as values first come; a missing one is a value too."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True, equal_nan=True)
    ranks = np.empty(len(first), np.float64)
    ranks[np.argsort(first)] = np.arange(len(first))
    return ranks[codes]


def _named_rows(column: Column, rows: NDArray[np.int64]) -> Parts:
    """Read train and valid from a column; where it has test beside valid, such rows are in neither."""
    values = column.values[rows]
    _refuse_missing(column, rows, np.isnan(values), "which says what rows are held out")
    said = {float(value): _word(column, float(value)) for value in np.unique(values)}
    for value, word in said.items():
        if word not in TRAIN_WORDS | VALID_WORDS | TEST_WORDS:
            row = int(rows[np.argmax(values == value)]) + 1
            raise WorkbenchError(
                f"'{column.name}' says '{word}' in row {row}, which is neither part: "
                f"{EXAMPLES} are understood."
            )
    held = VALID_WORDS if VALID_WORDS & set(said.values()) else TEST_WORDS
    train, valid = (
        np.flatnonzero(np.isin(values, [value for value, word in said.items() if word in words]))
        for words in (TRAIN_WORDS, held)
    )
    for part, what in ((train, "to train on"), (valid, "held out")):
        if not len(part):
            raise WorkbenchError(f"'{column.name}' names no row {what}: {EXAMPLES} are understood.")
    return train, valid


def _word(column: Column, value: float) -> str:
    text = column.categories[int(value)] if column.is_categorical else f"{value:g}"
    return text.strip().casefold()


def _refuse_missing(column: Column, rows: NDArray[np.int64], missing: NDArray[np.bool_], what: str) -> None:
    if missing.any():
        n, first = int(missing.sum()), int(rows[np.argmax(missing)]) + 1
        where = f"in row {first}" if n == 1 else f"in {n:,} rows, the first of them row {first}"
        raise WorkbenchError(
            f"'{column.name}', {what}, has no value {where}. Fill it in, or hold out in another way."
        )
