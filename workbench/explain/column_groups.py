"""How a run's method sees the values of a column: groups of rows that no split takes apart.

hist and approx group by bin, exact by value. Between neighbours lie the candidate cuts.

    group        0        1        2              n−1 | MISSING | OTHER: rare categories, which answer "no"
    threshold       t0       t1       t2  …  t(n−1)
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.kernels.thresholds import LOWEST_THRESHOLD
from workbench.trees.bins.bin_search import MISSING_BIN
from workbench.trees.bins.binning import bins_in_column
from workbench.trees.bins.category_groups import bins_of_levels, wide_columns
from workbench.trees.bins.cuts import MOST_BINS, counted, find_cuts
from workbench.trees.bins.rare_categories import rare_categories
from workbench.trees.cut_thresholds import threshold_above, threshold_below, thresholds_between

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.replay import GrownTree, Replay
    from workbench.parameters.training import TrainingParams
    from workbench.trees.bins.cuts import BinCuts

MISSING, OTHER = -1, -2


class ColumnGroups(NamedTuple):
    """The values of some rows in one column.

    Attributes
    ----------
    of_row : ndarray of int64, shape (n,)
        MISSING, OTHER, or a number below `n_groups`.
    n_groups : int
    thresholds : ndarray of float32, shape (n_groups,)
        Of the cut behind each group; none for categories.
    code_group : ndarray of int64, shape (n_categories,)
        The group of each category code, OTHER where it answers "no" always; none for numbers.
    absent : int
        A category in no group, which may stand for "none"; −1 where there is none.
    below_all : float32
        Threshold that every number answers "no", but for those of rows without a weight.
    is_parted : bool
        Whether categories are parted into two sets, not one set against the rest.
    levels_a_group : float
        Categories a group on average, more than 1 where they share.
    rows_below : int
        Rows, without a weight, whose number lies below that threshold.
    """

    of_row: NDArray[np.int64]
    n_groups: int
    thresholds: NDArray[np.float32]
    code_group: NDArray[np.int64]
    absent: int
    below_all: np.float32
    is_parted: bool = False
    levels_a_group: float = 1.0
    rows_below: int = 0

    @property
    def is_category(self) -> bool:
        """Whether the column holds categories."""
        return len(self.code_group) > 0

    def codes(self, groups: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the category codes of these groups, ascending."""
        return np.flatnonzero(np.isin(self.code_group, groups))


