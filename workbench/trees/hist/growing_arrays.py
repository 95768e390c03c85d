"""The arrays that kernels read and write while trees are grown by histograms, made once for all trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees import leaf_sums, packing
from workbench.trees.bins.bin_search import N_BIN_VALUES
from workbench.trees.found_split import N_FOUND, FoundSplits
from workbench.trees.grown_nodes import N_FIELDS
from workbench.trees.hist import routing
from workbench.trees.hist.histogram import FETCHED_ROWS, fetched_shape
from workbench.trees.hist.histogram_memory import histograms_of
from workbench.trees.hist.search_scratch import search_scratch
from workbench.trees.node_lists import N_ENTRIES, N_LISTS
from workbench.trees.tree import NODE_DTYPE, TreeFigures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.hist.histogram_memory import Histograms, PoolShape
    from workbench.trees.hist.search_scratch import SearchScratch


class MatrixArrays(NamedTuple):
    """What kernels read of a `BinnedMatrix`; `bins` are its records as bytes.

    Of its layout: `places`, `lines`, the bins of shared bytes as `bins_of_byte`, and `n_alone`.
    """

    records: NDArray[np.uint64]
    bins: NDArray[np.uint8]
    by_column: NDArray[np.uint8]
    n_bins: NDArray[np.int32]
    is_category: NDArray[np.bool_]
    levels_a_bin: NDArray[np.float64]
    cuts: NDArray[np.float32]
    codes: NDArray[np.int32]
    places: NDArray[np.int64]
    lines: NDArray[np.int64]
    bins_of_byte: NDArray[np.uint8]
    n_alone: int


class GrowingMemory(NamedTuple):
    """What growing a tree writes to, made once for all trees.

    Attributes
    ----------
    gradient_sums, scales, packed
        Of gradients as integers; see `packing`.
    rows, stage : ndarray of uint32, shape (n,)
        Rows in the order of the nodes, and room for parting them. The rows are given with each tree.
    labels : ndarray of int32, shape (n,)
        Leaf of each row, known when no row is parted any more: the memory of `stage`.
    histograms : Histograms
        Of packed gradients, by node.
    fetched : ndarray of uint64, shape (parts, block of rows, words)
        Records while they are counted; see `histogram`.
    reserve : int
        Histograms that a wave leaves free.
    scratch : SearchScratch
        Of all threads.
    answers : ndarray of uint8, shape (parts, 256)
        Which bytes go left, while rows are parted.
    found : FoundSplits
        Of the wave.
    nodes : ndarray of int64, shape (capacity, fields)
        The grown nodes; `gains` are those of their splits.
    lists, owners, progress, n_left
        See `growing`.
    leaf_sums, sums, source, final
        See `leaf_sums` and `post_pruning`.
    walked : ndarray of uint64, shape (parts, 2, 8)
        Rows that are walked down the finished tree.
    few_rows : int
        Nodes of at most so many have no histogram; see `few_rows`.
    """

    gradient_sums: NDArray[np.float64]
    scales: NDArray[np.float64]
    packed: NDArray[np.int64]
    rows: NDArray[np.uint32]
    stage: NDArray[np.uint32]
    labels: NDArray[np.int32]
    histograms: Histograms
    fetched: NDArray[np.uint64]
    reserve: int
    scratch: SearchScratch
    answers: NDArray[np.uint8]
    found: FoundSplits
    nodes: NDArray[np.int64]
    gains: NDArray[np.float64]
    lists: NDArray[np.int64]
    owners: NDArray[np.int64]
    progress: NDArray[np.int64]
    n_left: NDArray[np.int64]
    leaf_sums: NDArray[np.float64]
    sums: NDArray[np.float64]
    source: NDArray[np.int64]
    final: NDArray[np.int64]
    walked: NDArray[np.uint64]
    few_rows: int


class HeldOutBins(NamedTuple):
    """Rows that every tree is added to and none grows on.

    Attributes
    ----------
    rows : ndarray of uint32, shape (n,)
        0 … n−1.
    bins : ndarray of uint8, shape (n * 8 * (1 + ceil(m / 8)),)
        Their records as bytes.
    fine : ndarray of uint16, shape (d − m, n)
        Their bins in the fine columns.
    """

    rows: NDArray[np.uint32]
    bins: NDArray[np.uint8]
    fine: NDArray[np.uint16]


class FinishedArrays(NamedTuple):
    """A finished tree as kernels write it.

    Attributes
    ----------
    table : structured ndarray of NODE_DTYPE, shape (capacity,)
    packed : ndarray of uint64, shape (capacity * N_WORDS,)
        The tree on bins; see `routing`.
    value_of_leaf, value_of_label : ndarray of float32, shape (capacity,)
        What to add to a row that falls into a leaf of the tree, or bears a label of the grower.
    figures : ndarray of float64, shape (6,)
        `TreeFigures`.
    """

    table: NDArray[np.void]
    packed: NDArray[np.uint64]
    value_of_leaf: NDArray[np.float32]
    value_of_label: NDArray[np.float32]
    figures: NDArray[np.float64]


def growing_memory(
    n_rows: int,
    n_bins: NDArray[np.int32],
    n_bytes: int,
    capacity: int,
    shape: PoolShape,
    length: int,
    parts: int,
    few_rows: int,
) -> GrowingMemory:
    """Make the memory for trees of so many nodes on so many rows.

    Parameters
    ----------
    n_bins : ndarray of int32, shape (d,)
    n_bytes : int
        Bytes of a record that hold bins.
    shape, length
        How many histograms, and how many entries each has.
    parts : int
        Threads.
    few_rows : int
    """
    d = len(n_bins)
    stage = np.empty(n_rows, np.uint32)
    return GrowingMemory(
        gradient_sums=np.empty((-(-n_rows // packing.SCALE_BLOCK_ROWS), packing.N_GRADIENT_SUMS)),
        scales=np.empty(packing.N_SCALES),
        packed=np.empty((parts, FETCHED_ROWS), np.int64),
        rows=np.empty(0, np.uint32),
        stage=stage,
        labels=stage.view(np.int32),
        histograms=histograms_of(shape.n_slots, length, capacity, parts),
        fetched=np.empty((parts, *fetched_shape(n_bytes)), np.uint64),
        reserve=shape.reserve,
        scratch=search_scratch(parts, int(n_bins.max())),
        answers=np.empty((parts, N_BIN_VALUES), np.uint8),
        found=FoundSplits(
            np.empty((2 * shape.n_slots, d, N_FOUND)), np.empty((2 * shape.n_slots, d), np.int64)
        ),
        nodes=np.empty((capacity, N_FIELDS), np.int64),
        gains=np.empty(capacity),
        lists=np.empty((N_LISTS, max(capacity, 2 * shape.n_slots) + 1), np.int64),
        owners=np.empty((3, capacity + 1), np.int64),
        progress=np.empty(N_ENTRIES, np.int64),
        n_left=np.empty((parts, shape.n_slots), np.int64),
        leaf_sums=np.empty(leaf_sums.size_for(n_rows, capacity)),
        sums=np.empty((capacity, leaf_sums.N_LEAF_SUMS)),
        source=np.empty(2 * capacity, np.int64),
        final=np.empty(capacity, np.int64),
        walked=np.empty((parts, 2, 8), np.uint64),
        few_rows=few_rows,
    )


def finished_arrays(capacity: int) -> FinishedArrays:
    """Make the arrays of a finished tree of at most so many nodes."""
    return FinishedArrays(
        np.empty(capacity, NODE_DTYPE), np.empty(capacity * int(routing.N_WORDS), np.uint64),
        np.empty(capacity, np.float32), np.empty(capacity, np.float32),
        np.empty(len(TreeFigures._fields)),
    )
