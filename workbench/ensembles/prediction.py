"""Raw predictions, leaves and paths: numbers walked down the trees of an ensemble."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import (
    CODES_BEGIN,
    CODES_END,
    COLUMN,
    DEFAULT_LEFT,
    LEFT,
    flatten,
)
from workbench.ensembles.packed_trees import WALKED_BLOCK_ROWS, WalkedTrees, add_packed, read_block
from workbench.errors import WorkbenchError
from workbench.kernels.kernel import kernel
from workbench.kernels.kernel_arrays import kernel_array, real_array
from workbench.threads.parallel import in_parts, part_begin, thread_count
from workbench.threads.team import ALONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.linear.part import LinearPart
    from workbench.trees.tree import Tree

LEAST_ROWS_A_THREAD = 5000


class RowsInMemory(NamedTuple):
    """Rows as they lie in memory: column f of row i is at `row_stride * i + column_stride * f`.

    Attributes
    ----------
    numbers : ndarray of float32, shape (n * d,)
    bits : ndarray of int32, shape (n * d,)
        The same memory.
    row_stride, column_stride : int
    """

    numbers: NDArray[np.float32]
    bits: NDArray[np.int32]
    row_stride: int
    column_stride: int


def rows_of(features: NDArray[np.float32]) -> RowsInMemory:
    """Return rows for kernels: not copied where they are float32 and contiguous by row or by column."""
    features = np.asarray(features)
    n, d = features.shape
    by_column = np.isfortran(features)
    numbers = kernel_array(features.T if by_column else features, np.float32).reshape(-1)
    return RowsInMemory(numbers, numbers.view(np.int32), *((1, n) if by_column else (d, 1)))


def raw_predictions(
    ensemble: Ensemble,
    features: NDArray[np.float32],
    rounds: int | None = None,
    *,
    serial: bool = False,
    threads: int = 0,
    offset: NDArray[np.float32] | None = None,
    left_out: NDArray[np.int32] | None = None,
) -> NDArray[np.floating[Any]]:
    """Return base plus leaves, as they count, added one by one in the order of the trees.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
    rounds : int, optional
        Only the first so many.
    serial : bool
        Stay on the calling thread.
    threads : int
        0 is one a processor core.
    offset : ndarray of float32, shape (n,), optional
        Added to the base of each row.
    left_out : ndarray of int32, optional
        Rounds, from 1, whose trees are not added; the others count what they count with them.

    Returns
    -------
    ndarray of the precision of the base, in which all is added, shape (n,), or (n, K) for K raw predictions
    """
    whole = ensemble
    if rounds is not None:
        ensemble = ensemble.first_rounds(rounds)
    rows, n = rows_of(features), len(features)
    base = real_array(ensemble.base_margin)
    if left_out is not None and len(left_out):
        walked = WalkedTrees.of(*ensemble.counted(left_out), base.dtype)
    else:
        walked = whole.walked_first(ensemble.rounds, features.shape[1])
    _check_columns(walked.n_columns, features)
    raw = np.empty((ensemble.n_classes, n), base.dtype)
    parts = 1 if serial else thread_count(threads, n)
    raw[:] = base[:, None]
    if offset is not None:
        raw += kernel_array(offset, np.float32)
    in_parts(parts, n, LEAST_ROWS_A_THREAD, add_trees, rows, walked.flat, walked.packed, raw)
    if ensemble.is_linear:
        add_linear(ensemble.linear[-1], features, raw)
    return raw[0] if ensemble.n_classes == 1 else raw.T


def add_to_raw(
    trees: Sequence[Tree],
    features: NDArray[np.float32],
    raw: NDArray[np.float32],
    weights: NDArray[np.float32] | None = None,
) -> None:
    """Add trees, as they count, to raw predictions, shape (K, n), like `raw_predictions`; from any thread."""
    walked = WalkedTrees.of(trees, weights, raw.dtype)
    _check_columns(walked.n_columns, features)
    add_trees(0, 1, rows_of(features), walked.flat, walked.packed, raw)


def add_linear(part: LinearPart, features: NDArray[np.float32], raw: NDArray[np.floating[Any]]) -> None:
    """Add what columns weigh to raw predictions, shape (K, n), rounded once at the end; from any thread."""
    check_linear(part, features)
    whole = raw.astype(np.float64)
    part.add_to(whole, rows_of(features), ALONE)
    raw[:] = whole


def check_linear(part: LinearPart, features: NDArray[np.float32]) -> None:
    """Refuse rows that lack columns which a linear model weighs."""
    needed = len(part.columns.levels)
    if features.shape[1] < needed:
        raise WorkbenchError(
            f"The rows have {features.shape[1]} columns, and the model weighs {needed}. "
            "Give every column that the model was trained on."
        )


def leaf_indices(trees: Sequence[Tree], features: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the node in which each row ends in each tree, shape (n, n_trees); from any thread."""
    leaves = np.empty((len(features), len(trees)), np.int32)
    flat = flatten(trees)
    _check_columns(flat.n_columns, features)
    find_leaves(rows_of(features), flat, leaves)
    return leaves


