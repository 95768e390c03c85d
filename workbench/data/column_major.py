"""Numbers of rows laid out by column, as trees read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 4096  # a block of rows stays in the cache while its columns are written


def column_major(array: NDArray[Any]) -> NDArray[np.float32]:
    """Return a copy of shape (n, d) in float32, each column contiguous; too large numbers become infinite."""
    copy = np.empty(array.shape, np.float32, order="F")
    with np.errstate(over="ignore"):
        for begin in range(0, len(array), BLOCK_ROWS):
            copy[begin : begin + BLOCK_ROWS] = array[begin : begin + BLOCK_ROWS]
    return copy
