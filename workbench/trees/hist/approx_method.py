"""The tree method "approx": cuts chosen anew for every tree, at quantiles weighted by the hessian.

Chen and Guestrin 2016, section 3.2 and appendix A: each bin holds about as much hessian, so that cuts stand
close where the loss is uncertain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.category_groups import wide_columns
from workbench.trees.bins.cuts import MOST_BINS, BinCuts, find_cuts
from workbench.trees.bins.rare_categories import rare_categories
from workbench.trees.hist.grower import TreeGrower, held_out_rows
from workbench.trees.tree_method import TREE_METHODS, ReadyGrower

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team
    from workbench.trees.growing_params import DrawnRows
    from workbench.trees.hist.grower import HeldOutRows
    from workbench.trees.restraints import Rules
    from workbench.trees.tree import Tree
    from workbench.trees.tree_method import RunRows
    from workbench.trees.tree_task import TreeTask


class ApproxGrower:
    """Bins the rows for each tree and grows it as hist does."""

    def __init__(self, rows: RunRows, params: TrainingParams, team: Team) -> None:
        self._rows = rows
        self._params = params
        self._team = team
        self.cuts_by_column: tuple[int, ...] = ()
        has_wide = max(rows.n_categories, default=0) > MOST_BINS
        self._wide = [
            wide_columns(rows.features, some, rows.n_categories, rows.kept) if has_wide else None
            for some in (rows.train, rows.valid)
        ]

    def grow(
        self,
        task: TreeTask,
        valid: HeldOutRows | None = None,
        class_index: int = 0,
        rules: Rules | None = None,
    ) -> Tree | None:
        """Choose cuts by the hessians of the drawn rows, then grow one tree; see `TreeGrower.grow`."""
        run, team = self._rows, self._team
        cuts = self._cuts(task.hessians, task.rows)
        if task.stop_flag[0]:
            return None
        held_out = None
        if len(run.valid):
            held_out = held_out_rows(bin_rows(run.features, run.valid, cuts, team.parts), self._wide[1])
        return self._on_cuts(cuts).grow(task, held_out, class_index, rules)

    def of_tree(self, hessians: NDArray[np.float64], rows: DrawnRows) -> TreeGrower:
        """Return who grows parts of one tree, on the cuts of its rows."""
        return self._on_cuts(self._cuts(hessians, rows))

    def _on_cuts(self, cuts: BinCuts) -> TreeGrower:
        matrix = bin_rows(self._rows.features, self._rows.train, cuts, self._team.parts)
        return TreeGrower(matrix, self._team, wide=self._wide[0])

    def _cuts(self, hessians: NDArray[np.float64], rows: DrawnRows) -> BinCuts:
        run, params = self._rows, self._params
        weight = np.zeros(len(run.features))
        weight[run.train[rows.drawn]] = hessians[rows.drawn]
        cuts = find_cuts(
            run.features, run.cut_at(rows.drawn), run.n_categories, params.max_bin, self._team.parts, None,
            params.seed, rare_categories(params), weight, run.kept,
        )
        self.cuts_by_column = tuple(cuts.n_bins.tolist())
        return cuts


class ApproxMethod:
    """Columns cut for every tree, weighted by the hessian."""

    name = "approx"
    least_cells = 1_000_000

    def prepare(
        self, rows: RunRows, params: TrainingParams, team: Team, cancelled: Callable[[], bool]
    ) -> ReadyGrower:
        """Cut nothing yet: each tree has its own cuts."""
        return ReadyGrower(ApproxGrower(rows, params, team), None)


TREE_METHODS.register(ApproxMethod())