def _check_columns(needed: int, features: NDArray[np.float32]) -> None:
    """Kernels do not look whether a column is there; without it they would read beyond the rows."""
    if features.shape[1] < needed:
        raise WorkbenchError(
            f"The rows have {features.shape[1]} columns, and the trees ask about column {needed}. "
            "Give every column that the model was trained on."
        )


def path(tree: Tree, row: NDArray[np.float32]) -> list[int]:
    """Return the nodes that one row, shape (d,), passes from the root to its leaf."""
    flat = flatten([tree])
    nodes = [0]
    while flat.questions[nodes[-1], COLUMN] >= 0:
        x = np.float32(row[flat.questions[nodes[-1], COLUMN]])
        nodes.append(int(next_node(x, flat.questions, flat.thresholds, flat.codes, nodes[-1])))
    return nodes


@kernel
def is_listed(code, codes, begin, end):
    """Whether a category code is among `codes[begin:end]`, which ascend."""
    while begin < end:
        middle = (begin + end) // 2
        if codes[middle] < code:
            begin = middle + 1
        else:
            end = middle
            if codes[middle] == code:
                return True
    return False


@kernel
def next_node(x, questions, thresholds, codes, node):
    """Return where a value goes from a node that asks: missing by default, unknown codes to "no"."""
    begin, end = questions[node, CODES_BEGIN], questions[node, CODES_END]
    if np.isnan(x):
        yes = questions[node, DEFAULT_LEFT] != 0
    elif begin == end:
        yes = x < thresholds[node]
    else:
        yes = is_listed(x, codes, begin, end)
    return np.int64(questions[node, LEFT]) + (0 if yes else 1)


@kernel
def leaf_of(rows, i, trees, root):
    """Return the leaf into which row i falls, of the tree with this root."""
    node = root
    while trees.questions[node, COLUMN] >= 0:
        x = rows.numbers[rows.row_stride * i + rows.column_stride * trees.questions[node, COLUMN]]
        node = next_node(x, trees.questions, trees.thresholds, trees.codes, node)
    return node


@kernel
def add_walked(rows, first, n, trees, t, sums):
    """Add the leaves of tree t to the sums of rows `first` … `first + n − 1`, walked one by one."""
    begin = WALKED_BLOCK_ROWS * trees.classes[t]
    for i in range(n):
        sums[begin + i] += trees.values[leaf_of(rows, first + i, trees, trees.roots[t])]


@kernel(allocates=True)
def add_trees(part, parts, rows, trees, packed, raw):
    """Add every tree's leaves to one part of the raw predictions, in their precision and in order.

    Blocks of rows stay in the cache while all trees pass over them.

    Parameters
    ----------
    rows : RowsInMemory
    trees : FlatTrees
    packed : PackedTrees
    raw : ndarray of float32 or float64, as the leaves, shape (K, n)
    """
    n_outputs, n_rows = raw.shape
    n_trees = len(trees.classes)
    block = np.empty(WALKED_BLOCK_ROWS * len(packed.lanes), np.int32)
    sums = np.empty(WALKED_BLOCK_ROWS * n_outputs, raw.dtype)
    end = part_begin(part + 1, parts, n_rows)
    for first in range(part_begin(part, parts, n_rows), end, WALKED_BLOCK_ROWS):
        n = min(WALKED_BLOCK_ROWS, end - first)
        read_block(
            rows.bits, rows.row_stride * first, rows.row_stride, rows.column_stride, n, packed.lanes, block
        )
        for k in range(n_outputs):
            for i in range(n):
                sums[WALKED_BLOCK_ROWS * k + i] = raw[k, first + i]
        t = np.int64(0)
        while t < n_trees:
            t = add_packed(
                block, packed.nodes, packed.values, trees.roots, trees.classes, packed.depths, t, n, sums
            )
            if t < n_trees:
                add_walked(rows, first, n, trees, t, sums)
                t += 1
        for k in range(n_outputs):
            for i in range(n):
                raw[k, first + i] = sums[WALKED_BLOCK_ROWS * k + i]


@kernel
def find_leaves(rows, trees, leaves):
    """Write the leaf of each row in each tree, shape (n, n_trees); parameters as in `add_trees`."""
    for t in range(leaves.shape[1]):
        root = trees.roots[t]
        for i in range(len(leaves)):
            leaves[i, t] = leaf_of(rows, i, trees, root) - root
