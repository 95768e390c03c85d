"""A long column some rows at a time: what is worked out about it takes little memory beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

STRETCH = 1 << 16


def stretches(values: NDArray[Any], length: int = STRETCH) -> Iterator[NDArray[Any]]:
    """Yield so many values at a time, as they stand."""
    for begin in range(0, len(values), length):
        yield values[begin : begin + length]


def present(values: NDArray[np.float32], length: int = STRETCH) -> Iterator[NDArray[np.float32]]:
    """Yield what is not missing of so many values at a time."""
    for some in stretches(values, length):
        gaps = np.isnan(some)
        yield some[~gaps] if gaps.any() else some


def missing(values: NDArray[Any]) -> int:
    """Return how many are missing."""
    return sum(int(np.count_nonzero(np.isnan(some))) for some in stretches(values))
