"""Random numbers that follow from what they are for: the same in whatever order they are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def mix(state):
    """Return the next number of splitmix64: 64 well mixed bits of a counter."""
    z = state * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def stream_start(seed, number, stream):
    """Return where a stream of random numbers begins."""
    return np.int64(mix(mix(mix(np.uint64(seed)) + np.uint64(number)) + np.uint64(stream)))


@kernel
def unit(state):
    """Return a number between 0 and 1, both excluded."""
    return (np.float64(mix(np.uint64(state)) >> np.uint64(11)) + 0.5) * 2.0**-53


def units(start: int, n: int) -> NDArray[np.float64]:
    """Return `unit` of start, start + 1, …, shape (n,), in NumPy."""
    states = np.arange(n, dtype=np.uint64) + np.array([start]).astype(np.uint64)
    return ((mix.__wrapped__(states) >> np.uint64(11)) + 0.5) * 2.0**-53
