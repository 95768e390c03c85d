"""Grows one tree after another on the same binned rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.mapped import empty_beside
from workbench.threads.team import ALONE, Team
from workbench.trees import grown_nodes
from workbench.trees.bins.binning import BINS_A_WORD, OTHER_BIN
from workbench.trees.bins.category_groups import bins_of_levels
from workbench.trees.bins.fine_columns import fine_columns
from workbench.trees.finished_tree import category_sets, kept_tree, node_capacity
from workbench.trees.forced_splits import places_of
from workbench.trees.hist.boosting_step import boosting_step, finish_part
from workbench.trees.hist.few_rows import FEW_ROWS
from workbench.trees.hist.growing_arrays import HeldOutBins, MatrixArrays, finished_arrays, growing_memory
from workbench.trees.hist.histogram import HISTOGRAM_STRIDE
from workbench.trees.hist.histogram_memory import POOL_BYTES, no_histograms, pool_shape
from workbench.trees.node_lists import IS_STOPPED, N_KEPT
from workbench.trees.restraints import with_capacity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.bins.binning import BinnedMatrix
    from workbench.trees.bins.category_groups import WideColumns
    from workbench.trees.forced_splits import ForcedPlaces, ForcedSplits
    from workbench.trees.growing_params import DrawnRows, GrowingParams
    from workbench.trees.hist.growing_arrays import GrowingMemory
    from workbench.trees.restraints import Restraints, Rules
    from workbench.trees.tree import Tree
    from workbench.trees.tree_task import TreeTask

SMALL_POOL_BYTES = 2**17  # stays in the innermost caches
ROWS_FOR_WIDE_WAVES = 50_000


def bytes_of(records: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the same memory as a list of bytes."""
    return records.reshape(-1).view(np.uint8)


@dataclass(frozen=True)
class HeldOutRows:
    """Rows that every tree is added to and none grows on.

    Attributes
    ----------
    binned : HeldOutBins
    wide : WideColumns, optional
    """

    binned: HeldOutBins
    wide: WideColumns | None = None


def held_out_rows(matrix: BinnedMatrix, wide: WideColumns | None = None) -> HeldOutRows:
    """Return all rows of a matrix as rows that are held out."""
    rows = np.arange(matrix.n_rows, dtype=np.uint32)
    return HeldOutRows(HeldOutBins(rows, bytes_of(matrix.records), matrix.fine), wide)


