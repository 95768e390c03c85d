"""The history as a model file holds it: a column for each figure, a record a round where rounds differ.

round        [1, 2, 3]
train:rmse   [0.8, 0.7, 0.6]
reg_lambda   1.0                in all rounds
"""

from __future__ import annotations

from itertools import repeat
from operator import is_not
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.own.json_values import encoded, without_clock

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUND = "round"


def packed_rounds(rows: Sequence[dict[str, Any]]) -> Any:
    """Return columns by name, the value itself where it is the same in all rounds; without the clock's.

    Columns of finite real numbers are arrays. Records that have not all the same names, in the same order
    and `round` among them, stay as they are.
    """
    names = [*rows[0]] if rows else []
    if ROUND not in names or any([*row] != names for row in rows):
        return encoded([without_clock(row) for row in rows])
    columns = without_clock(dict(zip(names, zip(*[row.values() for row in rows], strict=True), strict=True)))
    other = {name: c for name, c in columns.items() if name == ROUND or any(map(is_not, c, repeat(c[0])))}
    first: dict[str, Any] = encoded({name: values[0] for name, values in columns.items()})
    return first | _lists(other)


def unpacked_rounds(packed: Any, most: int) -> list[Any]:
    """Return the records of which `packed_rounds` made this, at most so many values."""
    if not isinstance(packed, dict):
        return checks.sequence(packed, "history")
    n = len(checks.sequence(packed[ROUND], "history.round"))
    if n * len(packed) > most:
        raise WorkbenchError("Damaged model file: its history is too large.")
    columns = [
        checks.sequence(values, f"history.{name}", n) if isinstance(values, list) else repeat(values, n)
        for name, values in packed.items()
    ]
    return [dict(zip(packed, row, strict=True)) for row in zip(*columns, strict=True)]


def _lists(columns: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
    """Return the values of those that are not one value in all rounds; finite real numbers as arrays."""
    kinds = {name: set(map(type, values)) for name, values in columns.items()}
    reals = [name for name, found in kinds.items() if found == {float}]
    table = np.array([columns[name] for name in reals]).reshape(len(reals), -1 if reals else 0)
    are_finite = np.logical_and.reduce(np.isfinite(table), axis=1).tolist()
    arrays = {name: row for name, row, finite in zip(reals, table, are_finite, strict=True) if finite}
    lists = {
        name: values if kinds[name] == {int} else encoded(values)
        for name, values in columns.items() if name not in arrays
    }  # fmt: skip
    varying = {name: row for name, row in arrays.items() if row.tobytes() != row[:1].tobytes() * len(row)}
    return varying | {name: told for name, told in lists.items() if name == ROUND or not _is_one(told)}


def _is_one(values: Sequence[Any]) -> bool:
    return values.count(values[0]) == len(values) and len(set(map(type, values))) == 1
