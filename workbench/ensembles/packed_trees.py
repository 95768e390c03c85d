"""Trees packed for many rows: eight rows are walked at a time, and no step of a row branches.

A float32 is turned into its key, an int32 in the same order, so that `x < t` is `key(x) <= key(t) - 1`.
What questions read of a row are lanes. A lane of numbers holds a column's keys, with a key for "missing"
that goes the default way by itself: the lowest or the highest. A lane of one category holds the lowest
key where the row has it, the highest where not. Trees come one after another to a block of rows:

    block    | lane 0: row 0 … row 127 | lane 1: row 0 … row 127 | …

    word     0            1                2                    3
    split    128 × lane   4 × left child   highest key that     —
                                           goes left
    leaf     0            4 × itself       highest of all:      its value, as bits
                                           who is here stays
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import FlatTrees, flatten
from workbench.kernels.kernel import kernel
from workbench.trees.tree import STEPS_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike, NDArray

    from workbench.trees.tree import Tree

WALKED_BLOCK_ROWS = 128
NOT_PACKED = -1

# Words of a node.
LANE, CHILD, HIGHEST_LEFT, VALUE = (np.uint64(word) for word in range(4))
N_WORDS = np.uint64(4)

# Fields of a lane. CATEGORY_KEY is −1 in a lane of numbers: categories are 0 or more, and so are their keys.
COLUMN, CATEGORY_KEY, MISSING_KEY = range(3)
LOWEST_KEY, HIGHEST_KEY = -(2**31), 2**31 - 1  # keys that no number has
MAGNITUDE = 0x7FFFFFFF
INFINITY = 0x7F800000  # magnitudes above it are NaN
MOST_CODES = 2**24  # below it a float32 holds every whole number


class PackedTrees(NamedTuple):
    """Trees as drawn above, one after another.

    Attributes
    ----------
    lanes : ndarray of int32, shape (n_lanes, 3)
    nodes : ndarray of int32, shape (4 * n_nodes,)
    values : ndarray of float32 or float64, shape (4 * n_nodes,)
        The same memory; memory of their own for doubles, which have no room in a word.
    depths : ndarray of int64, shape (n_trees,)
        NOT_PACKED where a tree asks for sets of several categories.
    """

    lanes: NDArray[np.int32]
    nodes: NDArray[np.int32]
    values: NDArray[np.floating[Any]]
    depths: NDArray[np.int64]


class WalkedTrees(NamedTuple):
    """Trees as rows are walked through them, in both layouts.

    Attributes
    ----------
    flat : FlatTrees
    packed : PackedTrees
    n_columns : int
        Columns that rows must have.
    """

    flat: FlatTrees
    packed: PackedTrees
    n_columns: int

    @staticmethod
    def of(
        trees: Sequence[Tree], weights: NDArray[np.float32] | None, precision: DTypeLike
    ) -> WalkedTrees:
        """Lay out trees that count so much."""
        flat = flatten(trees, weights, precision)
        return WalkedTrees(flat, pack(trees, flat), flat.n_columns)

    def first(self, n_trees: int) -> WalkedTrees:
        """Return the first trees, in the same memory; rows must have the columns of all."""
        flat, packed = self.flat, self.packed
        if n_trees == len(flat.classes):
            return self
        end = int(flat.roots[n_trees])
        fewer = flat._replace(
            roots=flat.roots[: n_trees + 1], classes=flat.classes[:n_trees],
            questions=flat.questions[:end], thresholds=flat.thresholds[:end], values=flat.values[:end],
        )
        words = int(N_WORDS) * end
        nodes, values = packed.nodes[:words], packed.values[:words]
        return self._replace(
            flat=fewer, packed=packed._replace(nodes=nodes, values=values, depths=packed.depths[:n_trees])
        )


def pack(trees: Sequence[Tree], flat: FlatTrees) -> PackedTrees:
    """Pack trees that have been laid out flat."""
    column, left, default_left, codes_begin, codes_end = flat.questions.T
    is_split, asks_code = column >= 0, codes_end > codes_begin
    code = np.full(len(column), -1, np.int64)
    code[asks_code] = flat.codes[codes_begin[asks_code]]
    lanes, lane = _lanes(column[is_split], code[is_split], default_left[is_split])
    nodes = np.zeros((len(column), 4), np.int32)
    nodes[is_split, 0] = WALKED_BLOCK_ROWS * lane
    nodes[:, 1] = 4 * np.where(is_split, left, np.arange(len(column)))
    nodes[:, 2] = np.where(is_split, np.where(asks_code, 0, keys_below(flat.thresholds)), HIGHEST_KEY)
    is_single = flat.values.dtype == np.float32
    if is_single:
        nodes[:, 3] = flat.values.view(np.int32)
    asks_set = (codes_end - codes_begin > 1) | (code >= MOST_CODES)
    depths = np.array([tree.depth for tree in trees], np.int64)
    depths[np.searchsorted(flat.roots, np.flatnonzero(asks_set), side="right") - 1] = NOT_PACKED
    words = nodes.reshape(-1)
    return PackedTrees(lanes, words, words.view(np.float32) if is_single else _spaced(flat.values), depths)


def _spaced(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Return the values where those of singles would stand."""
    found = np.zeros((len(values), int(N_WORDS)))
    found[:, int(VALUE)] = values
    return found.reshape(-1)


