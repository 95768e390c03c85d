"""Grows one tree after another on the same binned rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees import routing, settling
from workbench.trees.binning import BINS_A_WORD
from workbench.trees.growing import STOPPED, grow_nodes, label_leaves
from workbench.trees.histogram import HISTOGRAM_STRIDE
from workbench.trees.leaf_sums import sum_leaves
from workbench.trees.packing import BLOCK_ROWS, N_SCALES, pack_gradients
from workbench.trees.settling import SettledNodes, settle
from workbench.trees.tree import NODE_DTYPE, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.binning import BinnedMatrix

POOL_BYTES = 128 * 2**20


class GrowingParams(NamedTuple):
    """What shapes a tree: λ, γ, η, and the limits on depth and hessian of a child."""

    reg_lambda: float = 1.0
    gamma: float = 0.0
    learning_rate: float = 0.1
    max_depth: int = 6
    min_child_weight: float = 1.0


class DrawnRows(NamedTuple):
    """Rows of the training matrix (uint32, ascending): those that grow a tree, and the others."""

    drawn: NDArray[np.uint32]
    left_out: NDArray[np.uint32]


@dataclass(frozen=True)
class GrownTree:
    """A finished tree, and what it takes to add it to the raw predictions of binned rows.

    Attributes
    ----------
    tree : Tree
    questions : ndarray of int32, shape (n_nodes, 5)
        The tree on bins; see `routing`.
    value_of_leaf : ndarray of float32, shape (n_nodes,)
        What each leaf adds.
    value_of_label : ndarray of float32
        What to add to a row that bears a label of the grower.
    """

    tree: Tree
    questions: NDArray[np.int32]
    value_of_leaf: NDArray[np.float32]
    value_of_label: NDArray[np.float32]


class TreeGrower:
    """Holds the memory that growing takes, so that a round allocates next to nothing.

    Parameters
    ----------
    matrix : BinnedMatrix
        All training rows.
    threads : int
        Parts into which work is cut; the trees do not depend on it.
    pool_bytes : int
        Memory for histograms beyond the least that growing takes (one a level); the trees do not
        depend on it.
    """

    def __init__(self, matrix: BinnedMatrix, threads: int = 1, pool_bytes: int = POOL_BYTES) -> None:
        n = matrix.n_rows
        self._matrix = matrix
        self._threads = threads
        self._pool_bytes = pool_bytes
        self._packed = np.empty(n, np.int64)
        self._block_sums = np.empty((-(-n // BLOCK_ROWS), 4))
        self._scales = np.empty(N_SCALES)
        self._rows = np.empty(n, np.uint32)
        self._stage = np.empty(n, np.uint32)
        self._labels = np.zeros(n, np.int32)
        self._pool = np.empty((0, 0), np.int64)
        self._nodes = np.empty((0, settling.N_FIELDS), np.int64)

    def grow(
        self,
        gradients: NDArray[np.float64],
        hessians: NDArray[np.float64],
        rows: DrawnRows,
        columns: NDArray[np.int64],
        params: GrowingParams,
        stop_flag: NDArray[np.uint8],
        class_index: int = 0,
    ) -> GrownTree | None:
        """Grow one tree; None when the stop flag was raised meanwhile.

        Parameters
        ----------
        gradients, hessians : ndarray of float64, shape (n,)
        columns : ndarray of int64
            Columns that may be asked about, ascending, at least one.
        """
        matrix, cuts, threads = self._matrix, self._matrix.cuts, self._threads
        self._make_room(params.max_depth, len(rows.drawn))
        pack_gradients(threads, gradients, hessians, self._packed, self._block_sums, self._scales)
        own = self._rows[: len(rows.drawn)]
        own[:] = rows.drawn
        n_nodes = grow_nodes(
            matrix.words, matrix.by_column, cuts.n_bins, cuts.is_category, self._packed, self._scales, own,
            self._stage, columns, params.reg_lambda, params.gamma, params.min_child_weight,
            params.max_depth, threads, self._pool, self._nodes, stop_flag,
        )
        if n_nodes == STOPPED:
            return None
        nodes = self._nodes[:n_nodes]
        label_leaves(nodes, n_nodes, own, matrix.by_column, cuts.is_category, threads, self._labels)
        sums = sum_leaves(threads, rows.drawn, self._labels, gradients, hessians, n_nodes)
        kept = SettledNodes(
            *settle(nodes, sums, params.reg_lambda, params.gamma, params.min_child_weight)
        )
        return self._finish(nodes, kept, params, class_index)

    def add_to(self, raw: NDArray[np.float32], grown: GrownTree, rows: DrawnRows) -> None:
        """Add the tree just grown to the raw predictions, shape (n,), of all training rows."""
        routing.add_leaves(
            self._threads, rows.drawn, self._labels, grown.value_of_label, rows.left_out,
            self._matrix.words, grown.questions, grown.value_of_leaf, raw,
        )

    def _make_room(self, max_depth: int, n_rows: int) -> None:
        n_columns = self._matrix.words.shape[1] * BINS_A_WORD
        length = n_columns * HISTOGRAM_STRIDE
        reserve = max_depth + 4
        widest = 2 ** min(max_depth - 1, 16)
        n_slots = reserve + min(widest, n_rows, self._pool_bytes // (8 * length))
        if self._pool.shape[0] < n_slots:
            self._pool = np.empty((n_slots, length), np.int64)
        capacity = min(2 ** (max_depth + 1), 2 * n_rows + 1)
        if len(self._nodes) < capacity:
            self._nodes = np.empty((capacity, settling.N_FIELDS), np.int64)

    def _finish(
        self, grown: NDArray[np.int64], kept: SettledNodes, params: GrowingParams, class_index: int
    ) -> GrownTree:
        questions = _questions(grown[kept.source], kept, self._matrix)
        nodes = _node_table(grown[kept.source], kept, questions, self._matrix, params)
        begin = np.concatenate([[0], np.cumsum(nodes["category"] >= 0)]).astype(np.int32)
        tree = Tree(
            nodes, begin, nodes["category"][nodes["category"] >= 0], class_index,
            params.learning_rate, params.reg_lambda, params.gamma,
        )
        value_of_leaf = nodes["leaf_value"].copy()
        return GrownTree(tree, questions, value_of_leaf, value_of_leaf[kept.final])


def add_tree(
    matrix: BinnedMatrix, rows: NDArray[np.uint32], grown: GrownTree, raw: NDArray[np.float32], threads: int
) -> None:
    """Add a tree to the raw predictions of rows that did not grow it."""
    routing.add_leaves(
        threads, rows[:0], np.empty(0, np.int32), grown.value_of_label, rows,
        matrix.words, grown.questions, grown.value_of_leaf, raw,
    )


def _questions(
    grown: NDArray[np.int64], kept: SettledNodes, matrix: BinnedMatrix
) -> NDArray[np.int32]:
    split = kept.left >= 0
    column = np.where(split, grown[:, settling.COLUMN], -1)
    questions = np.empty((len(split), routing.N_FIELDS), np.int32)
    questions[:, routing.COLUMN] = column
    questions[:, routing.BIN] = grown[:, settling.BIN]
    questions[:, routing.IS_CATEGORY] = matrix.cuts.is_category[column] & split
    questions[:, routing.MISSING_LEFT] = grown[:, settling.MISSING_LEFT]
    questions[:, routing.LEFT] = kept.left
    return questions


def _node_table(
    grown: NDArray[np.int64],
    kept: SettledNodes,
    questions: NDArray[np.int32],
    matrix: BinnedMatrix,
    params: GrowingParams,
) -> NDArray[np.void]:
    split = kept.left >= 0
    column = questions[:, routing.COLUMN]
    asks_category = questions[:, routing.IS_CATEGORY] == 1
    asks_number = split & ~asks_category
    sum_gradient, sum_hessian, count = kept.sums[kept.source].T
    denominator = sum_hessian + params.reg_lambda
    positive = denominator > 0.0
    weight = np.divide(-sum_gradient, denominator, out=np.zeros(len(split)), where=positive)
    nodes = np.zeros(len(split), NODE_DTYPE)
    nodes["feature"] = column
    bins = questions[:, routing.BIN]
    nodes["threshold"] = np.where(asks_number, matrix.cuts.cuts[column, bins], np.nan)
    nodes["category"] = np.where(asks_category, matrix.cuts.codes[column, bins], -1)
    nodes["default_left"] = split & (questions[:, routing.MISSING_LEFT] == 1)
    nodes["left"] = kept.left
    nodes["right"] = np.where(split, kept.left + 1, -1)
    nodes["parent"] = kept.parent
    nodes["depth"] = grown[:, settling.DEPTH]
    nodes["count"] = count
    nodes["sum_gradient"] = sum_gradient
    nodes["sum_hessian"] = sum_hessian
    nodes["weight"] = weight
    nodes["structure_score"] = 0.5 * sum_gradient * weight
    nodes["gain"] = kept.gain
    with np.errstate(over="ignore"):  # an infinite leaf makes an infinite loss, of which the trainer tells
        nodes["leaf_value"] = np.where(split, 0.0, params.learning_rate * weight)
    nodes.flags.writeable = False
    return nodes
