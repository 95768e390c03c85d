"""Column sampling: which columns are drawn for a tree, of these for a level, and of these for a node.

What is drawn follows from the seed, and from the tree, the depth or the way to the node, alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.kernels.draws import draw, how_many
from workbench.kernels.kernel import kernel
from workbench.kernels.random_numbers import stream_start, unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS, LEVELS, NODES = 2, 3, 4  # streams of random numbers
TINY = 1e-12  # the least weight of a column


def draw_columns(
    columns: NDArray[np.int64],
    share: float,
    seed: int,
    tree_number: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.int64]:
    """Draw a share of the given columns, at least one; `weights`, by column, tell how likely each is."""
    if share >= 1.0:
        return columns
    n_drawn = how_many(len(columns), share)
    if weights is not None and (weights != 1.0).any():
        allowed = np.zeros(len(weights), np.uint8)
        allowed[columns] = 1
        start = stream_start(seed, tree_number, COLUMNS)
        draw_share(allowed, share, start, weights, np.empty(len(weights)))
        return np.flatnonzero(allowed)
    drawn, left_out = np.empty((2, len(columns) + 1), np.uint32)
    draw(0, len(columns), n_drawn, stream_start(seed, tree_number, COLUMNS), drawn, left_out)
    return columns[drawn[:n_drawn]]


@kernel
def draw_share(allowed, share, start, weights, keys):
    """Leave a share of the allowed columns, at least one, drawn by weight without replacement.

    A column's key is ln(u) / weight; those with the largest stay (Efraimidis and Spirakis 2006).

    Parameters
    ----------
    allowed : ndarray of uint8, shape (d,)
        Changed.
    start : int
        Where the random numbers begin.
    keys : ndarray of float64, shape (d,)
        Room.
    """
    if share >= 1.0:
        return
    n_allowed = 0
    for column in range(len(allowed)):
        keys[column] = -np.inf
        if allowed[column]:
            n_allowed += 1
            weight = weights[column] if weights[column] > TINY else TINY
            keys[column] = np.log(unit(start + column)) / weight
            allowed[column] = 0
    n_drawn = max(1, round(share * n_allowed))
    for _ in range(min(n_drawn, n_allowed)):
        best = 0
        for column in range(1, len(keys)):
            best = column if keys[column] > keys[best] else best
        keys[best] = -np.inf
        allowed[best] = 1


@kernel
def draw_for_node(rules, depth, path, keys, allowed):
    """Fill the columns that are drawn for a node: a share of its level's, which are a share of its tree's.

    Parameters
    ----------
    rules : Rules
    path : int
        A number that follows from the answers on the way to the node.
    keys : ndarray of float64, shape (d,)
        Room.
    allowed : ndarray of uint8, shape (d,)
        Filled.
    """
    allowed[:] = 0
    for item in range(len(rules.drawn_columns)):
        allowed[rules.drawn_columns[item]] = 1
    of_level = stream_start(rules.seed, depth, LEVELS)
    draw_share(allowed, rules.level_share, of_level, rules.column_weights, keys)
    of_node = stream_start(rules.seed, path, NODES)
    draw_share(allowed, rules.node_share, of_node, rules.column_weights, keys)
