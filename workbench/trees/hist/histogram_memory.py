"""The histograms that growing a tree keeps: as many as pay, and no more than there is memory for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.memory import free_bytes, in_megabytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

POOL_BYTES = 64 * 2**20  # what histograms may take beyond those that keep every node from being counted twice
MOST_BYTES = 2**30  # from here on nodes are counted twice instead
ASKED_BYTES = 2**28  # more is asked for first
WIDEST_POOL = 4096
DEEPEST_RESERVE = 64
LEAST_SLOTS = 4


class Histograms(NamedTuple):
    """Histograms of nodes: of their packed gradients, or of their rows.

    Attributes
    ----------
    pool : ndarray of int64, shape (n_slots, histogram)
    slots : ndarray of int64, shape (capacity,)
        Each node's row of the pool; −1 where it has none.
    heads : ndarray of int64, shape (parts, histogram)
        What each part counted of a node that began in an earlier part.
    head_of_part : ndarray of int64, shape (parts,)
        That node; −1 where there is none.
    """

    pool: NDArray[np.int64]
    slots: NDArray[np.int64]
    heads: NDArray[np.int64]
    head_of_part: NDArray[np.int64]

    def counting_rows(self) -> Histograms:
        """Make histograms beside these, of the rows of the same nodes."""
        return self._replace(pool=np.empty_like(self.pool), heads=np.empty_like(self.heads))


def histograms_of(n_slots: int, length: int, capacity: int, parts: int) -> Histograms:
    """Make room for so many histograms of so many entries, for the nodes of a tree and so many threads."""
    return Histograms(
        np.empty((n_slots, length), np.int64), np.empty(capacity, np.int64),
        np.empty((parts, length), np.int64), np.empty(parts, np.int64),
    )


def no_histograms() -> Histograms:
    """Return the histograms of a tree that has none."""
    return histograms_of(0, 0, 0, 0)


class PoolShape(NamedTuple):
    """How many histograms there are, and how many of them a wave leaves free."""

    n_slots: int
    reserve: int


def pool_shape(
    entries: int, capacity: int, max_depth: int, pool_bytes: int, others: int = 0, copies: int = 1
) -> PoolShape:
    """Return how many histograms to keep; a tree does not depend on it.

    Parameters
    ----------
    entries : int
        Of a histogram, 8 bytes each.
    capacity : int
        Nodes of a tree, at most.
    pool_bytes : int
        Memory beyond what a path from the root down takes.
    others : int
        Histograms that are there beside.
    copies : int
        2 where rows are counted too.

    Raises
    ------
    WorkbenchError
        There is no memory for the least that growing takes.
    """
    size = max(8 * entries * copies, 1)
    reserve = min(max_depth or DEEPEST_RESERVE, DEEPEST_RESERVE) + 2
    n_slots = reserve + 2 + min(capacity // 2, WIDEST_POOL, pool_bytes // size)
    if (n_slots + others) * size <= ASKED_BYTES:
        return PoolShape(n_slots, reserve)
    free = free_bytes()
    pool = MOST_BYTES if free is None else min(MOST_BYTES, free)
    n_slots = min(n_slots, max(LEAST_SLOTS, pool // size - others))
    if free is not None and (n_slots + others) * size > free:
        needed = in_megabytes((n_slots + others) * size)
        raise WorkbenchError(
            f"max_bin and the memory clash: histograms of {entries:,} bins in all columns need {needed}, and "
            f"{in_megabytes(free)} are free. Choose fewer bins."
        )
    return PoolShape(n_slots, min(reserve, n_slots - 2))
