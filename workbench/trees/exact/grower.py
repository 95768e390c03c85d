"""Grows one tree after another by exact greedy search on the same sorted columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.kernel_arrays import kernel_array
from workbench.mapped import empty_beside
from workbench.threads.team import ALONE, Team
from workbench.trees import leaf_sums, packing
from workbench.trees.bins.rare_categories import NONE_RARE, RareCategories
from workbench.trees.exact import nodes as exact_nodes
from workbench.trees.exact import scan as exact_scan
from workbench.trees.exact.category_partition import category_scratch
from workbench.trees.exact.columns import sort_columns
from workbench.trees.exact.nodes import IS_STOPPED, N_ENTRIES, N_KEPT, N_LISTS
from workbench.trees.exact.sets import listed_sets
from workbench.trees.exact.step import exact_step
from workbench.trees.finished_tree import kept_tree, node_capacity
from workbench.trees.forced_splits import MOST_CODES, places_of
from workbench.trees.hist.histogram_memory import no_histograms
from workbench.trees.restraints import with_capacity
from workbench.trees.tree import NODE_DTYPE, TreeFigures

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.trees.exact.category_partition import CategoryScratch
    from workbench.trees.forced_splits import ForcedPlaces, ForcedSplits
    from workbench.trees.growing_params import DrawnRows, GrowingParams
    from workbench.trees.restraints import Restraints, Rules
    from workbench.trees.tree import Tree
    from workbench.trees.tree_task import TreeTask

PAD = exact_scan.VECTOR_CUTS + 1
SHARED_CODES = 32  # codes in the sets of all nodes, for every row; pages that are not written take no memory
MOST_FOUND = 2**18  # pairs of node and column in a wave: 16 MB of what is found


class ExactMemory(NamedTuple):
    """What growing a tree writes to, made once for all trees.

    Attributes
    ----------
    gradient_sums, scales, packed
        Of gradients as integers; see `packing`.
    entries : ndarray of uint64, shape (d, n + PAD)
        The sorted columns of the drawn rows, parted by node; see `rows_parted`.
    goes_left : ndarray of uint8, shape (parts, n)
        Which rows were drawn, then which go left; each part has its own.
    labels : ndarray of int32, shape (parts, n)
        Leaf of each row.
    lefts : ndarray of int64, shape (parts, n + PAD)
        Running sums of one column.
    right_entries : ndarray of uint64, shape (parts, n + PAD)
        Room for parting one column.
    found : ndarray of float64, shape (2 * widest, d, N_FOUND)
        What the scan found; `found_sums` are the packed sums of the nodes.
    nodes : ndarray of int64, shape (capacity, N_FIELDS)
        The grown nodes; `thresholds` and `gains` are those of their splits.
    codes, is_yes : ndarray of int32 and uint8
        The sets of categories of all nodes, and room for one; see `sets`.
    categories : CategoryScratch
    lists, progress
        See `growing`.
    leaf_sums, sums, source, final
        See `leaf_sums` and `post_pruning`.
    """

    gradient_sums: NDArray[np.float64]
    scales: NDArray[np.float64]
    packed: NDArray[np.int64]
    entries: NDArray[np.uint64]
    goes_left: NDArray[np.uint8]
    labels: NDArray[np.int32]
    lefts: NDArray[np.int64]
    right_entries: NDArray[np.uint64]
    found: NDArray[np.float64]
    found_sums: NDArray[np.int64]
    nodes: NDArray[np.int64]
    thresholds: NDArray[np.float32]
    gains: NDArray[np.float64]
    codes: NDArray[np.int32]
    is_yes: NDArray[np.uint8]
    categories: CategoryScratch
    lists: NDArray[np.int64]
    progress: NDArray[np.int64]
    leaf_sums: NDArray[np.float64]
    sums: NDArray[np.float64]
    source: NDArray[np.int64]
    final: NDArray[np.int64]


class FinishedTree(NamedTuple):
    """A finished tree as kernels write it.

    Attributes
    ----------
    table : structured ndarray of NODE_DTYPE, shape (capacity,)
    value_of_leaf, value_of_label : ndarray of float32, shape (capacity,)
        What to add to a row that falls into a leaf of the tree, or bears a label of the grower.
    figures : ndarray of float64, shape (6,)
        `TreeFigures`.
    sets : ndarray of int64, shape (capacity, 2)
        Where the set of categories of each node begins and ends in `ExactMemory.codes`.
    """

    table: NDArray[np.void]
    value_of_leaf: NDArray[np.float32]
    value_of_label: NDArray[np.float32]
    figures: NDArray[np.float64]
    sets: NDArray[np.int64]


class HeldOutValues(NamedTuple):
    """Rows that every tree is added to and none grows on.

    Attributes
    ----------
    lines : ndarray of int64, shape (n,)
        Their lines in the feature matrix.
    rows : ndarray of uint32, shape (n,)
        0 … n−1.
    """

    lines: NDArray[np.int64]
    rows: NDArray[np.uint32]


class RawValues(NamedTuple):
    """The values that rows are walked down a tree by.

    Attributes
    ----------
    by_column : ndarray of float32, shape (d, N)
        Those of all lines of the feature matrix.
    lines, valid_lines : ndarray of int64
        Where the training and the held-out rows stand in them.
    valid_rows : ndarray of uint32
        Numbers of the held-out rows.
    """

    by_column: NDArray[np.float32]
    lines: NDArray[np.int64]
    valid_lines: NDArray[np.int64]
    valid_rows: NDArray[np.uint32]


class ExactGrower:
    """Grows trees whose splits are sought among all distinct values.

    Parameters
    ----------
    features : ndarray of float32, shape (N, d), Fortran order
        NaN is missing.
    rows : ndarray of int64, shape (n,)
        The training rows.
    n_categories : ndarray of int64, shape (d,)
        Categories of each column; 0 where it holds numbers.
    team : Team
        Who grows the trees; they do not depend on it.
    cancelled : callable, optional
        Asked while columns are sorted.
    most_found : int
        Pairs of node and column that are scanned at once; the trees do not depend on it.
    rare, counts
        See `sort_columns`.
    """

    def __init__(
        self,
        features: NDArray[np.float32],
        rows: NDArray[np.int64],
        n_categories: NDArray[np.int64],
        team: Team = ALONE,
        cancelled: Callable[[], bool] | None = None,
        most_found: int = MOST_FOUND,
        rare: RareCategories = NONE_RARE,
        counts: NDArray[np.bool_] | None = None,
    ) -> None:
        self._by_column = kernel_array(features.T, np.float32)
        self._rows = kernel_array(rows, np.int64)
        self._columns = sort_columns(
            self._by_column, self._rows, n_categories, team.parts, cancelled, rare, counts
        )
        self._has_categories = bool(self._columns.is_category.any())
        self._team = team
        self._most_found = most_found
        self._nobody = HeldOutValues(np.empty(0, np.int64), np.empty(0, np.uint32))
        self._shape = (-1, -1)
        self._restraints: Restraints | None = None

    @property
    def cuts_by_column(self) -> tuple[int, ...]:
        """How many places to cut each column has: its distinct values."""
        return tuple(np.diff(self._columns.begins).tolist())

    def held_out(self, rows: NDArray[np.int64]) -> HeldOutValues:
        """Return rows of the feature matrix as those that are held out."""
        return HeldOutValues(kernel_array(rows, np.int64), np.arange(len(rows), dtype=np.uint32))

    def of_tree(self, hessians: NDArray[np.float64], rows: DrawnRows) -> ExactGrower:
        """Return who grows parts of one tree: the same as all others."""
        return self

    def grow(
        self,
        task: TreeTask,
        valid: HeldOutValues | None = None,
        class_index: int = 0,
        rules: Rules | None = None,
    ) -> Tree | None:
        """Grow one tree and add it to the raw predictions; None when the stop flag was raised meanwhile.

        Parameters
        ----------
        valid : HeldOutValues, optional
            The tree is added to the task's `valid_raw`.
        rules : Rules, optional
            What restrains the tree further.
        """
        self._make_scratch(task.params)
        values = RawValues(self._by_column, self._rows, *(valid or self._nobody))
        self._team.run(
            exact_step, self._columns, self._memory, self._finished, task, self._restrained(rules), values
        )
        if self._memory.progress[IS_STOPPED]:
            return None
        table = self._finished.table[: self._memory.progress[N_KEPT]]
        sets = None
        if self._has_categories:
            sets = listed_sets(table, self._finished.sets[: len(table)], self._memory.codes)
        return kept_tree(table, self._finished.figures, task.params, class_index, sets, rules)

    def _restrained(self, rules: Rules | None) -> Restraints | None:
        """Return the rules with room for the nodes of a tree, made once for all trees of a shape."""
        if rules is None:
            return None
        places = self._places(rules.forced)
        if self._restraints is None:
            nothing = np.empty((0, 0), np.uint64)
            self._restraints = with_capacity(
                rules, places, len(self._memory.gains), len(self._memory.found), nothing, no_histograms()
            )
        self._restraints = self._restraints._replace(rules=rules, places=places)
        return self._restraints

    def _places(self, forced: ForcedSplits) -> ForcedPlaces:
        """Return which ranks answer the forced splits."""
        begins, sizes = self._columns.begins, np.diff(self._columns.begins)
        values = {}
        for f in set(forced.columns.tolist()):
            own = self._columns.values[begins[f] : begins[f + 1]]
            values[f] = own if self._columns.is_category[f] else np.nextafter(own, np.float32(np.inf))
        return places_of(forced, values, 1 + int(sizes.max()) // 64)

    def _room_for_entries(self) -> NDArray[np.uint64]:
        own = self._columns.entries
        scratch = empty_beside(own, (len(own), own.shape[1] + PAD), np.uint64)
        scratch[:] = 0
        return scratch

    def _make_scratch(self, params: GrowingParams) -> None:
        """Make memory for trees of this shape, unless it is there."""
        shape = (params.max_depth, params.max_leaves)
        if shape == self._shape:
            return
        n, d, parts = len(self._rows), len(self._by_column), self._team.parts
        capacity = node_capacity(n, params)
        most = 1 + int(np.diff(self._columns.begins)[self._columns.is_category].max(initial=0))
        widest = max(1, min(capacity // 2, self._most_found // d))
        self._memory = ExactMemory(
            gradient_sums=np.empty((-(-n // packing.SCALE_BLOCK_ROWS), packing.N_GRADIENT_SUMS)),
            scales=np.empty(packing.N_SCALES),
            packed=np.empty(n, np.int64),
            entries=self._room_for_entries(),
            goes_left=np.empty((parts, n), np.uint8),
            labels=np.zeros((parts, n), np.int32),
            lefts=np.zeros((parts, n + PAD), np.int64),
            right_entries=np.empty((parts, n + PAD), np.uint64),
            found=np.empty((2 * widest, d, exact_scan.N_FOUND)),
            found_sums=np.empty(2 * widest, np.int64),
            nodes=np.empty((capacity, exact_nodes.N_FIELDS), np.int64),
            thresholds=np.empty(capacity, np.float32),
            gains=np.empty(capacity),
            codes=np.empty(capacity + MOST_CODES + min(n * SHARED_CODES, capacity * most), np.int32),
            is_yes=np.empty(most, np.uint8),
            categories=category_scratch(parts, most),
            lists=np.empty((N_LISTS, capacity + 1), np.int64),
            progress=np.empty(N_ENTRIES, np.int64),
            leaf_sums=np.empty(leaf_sums.size_for(n, capacity)),
            sums=np.empty((capacity, leaf_sums.N_LEAF_SUMS)),
            source=np.empty(2 * capacity, np.int64),
            final=np.empty(capacity, np.int64),
        )
        self._finished = FinishedTree(
            np.empty(capacity, NODE_DTYPE), np.empty(capacity, np.float32), np.empty(capacity, np.float32),
            np.empty(len(TreeFigures._fields)), np.empty((capacity, 2), np.int64),
        )
        self._shape = shape
        self._restraints = None