class TreeGrower:
    """Grows trees; holds the memory that growing takes, so that a round allocates next to nothing.

    Parameters
    ----------
    matrix : BinnedMatrix
        All training rows.
    team : Team
        Who grows the trees; they do not depend on it.
    pool_bytes : int
        Memory for histograms beyond the least that growing takes; the trees do not depend on it.
    wide : WideColumns, optional
        Columns of more categories than there are bins.
    few_rows : int
        Nodes of at most so many are searched without a histogram; the trees do not depend on it.
    """

    def __init__(
        self,
        matrix: BinnedMatrix,
        team: Team = ALONE,
        pool_bytes: int | None = None,
        wide: WideColumns | None = None,
        few_rows: int = FEW_ROWS,
    ) -> None:
        cuts = matrix.cuts
        self._matrix = matrix
        self._arrays = MatrixArrays(
            matrix.records, bytes_of(matrix.records), matrix.by_column, cuts.n_bins, cuts.is_category,
            np.ones(len(cuts.n_bins)), cuts.cuts, cuts.codes, matrix.layout.places, matrix.layout.lines,
            matrix.layout.bins, matrix.layout.n_alone,
        )
        self._fine = None
        if cuts.fine:
            first = len(matrix.by_column) * HISTOGRAM_STRIDE
            self._fine = fine_columns(len(cuts.n_bins), cuts.fine, matrix.fine, first, team.parts)
        self._wide = wide
        self._bins_of_levels: dict[int, NDArray[np.uint8]] = {}
        self._has_categories = bool(cuts.is_category.any())
        self._team = team
        self._few_rows = 0 if self._has_categories or cuts.fine else few_rows
        small = team.parts == 1 and matrix.n_rows < ROWS_FOR_WIDE_WAVES
        self._pool_bytes = pool_bytes if pool_bytes is not None else SMALL_POOL_BYTES if small else POOL_BYTES
        nobodys = np.empty((len(cuts.fine), 0), np.uint16)
        self._nobody = HeldOutRows(HeldOutBins(np.empty(0, np.uint32), np.empty(0, np.uint8), nobodys))
        self._own_rows = np.empty(0, np.uint32)
        self._memory: GrowingMemory
        self._shape = (-1, -1, False)
        self._restraints: Restraints | None = None

    @property
    def cuts_by_column(self) -> tuple[int, ...]:
        """How many places to cut each column has."""
        return tuple(self._arrays.n_bins.tolist())

    def of_tree(self, hessians: NDArray[np.float64], rows: DrawnRows) -> TreeGrower:
        """Return who grows parts of one tree: the same as all others."""
        return self

    def grow(
        self,
        task: TreeTask,
        valid: HeldOutRows | None = None,
        class_index: int = 0,
        rules: Rules | None = None,
    ) -> Tree | None:
        """Grow one tree and add it to the raw predictions; None when the stop flag was raised meanwhile.

        Parameters
        ----------
        valid : HeldOutRows, optional
            The tree is added to the task's `valid_raw`.
        rules : Rules, optional
            What restrains the tree further.
        """
        self._team.run(boosting_step, *self._arguments(task, valid, rules))
        if self._memory.progress[IS_STOPPED]:
            return None
        table = self._finished.table[: self._memory.progress[N_KEPT]]
        sets = None
        if self._has_categories:
            kept = self._memory.nodes[self._memory.source[: len(table)]]
            yes = kept[:, grown_nodes.YES : grown_nodes.N_FIELDS]
            sets = category_sets(table, yes, self._arrays.codes, self._bins_of_levels)
        return kept_tree(table, self._finished.figures, task.params, class_index, sets, rules)

    def compile_finish(self, task: TreeTask) -> None:
        """Compile the second half of `boosting_step` for the whole to take in."""
        *known, _held_out = self._arguments(task)
        finish_part.compile_for_kernels(0, 1, np.empty(0, np.int64), *known)

    def _arguments(
        self, task: TreeTask, valid: HeldOutRows | None = None, rules: Rules | None = None
    ) -> tuple[Any, ...]:
        """Return what `step_part` takes to grow a tree, with room for it."""
        self._make_scratch(task.params, rules is not None and rules.min_leaf_rows > 1)
        self._part(task.rows)
        held_out = valid or self._nobody
        if self._wide is not None:
            self._group_levels(self._wide, task, held_out)
        return (
            self._arrays, self._fine, self._memory, self._finished, task, self._restrained(rules),
            held_out.binned,
        )

    def _part(self, rows: DrawnRows) -> None:
        """Choose the list of rows that is parted: every row, or one of the grower's own for those drawn."""
        n = self._matrix.n_rows
        if len(rows.drawn) == n:
            parted = rows.drawn
        else:
            parted = self._own_rows = self._own_rows if len(self._own_rows) == n else np.empty(n, np.uint32)
        if self._memory.rows is not parted:
            self._memory = self._memory._replace(rows=parted)

    def _group_levels(self, wide: WideColumns, task: TreeTask, held_out: HeldOutRows) -> None:
        """Group the categories of the wide columns for the next tree, in all rows."""
        arrays, drawn, params = self._arrays, task.rows.drawn, task.params
        for k, f in enumerate(wide.columns):
            if f not in task.columns:
                continue
            bins = bins_of_levels(
                wide.levels[k][drawn], wide.n_levels[k], task.gradients[drawn], task.hessians[drawn],
                params.cat_smooth, params.min_category_rows, wide.kept[k],
            )
            self._bins_of_levels[int(f)] = bins
            named = np.flatnonzero(bins < OTHER_BIN)[::-1]
            arrays.codes[f] = -1
            arrays.codes[f, bins[named]] = named
            n_groups = int(bins[named].max()) + 1 if len(named) else 0
            arrays.n_bins[f] = n_groups
            arrays.levels_a_bin[f] = len(named) / max(n_groups, 1)
            place = arrays.places[f]
            arrays.by_column[place] = bins[wide.levels[k]]
            byte = BINS_A_WORD + int(place)
            for records in self._every_record():
                bytes_of(records).reshape(len(records), -1)[:, byte] = arrays.by_column[place]
            n_held_out = len(held_out.binned.rows)
            if held_out.wide is not None and n_held_out:
                held_out.binned.bins.reshape(n_held_out, -1)[:, byte] = bins[held_out.wide.levels[k]]

    def _every_record(self) -> list[NDArray[np.uint64]]:
        """Return the records, and those that count rows where there are such."""
        counting = None if self._restraints is None else self._restraints.one_records
        return [self._arrays.records] + ([counting] if counting is not None and len(counting) else [])

    def _restrained(self, rules: Rules | None) -> Restraints | None:
        """Return the rules with room for the nodes of a tree, made once for all trees of a shape."""
        if rules is None:
            return None
        places = self._places(rules.forced)
        counts_rows = rules.min_leaf_rows > 1
        scratch = self._restraints
        if scratch is None or counts_rows > len(scratch.row_histograms.pool):
            records, row_histograms = np.empty((0, 0), np.uint64), no_histograms()
            if counts_rows:
                own = self._matrix.records
                records = empty_beside(own, own.shape, np.uint64)
                records[:, 0], records[:, 1:] = 1, own[:, 1:]
                row_histograms = self._memory.histograms.counting_rows()
            n_scanned = len(self._memory.found.sums)
            scratch = with_capacity(
                rules, places, len(self._memory.gains), n_scanned, records, row_histograms
            )
        self._restraints = scratch._replace(rules=rules, places=places)
        return self._restraints

    def _places(self, forced: ForcedSplits) -> ForcedPlaces:
        """Return which bins answer the forced splits."""
        arrays = self._arrays
        values: dict[int, NDArray[np.float32]] = {}
        for f in set(forced.columns.tolist()):
            codes = arrays.codes[f, : arrays.n_bins[f]].astype(np.float32)
            values[f] = codes if arrays.is_category[f] else self._matrix.cuts.of_column(f)
        return places_of(forced, values, grown_nodes.N_YES)

    def _make_scratch(self, params: GrowingParams, counts_rows: bool) -> None:
        """Make memory for trees of this shape, unless it is there."""
        shape = (params.max_depth, params.max_leaves, counts_rows)
        if shape == self._shape:
            return
        n, parts = self._matrix.n_rows, self._team.parts
        capacity = node_capacity(n, params)
        n_bytes = self._matrix.layout.n_bytes
        length = n_bytes * HISTOGRAM_STRIDE
        if self._fine is not None:
            length = int(self._fine.begins[-1])
        pool = pool_shape(
            length, capacity, params.max_depth, self._pool_bytes, parts, 2 if counts_rows else 1
        )
        self._memory = growing_memory(
            n, self._arrays.n_bins, n_bytes, capacity, pool, length, parts, self._few_rows
        )
        self._finished = finished_arrays(capacity)
        self._shape = shape
        self._restraints = None
