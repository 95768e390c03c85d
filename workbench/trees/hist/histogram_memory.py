"""How many histograms growing a tree keeps: as many as pay, and no more than there is memory for."""

from __future__ import annotations

from typing import NamedTuple

from workbench.errors import WorkbenchError
from workbench.memory import free_bytes, in_megabytes

POOL_BYTES = 64 * 2**20  # what histograms may take beyond those that keep every node from being counted twice
MOST_BYTES = 2**30  # from here on nodes are counted twice instead
ASKED_BYTES = 2**28  # more is asked for first
WIDEST_POOL = 4096
DEEPEST_RESERVE = 64
LEAST_SLOTS = 4


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
    room = MOST_BYTES if free is None else min(MOST_BYTES, free)
    n_slots = min(n_slots, max(LEAST_SLOTS, room // size - others))
    if free is not None and (n_slots + others) * size > free:
        needed = in_megabytes((n_slots + others) * size)
        raise WorkbenchError(
            f"max_bin and the memory clash: histograms of {entries:,} bins in all columns need {needed}, and "
            f"{in_megabytes(free)} are free. Choose fewer bins."
        )
    return PoolShape(n_slots, min(reserve, n_slots - 2))
