"""Rows in which a number stands for a missing value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.given.rows import is_frame
from workbench.data.table import Table
from workbench.data.values import numerals
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema


def missing_code(missing: Any) -> str:
    """Return the text of a number that stands for missing; "" of None and NaN, which does so anyway."""
    if missing is None:
        return ""
    if isinstance(missing, (str, bytes, bool, np.bool_)) or not np.isscalar(missing):
        raise WorkbenchError(
            f"missing is {missing!r}; it must be a number. Put None, or NaN, in the place of other signs: "
            "frame.replace does it."
        )
    number = float(missing)  # type: ignore[arg-type]
    return np.format_float_positional(number, trim="-") if np.isfinite(number) else ""


def without(rows: Any, code: str) -> Any:
    """Return rows with NaN in place of the number that a code writes, in frames also of its text.

    The same rows come back where there is no code.
    """
    if not code:
        return rows
    if isinstance(rows, Table):
        raise WorkbenchError("missing is for frames and arrays; of a file it is said where that is read.")
    missing = numerals.plain_value(code, ".")
    if is_frame(rows):
        return rows.mask((rows == missing) | (rows == code))
    array = np.asarray(rows)
    if array.dtype.kind not in "fiuO":
        return rows
    return np.where(np.asarray(array == missing, bool), np.nan, array)


def without_codes(schema: DataSchema, rows: Any) -> Any:
    """Return an array with NaN in place of the numbers that stood for missing in the table trained on."""
    for code in dict(schema.settled).get("missing", ()):
        if numerals.is_plain(code, "."):
            rows = without(rows, code)
    return rows
