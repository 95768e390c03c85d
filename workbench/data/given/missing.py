"""Rows in which a number stands for a missing value."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.data.given.rows import is_frame


def without(rows: Any, missing: float | None) -> Any:
    """Return rows with NaN in place of a number; the same rows where that is NaN itself."""
    if missing is None or missing != missing:
        return rows
    if is_frame(rows):
        return rows.mask(rows == missing)
    array = np.asarray(rows)
    if array.dtype.kind not in "fiu":
        return rows
    return np.where(array == missing, np.nan, array)
