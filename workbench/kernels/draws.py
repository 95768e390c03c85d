"""Draws without replacement."""

from __future__ import annotations

import numpy as np

from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import mix


@kernel
def draw(begin, end, n_drawn, start, drawn, left_out):
    """Draw exactly `n_drawn` of the items begin … end−1, every set as likely (Knuth's algorithm S).

    Parameters
    ----------
    drawn, left_out : ndarray of uint32
        Filled, ascending; one place more than needed.
    """
    wanted = np.uint64(n_drawn)
    n_in = np.uint64(0)
    n_out = np.uint64(0)
    for i in range(np.uint64(begin), np.uint64(end)):
        chance = mix(np.uint64(start) + i) >> np.uint64(32)  # of 2**32
        is_drawn = np.uint64(((chance * (np.uint64(end) - i)) >> np.uint64(32)) < wanted)
        drawn[n_in] = i
        left_out[n_out] = i
        n_in += is_drawn
        n_out += np.uint64(1) - is_drawn
        wanted -= is_drawn


def how_many(n: int, share: float) -> int:
    """Return how many of n things a share is: at least one."""
    return min(n, max(1, round(share * n)))
