"""The shape of a tree read from a file: every node is reached exactly once, children after parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEEPEST = 5000


def breadth_first(
    left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the reachable nodes level by level, siblings adjacent, and the depth of each.

    Refuses indices out of range, a node with one child, cycles and shared children.
    """
    n = len(left)
    if n == 0:
        raise WorkbenchError("Damaged model file: a tree has no nodes.")
    if ((left < 0) != (right < 0)).any() or (left >= n).any() or (right >= n).any():
        raise WorkbenchError("Damaged model file: a tree's children are out of range.")
    seen = np.zeros(n, bool)
    level = np.zeros(1, np.int64)
    levels: list[NDArray[np.int64]] = []
    reached = 0
    while len(level):
        seen[level] = True
        reached += len(level)
        if np.count_nonzero(seen) < reached or len(levels) > DEEPEST:  # some of them were reached before
            raise WorkbenchError("Damaged model file: a tree has a loop, shared children or too many levels.")
        levels.append(level)
        inner = level[left[level] >= 0]
        level = np.array((left[inner], right[inner])).T.ravel()
    depth = np.repeat(np.arange(len(levels)), [len(nodes) for nodes in levels])
    return np.concatenate(levels), depth
