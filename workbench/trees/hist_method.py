"""The tree method "hist": splits between bins, sought in histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.binning import MOST_BINS, bin_rows, find_cuts
from workbench.trees.category_groups import wide_columns
from workbench.trees.grower import HeldOutRows, TreeGrower, bytes_of
from workbench.trees.tree_method import TREE_METHODS, Prepared

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.parameters.training import TrainingParams
    from workbench.trees.team import Team
    from workbench.trees.tree_method import RunRows


class HistMethod:
    """Columns cut once into at most `max_bin` bins."""

    name = "hist"
    least_cells = 1_000_000

    def prepare(
        self, rows: RunRows, params: TrainingParams, team: Team, cancelled: Callable[[], bool]
    ) -> Prepared:
        """Put the rows into bins."""
        cuts = find_cuts(
            rows.features, rows.train, rows.n_categories, params.max_bin, team.parts, cancelled, params.seed,
            rare_below=params.min_category_rows, rare_beyond=params.max_cat_to_onehot, kept=rows.kept,
        )
        matrix = bin_rows(rows.features, rows.train, cuts, team.parts, cancelled)
        valid = bin_rows(rows.features, rows.valid, cuts, team.parts, cancelled)
        numbers = np.arange(len(rows.valid), dtype=np.uint32)
        if max(rows.n_categories, default=0) <= MOST_BINS:
            return Prepared(TreeGrower(matrix, team), HeldOutRows(bytes_of(valid.records), numbers))
        wide, wide_valid = (
            wide_columns(rows.features, some, rows.n_categories, rows.kept)
            for some in (rows.train, rows.valid)
        )
        return Prepared(
            TreeGrower(matrix, team, wide=wide), HeldOutRows(bytes_of(valid.records), numbers, wide_valid)
        )


TREE_METHODS.register(HistMethod())
