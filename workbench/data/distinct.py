"""The distinct values of a column or of rows: by counting where they are small whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_COUNTED = 65_535
SPARSE = 4  # numbers a value, up to which more are counted


def distinct_codes(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.int64]]:
    """Return the distinct values ascending, the place of each value among them, and their counts.

    The same as `np.unique` with inverse and counts, for values without NaN; for codes and classes of a
    million rows some thirty times faster, and without holding the interpreter lock for long.
    """
    whole = _small_whole(values)
    if whole is None:
        return np.unique(values, return_inverse=True, return_counts=True)
    counts = np.bincount(whole)
    present = np.flatnonzero(counts)
    place = np.cumsum(counts > 0) - 1
    return present.astype(values.dtype), place[whole].astype(np.intp, copy=False), counts[present]


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct values ascending, for values without NaN.

    The same as `np.unique`, which puts whole numbers into a table and holds the interpreter lock meanwhile:
    for a second where a million differ.
    """
    whole = _small_whole(values)
    if whole is None:
        return np.unique(values)
    return np.flatnonzero(np.bincount(whole)).astype(values.dtype)


def _small_whole(values: NDArray[Any]) -> NDArray[np.int64] | None:
    """Return the values as integers where nothing is lost by it and counting pays."""
    if not len(values) or values.dtype.kind not in "fiu":
        return None
    if values.min() < 0 or values.max() > max(LARGEST_COUNTED, SPARSE * len(values)):
        return None
    whole = values.astype(np.int64)
    return whole if np.array_equal(whole, values) else None
