"""Which rows are held out, told by the row itself: the same wherever and in whatever order it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)


def held_by_hash(
    features: NDArray[np.float32], target: NDArray[np.floating[Any]], fraction: float, seed: int = 0
) -> NDArray[np.bool_]:
    """Return which rows are held out.

    Rows that are equal, target included, go the same way, so that a row that stands twice is not both trained
    on and measured. The share is met as nearly as chance has it.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
        Encoded.
    target : ndarray, shape (n,)
    fraction : float
        Share of the rows held out.
    seed : int
    """
    if fraction <= 0.0:
        return np.zeros(len(features), np.bool_)
    return row_hashes(features, target, seed) < np.uint64(min(fraction, 1.0) * 2.0**53)


def row_hashes(
    features: NDArray[np.float32], target: NDArray[np.floating[Any]], seed: int = 0
) -> NDArray[np.uint64]:
    """Return a number of 53 bits for every row; −0 is 0, and every NaN the same."""
    state = np.full(len(features), _mixed(np.array([seed], np.uint64) + _STEP)[0], np.uint64)
    for column in (*features.T, target):
        values = np.where(np.isnan(column), np.float32(np.nan), column.astype(np.float32) + np.float32(0))
        state = _mixed((state ^ values.astype(np.float32).view(np.uint32)) + _STEP)
    return state >> np.uint64(11)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return Stafford's mix of 64 bits, which splitmix64 ends with."""
    state = (state ^ (state >> np.uint64(30))) * _FACTORS[0]
    state = (state ^ (state >> np.uint64(27))) * _FACTORS[1]
    return state ^ (state >> np.uint64(31))
