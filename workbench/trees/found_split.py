"""What the search of a node found: a row a column, its fields by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Fields of what was found for a node and column.
SCORE, BIN, MISSING_LEFT, MIDDLE = range(4)  # the last where a tree is restrained
N_FOUND = 4

TAG_BITS = 255  # the last bits of a score, in which a cut travels with it


class FoundSplits(NamedTuple):
    """What was found for the nodes of a wave: for the smaller and the larger of each pair in turn.

    Attributes
    ----------
    splits : ndarray of float64, shape (2 * most pairs, d, N_FOUND)
        The best split in each drawn column.
    sums : ndarray of int64, shape (2 * most pairs, d)
        Packed sum of the node, as each column tells it.
    """

    splits: NDArray[np.float64]
    sums: NDArray[np.int64]


@kernel
def best_column(found):
    """Return the position of the column with the highest score, the first of equals."""
    best = 0
    for item in range(1, len(found)):
        if found[item, SCORE] > found[best, SCORE]:
            best = item
    return best