class Grouping:
    """Groups the values of rows in the columns of one tree, as it was grown.

    Parameters
    ----------
    replay : Replay
    grown : GrownTree
    params : TrainingParams
        In force when it was grown.
    """

    def __init__(self, replay: Replay, grown: GrownTree, params: TrainingParams) -> None:
        self._data, self._grown, self._params = replay.dataset, grown, params
        self._started = replay.params
        self._kept = replay.kept
        self._replay = replay
        features = replay.dataset.schema.features
        self._n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in features)

    @cached_property
    def _counted(self) -> NDArray[np.uint32]:
        """The drawn rows that have a weight, as places among the training rows."""
        return counted(self._grown.sample.rows.drawn, self._replay.counts)

    def _counts_of(self, rows: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Return which of some training rows have a weight; None where all have, or none."""
        counts = None if self._replay.counts is None else np.isin(rows, self._replay.cut_at)
        return counts if counts is None or counts.any() else None

    def groups(self, column: int, rows: NDArray[np.int64]) -> ColumnGroups:
        """Return the groups of some rows of the dataset in a column."""
        is_exact, n_categories = self._started.tree_method == "exact", self._n_categories[column]
        if not is_exact and not n_categories:
            return self._by_bin(column, rows)
        values = self._data.features[rows, column]
        if is_exact:
            own = self._own_codes(column)
            if len(own) == n_categories and n_categories <= self._params.max_cat_to_onehot:
                return self._by_value(column, values, self._counts_of(rows))
            return self._by_code(values, own, column)._replace(is_parted=True)
        if n_categories > MOST_BINS:
            return self._by_level(column, values)
        return self._by_category(column, values)

    def _by_bin(self, column: int, rows: NDArray[np.int64]) -> ColumnGroups:
        """Groups of numbers between cuts; above the last, which no split reaches, is OTHER."""
        n, cuts = int(self._cuts.n_bins[column]), self._cuts.of_column(column)
        if column in self._cuts.fine:
            values = self._data.features[rows, column]
            bins = np.searchsorted(cuts, values, side="right")
            of_row = np.where(np.isnan(values), MISSING, np.where(bins < n, bins, OTHER))
        else:
            group_of_bin = np.full(MISSING_BIN + 1, OTHER, np.int64)
            group_of_bin[:n], group_of_bin[MISSING_BIN] = np.arange(n), MISSING
            of_row = group_of_bin[self._bins(column, rows, cuts)]
        return ColumnGroups(of_row, n, cuts, np.empty(0, np.int64), -1, LOWEST_THRESHOLD)

    def _bins(self, column: int, rows: NDArray[np.int64], cuts: NDArray[np.float32]) -> NDArray[np.uint8]:
        if self._started.tree_method == "hist":
            return self._replay.bins(column, rows)
        return bins_in_column(self._data.features, column, rows, cuts)

    @cached_property
    def _cuts(self) -> BinCuts:
        """The cuts of the run, or with approx those of this tree."""
        if self._started.tree_method == "hist":
            return self._replay.cuts
        data, drawn, params = self._data, self._counted, self._started
        weight = np.zeros(len(data.features))
        weight[data.train_rows[drawn]] = self._grown.hessians[drawn]
        return find_cuts(
            data.features, data.train_rows[drawn], self._n_categories, params.max_bin, 1, None, params.seed,
            rare_categories(params), weight, self._kept,
        )

    def _by_value(
        self, column: int, values: NDArray[np.float32], counts: NDArray[np.bool_] | None
    ) -> ColumnGroups:
        """Groups of equal categories, or of numbers: those of rows without a weight are with neighbours."""
        missing, is_category = np.isnan(values), self._n_categories[column] > 0
        distinct = np.unique(values[~missing if counts is None or is_category else ~missing & counts])
        n, of_row = len(distinct), np.full(len(values), MISSING, np.int64)
        if not is_category:
            thresholds = _thresholds(distinct)
            places = np.searchsorted(thresholds, values[~missing], side="right")
            of_row[~missing] = np.where(places < n, places, OTHER)
            below = threshold_below.plain(distinct[0]) if n else LOWEST_THRESHOLD
            n_below = int(np.count_nonzero(values[~missing] < below))
            return ColumnGroups(
                of_row, n, thresholds, np.empty(0, np.int64), -1, below, rows_below=n_below
            )
        of_code = np.full(self._n_categories[column], OTHER, np.int64)
        of_code[distinct.astype(np.int64)] = np.arange(n)
        of_row[~missing] = of_code[values[~missing].astype(np.int64)]
        others = np.setdiff1d(np.arange(self._n_categories[column]), distinct)
        absent = int(others[0]) if len(others) else -1
        return ColumnGroups(of_row, n, np.empty(0, np.float32), of_code, absent, LOWEST_THRESHOLD)

    def _own_codes(self, column: int) -> NDArray[np.int64]:
        """Return the categories of a column that exact lets answer "yes" where it parts them."""
        n, started = self._n_categories[column], self._started
        if started.min_category_rows <= 1 or n <= started.max_cat_to_onehot:
            return np.arange(n)
        trained = self._data.features[self._replay.cut_at, column]
        counts = np.bincount(trained[~np.isnan(trained)].astype(np.int64), minlength=n)
        return np.flatnonzero(counts >= started.min_category_rows)

    def _by_category(self, column: int, values: NDArray[np.float32]) -> ColumnGroups:
        return self._by_code(values, self._cuts.codes[column, : self._cuts.n_bins[column]], column)

    def _by_code(self, values: NDArray[np.float32], codes: NDArray[Any], column: int) -> ColumnGroups:
        of_code = np.full(self._n_categories[column], OTHER, np.int64)
        of_code[codes] = np.arange(len(codes))
        return self._of_codes(values, of_code, len(codes), 1.0)

    def _by_level(self, column: int, values: NDArray[np.float32]) -> ColumnGroups:
        """Groups of neighbours by gradient, made anew for each tree of all rows that it drew."""
        data, grown, params = self._data, self._grown, self._params
        drawn = grown.sample.rows.drawn
        wide = wide_columns(data.features, data.train_rows[drawn], self._n_categories, self._kept)
        k = int(np.flatnonzero(wide.columns == column)[0])
        bins = bins_of_levels(
            wide.levels[k], wide.n_levels[k], grown.gradients[drawn], grown.hessians[drawn],
            params.cat_smooth, params.min_category_rows, wide.kept[k],
        )[:-2].astype(np.int64)
        of_code = np.where(bins < MOST_BINS, bins, OTHER)
        n = int(of_code.max(initial=-1)) + 1
        return self._of_codes(values, of_code, n, float((of_code >= 0).sum() / max(n, 1)))

    def _of_codes(
        self, values: NDArray[np.float32], of_code: NDArray[np.int64], n: int, levels: float
    ) -> ColumnGroups:
        missing = np.isnan(values)
        known = np.where(missing, 0, values).astype(np.int64)
        is_known = (known >= 0) & (known < len(of_code))
        of_row = np.where(is_known, of_code[np.where(is_known, known, 0)], OTHER)
        of_row[missing] = MISSING
        is_parted = n > self._params.max_cat_to_onehot
        nothing = np.empty(0, np.float32)
        return ColumnGroups(of_row, n, nothing, of_code, -1, LOWEST_THRESHOLD, is_parted, levels)


def _thresholds(distinct: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the thresholds between distinct values, and one above the last, as exact has them."""
    if not len(distinct):
        return np.empty(0, np.float32)
    return np.append(thresholds_between(distinct[:-1], distinct[1:]), threshold_above.plain(distinct[-1]))
