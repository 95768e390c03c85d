"""What a tree is grown in: its nodes, breadth-first, and its rows, those of a node side by side.

    rows   | rows of node 3 | rows of node 4 | rows of node 5 | 6 |

Labels, weights and products stand in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.by_node.ordering import MOST_BUCKETS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.by_node.coded_columns import CodedColumns

COUNTED = 4  # sums are counted by code where these are at most so many to a row

# Fields of a node.
BEGIN, END, DEPTH, PARENT, LEFT, COLUMN, CUT, MISSING_LEFT, SET_BEGIN, SET_END = range(10)
N_FIELDS = 10
NOTHING = -1
# Fields of a split that was found.
SCORE, AT, BEHIND, TO_LEFT, SIZE, WHERE, DRAWN = range(7)
N_FOUND = 7


class NodeMemory(NamedTuple):
    """A tree while it grows.

    Attributes
    ----------
    nodes : ndarray of int64, shape (capacity, N_FIELDS)
    thresholds : ndarray of float32, shape (capacity,)
    sums : ndarray of float64, shape (capacity, C)
        Weight of each of several classes; or the weight, and the weighted sum of the numbers.
    rows : ndarray of uint32, shape (m,)
    labels : ndarray of int32, shape (m,) or (0,)
        Classes of the rows.
    weights : ndarray of float64, shape (m,)
    products : ndarray of float64, shape (m,) or (0,)
        Weighted numbers of the rows.
    members : ndarray of int32
        Categories that answer "yes", set after set.
    node_codes : ndarray of uint32, shape (m,)
        Codes of a node's rows in a column.
    keys : ndarray of uint64, shape (2, m)
        Room to sort.
    histogram : ndarray of float64
        Of each code the sums, then the number of rows.
    order, best_order : ndarray of int64
        Codes in the order in which they are searched.
    ratios : ndarray of float64
        By which categories are ordered.
    left, missing : ndarray of float64, shape (C,)
    nothing : ndarray of float64, shape (C,)
        Zeros.
    spare : ndarray of float64, shape (2, m)
        Weights, and labels or products, of rows that go right.
    columns : ndarray of int64, shape (k,)
        Columns that may be asked about, the drawn ones first.
    found : ndarray of float64, shape (2, N_FOUND)
        The best split of the node, and of a column.
    progress : ndarray of int64, shape (1,)
        How many members there are.
    bounds : ndarray of int64, shape (2,)
        The lowest and the highest code of a node.
    """

    nodes: NDArray[np.int64]
    thresholds: NDArray[np.float32]
    sums: NDArray[np.float64]
    rows: NDArray[np.uint32]
    labels: NDArray[np.int32]
    weights: NDArray[np.float64]
    products: NDArray[np.float64]
    members: NDArray[np.int32]
    node_codes: NDArray[np.uint32]
    keys: NDArray[np.uint64]
    histogram: NDArray[np.float64]
    order: NDArray[np.int64]
    best_order: NDArray[np.int64]
    ratios: NDArray[np.float64]
    left: NDArray[np.float64]
    missing: NDArray[np.float64]
    nothing: NDArray[np.float64]
    spare: NDArray[np.float64]
    columns: NDArray[np.int64]
    found: NDArray[np.float64]
    progress: NDArray[np.int64]
    bounds: NDArray[np.int64]


def node_memory(
    columns: CodedColumns,
    allowed: NDArray[np.int64],
    rows: NDArray[np.uint32],
    labels: NDArray[np.int32],
    weights: NDArray[np.float64],
    products: NDArray[np.float64],
    n_channels: int,
    capacity: int,
    n_members: int,
) -> NodeMemory:
    """Return room for a tree of so many nodes on these rows."""
    n, c = len(rows), n_channels
    kinds = int(columns.n_codes[columns.is_category].max(initial=1))
    return NodeMemory(
        np.empty((capacity, N_FIELDS), np.int64), np.empty(capacity, np.float32), np.empty((capacity, c)),
        rows.copy(), labels.copy(), weights.copy(), products.copy(), np.empty(n_members + kinds, np.int32),
        np.empty(n, np.uint32), np.empty((2, n), np.uint64), np.empty(max(2 * COUNTED * n, kinds * (c + 1))),
        np.empty(max(kinds, MOST_BUCKETS), np.int64), np.empty(kinds, np.int64), np.empty(kinds), np.empty(c),
        np.empty(c), np.zeros(c), np.empty((2, n)), allowed.copy(), np.empty((2, N_FOUND)),
        np.zeros(1, np.int64), np.empty(2, np.int64),
    )
