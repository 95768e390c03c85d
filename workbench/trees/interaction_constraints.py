"""Interaction constraints: which columns may stand together on the way from the root to a leaf.

Sets of columns are bits: a column knows the sets that it is in, a node the sets that all columns on the way
to it are in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_SETS = 62  # sets of columns are bits of an int64


def column_sets(sets: Sequence[Sequence[int]], n_columns: int) -> NDArray[np.int64]:
    """Return the sets of columns that may stand together as `Rules.column_sets`; all may for no sets."""
    found = np.full(n_columns, 0 if sets else -1, np.int64)
    for bit, members in enumerate(sets):
        for column in members:
            found[column] |= np.int64(1) << np.int64(bit)
    return found


@kernel
def sets_after(node_set, column, column_set):
    """Return the sets that a node's children may still ask about, once it has asked about a column."""
    if column_set == -1:
        return node_set
    if column_set == 0:
        return np.int64(-2) - column
    return column_set if node_set == -1 else node_set & column_set


@kernel
def may_follow(node_set, column, column_set):
    """Whether a node with these sets may ask about a column."""
    if node_set == -1:
        return True
    if node_set < -1:
        return column == -2 - node_set
    return (node_set & column_set) != 0


@kernel
def forbid_columns(node_set, column_sets, allowed):
    """Take those columns from the allowed ones, shape (d,), that a node with these sets may not ask about."""
    for column in range(len(allowed)):
        if allowed[column] and not may_follow(node_set, column, column_sets[column]):
            allowed[column] = 0
