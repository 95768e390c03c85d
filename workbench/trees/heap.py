"""Nodes that wait for their split, the next one on top: a binary heap in an array."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.trees.forced_splits import FORCED


@kernel
def is_ahead(node, other, gains, by_gain):
    """Whether a node is split before another: by gain the higher, else the one with the lower number.

    Forced splits go first.
    """
    by_gain |= gains[node] == FORCED or gains[other] == FORCED
    if by_gain and gains[node] != gains[other]:
        return gains[node] > gains[other]
    return node < other


@kernel
def push(heap, n, node, gains, by_gain):
    """Put a node among `n` others."""
    place = n
    while place > 0:
        above = (place - 1) // 2
        if not is_ahead(node, heap[above], gains, by_gain):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = node


@kernel
def pop(heap, n, gains, by_gain):
    """Take the first of `n` nodes off and return it."""
    first = heap[0]
    moved = heap[n - 1]
    place = np.int64(0)
    while 2 * place + 1 < n - 1:
        below = 2 * place + 1
        if below + 1 < n - 1 and is_ahead(heap[below + 1], heap[below], gains, by_gain):
            below += 1
        if not is_ahead(heap[below], moved, gains, by_gain):
            break
        heap[place] = heap[below]
        place = below
    heap[place] = moved
    return first