def keys_below(thresholds: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the key before that of each threshold; the lowest where it is NaN, for no number is less."""
    bits = (thresholds + np.float32(0.0)).view(np.int32).astype(np.int64)  # −0 becomes 0
    return np.where(np.isnan(thresholds), LOWEST_KEY, (bits ^ ((bits >> 31) & MAGNITUDE)) - 1)


def _lanes(
    column: NDArray[np.int32], code: NDArray[np.int64], default_left: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the distinct lanes that questions read, and the lane of each question."""
    as_one = (column.astype(np.int64) << 32) + 2 * (code + 1) + (default_left != 0)
    _, first, lane = np.unique(as_one, return_index=True, return_inverse=True)
    category_key = np.where(code < 0, -1, code.astype(np.float32).view(np.int32))
    missing = np.where(default_left != 0, LOWEST_KEY, HIGHEST_KEY)
    return np.column_stack([column, category_key, missing])[first].astype(np.int32), lane


@kernel
def key(bits, missing):
    """Return the key of a float32 that has these bits, an int32; `missing` for NaN."""
    magnitude = bits & np.int32(MAGNITUDE)
    ordered = bits ^ ((bits >> np.int32(31)) & np.int32(MAGNITUDE))
    ordered = np.int32(0) if magnitude == 0 else ordered
    return missing if magnitude > np.int32(INFINITY) else ordered


@kernel
def fill_lane(column, category_key, missing, lane):
    """Fill a lane from the bits of its column."""
    if category_key < 0:
        for i in range(len(lane)):
            lane[i] = key(column[i], missing)
    else:
        for i in range(len(lane)):
            found = key(column[i], missing)
            answer = np.int32(LOWEST_KEY) if found == category_key else np.int32(HIGHEST_KEY)
            lane[i] = missing if found == missing else answer


@kernel(allocates=True)
def read_block(bits, begin, row_stride, column_stride, n, lanes, block):
    """Fill a block with the lanes of n rows, the first of which begins at `bits[begin]`."""
    column = np.empty(n, np.int32)
    stride = np.uint64(row_stride)
    for k in range(len(lanes)):
        if k == 0 or lanes[k, COLUMN] != lanes[k - 1, COLUMN]:
            at = np.uint64(begin + column_stride * lanes[k, COLUMN])
            for i in range(np.uint64(n)):
                column[i] = bits[at + stride * i]
        fill_lane(
            column, lanes[k, CATEGORY_KEY], lanes[k, MISSING_KEY],
            block[WALKED_BLOCK_ROWS * k : WALKED_BLOCK_ROWS * k + n],
        )


@kernel
def step(block, nodes, at, row):
    """Return where a row of the block goes from a node."""
    is_left = block[np.uint64(nodes[at]) + row] <= nodes[at + HIGHEST_LEFT]
    return np.uint64(np.uint32(nodes[at + CHILD])) + (np.uint64(0) if is_left else N_WORDS)


@kernel
def stays(nodes, at):
    """Whether a packed node is a leaf."""
    return nodes[at + HIGHEST_LEFT] == HIGHEST_KEY


@kernel
def add_packed(block, nodes, values, roots, classes, depths, t, n, sums):
    """Add the leaves of trees t, t + 1 … to a block's sums, up to one that is not packed; return that one.

    All in one loop: calls that take arrays count references to them, on which threads would contend.

    Parameters
    ----------
    n : int
        Rows; the sums of the rest of the last eight are filled with anything.
    sums : ndarray of the values' type, shape (K * WALKED_BLOCK_ROWS,)
    """
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    five, six, seven = np.uint64(5), np.uint64(6), np.uint64(7)
    while t < len(depths) and depths[t] != NOT_PACKED:
        of_class = np.uint64(WALKED_BLOCK_ROWS * classes[t])
        for row in range(np.uint64(0), np.uint64(n), np.uint64(8)):
            a = b = c = d = e = f = g = h = N_WORDS * np.uint64(roots[t])
            left = depths[t]
            while left > 0:
                for _ in range(min(left, STEPS_AT_ONCE)):
                    a = step(block, nodes, a, row)
                    b = step(block, nodes, b, row + one)
                    c = step(block, nodes, c, row + two)
                    d = step(block, nodes, d, row + three)
                    e = step(block, nodes, e, row + four)
                    f = step(block, nodes, f, row + five)
                    g = step(block, nodes, g, row + six)
                    h = step(block, nodes, h, row + seven)
                left -= STEPS_AT_ONCE
                if left > 0 and (
                    stays(nodes, a) & stays(nodes, b) & stays(nodes, c) & stays(nodes, d)
                    & stays(nodes, e) & stays(nodes, f) & stays(nodes, g) & stays(nodes, h)
                ):
                    break
            i = of_class + row
            sums[i] += values[a + VALUE]
            sums[i + one] += values[b + VALUE]
            sums[i + two] += values[c + VALUE]
            sums[i + three] += values[d + VALUE]
            sums[i + four] += values[e + VALUE]
            sums[i + five] += values[f + VALUE]
            sums[i + six] += values[g + VALUE]
            sums[i + seven] += values[h + VALUE]
        t += 1
    return t
