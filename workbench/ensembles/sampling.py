"""Which rows and columns a round draws, without replacement; follows from seed and round alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.grower import DrawnRows
from workbench.trees.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS, COLUMNS = 1, 2  # streams of random numbers


@kernel
def mix(state):
    """Return the next number of splitmix64: 64 well mixed bits of a counter."""
    z = state * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def draw(n, n_drawn, seed, round_number, stream):
    """Draw exactly `n_drawn` of `n` items, every set as likely (Knuth's algorithm S).

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    start = mix(mix(mix(np.uint64(seed)) + np.uint64(round_number)) + np.uint64(stream))
    drawn = np.zeros(n, np.bool_)
    wanted = n_drawn
    for i in range(n):
        chance = (mix(start + np.uint64(i)) >> np.uint64(11)) * 2.0**-53
        if chance * (n - i) < wanted:
            drawn[i] = True
            wanted -= 1
    return drawn


def draw_rows(n_rows: int, share: float, seed: int, round_number: int) -> DrawnRows:
    """Draw a share of the rows, at least one."""
    if share >= 1.0:
        return DrawnRows(np.arange(n_rows, dtype=np.uint32), np.empty(0, np.uint32))
    drawn = draw(n_rows, _how_many(n_rows, share), seed, round_number, ROWS)
    return DrawnRows(np.flatnonzero(drawn).astype(np.uint32), np.flatnonzero(~drawn).astype(np.uint32))


def draw_columns(columns: NDArray[np.int64], share: float, seed: int, tree_number: int) -> NDArray[np.int64]:
    """Draw a share of the given columns, at least one."""
    if share >= 1.0:
        return columns
    return columns[draw(len(columns), _how_many(len(columns), share), seed, tree_number, COLUMNS)]


def _how_many(n: int, share: float) -> int:
    return min(n, max(1, round(share * n)))
