"""The tree method "hist": splits between bins, sought in histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.category_groups import wide_columns
from workbench.trees.bins.cuts import MOST_BINS, find_cuts
from workbench.trees.bins.rare_categories import rare_categories
from workbench.trees.bins.shared_bytes import bytes_shared
from workbench.trees.hist.grower import TreeGrower, held_out_rows
from workbench.trees.tree_method import TREE_METHODS, ReadyGrower

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team
    from workbench.trees.bins.category_groups import WideColumns
    from workbench.trees.tree_method import RunRows


class HistMethod:
    """Columns cut once into at most `max_bin` bins."""

    name = "hist"
    least_cells = 100_000

    def prepare(
        self, rows: RunRows, params: TrainingParams, team: Team, cancelled: Callable[[], bool]
    ) -> ReadyGrower:
        """Put the rows into bins."""
        cuts = find_cuts(
            rows.features, rows.cut_at(), rows.n_categories, params.max_bin, team.parts, cancelled,
            params.seed, rare_categories(params), kept=rows.kept,
        )
        layout = bytes_shared(cuts, len(rows.train))
        matrix = bin_rows(rows.features, rows.train, cuts, team.parts, cancelled, layout)
        valid = bin_rows(rows.features, rows.valid, cuts, team.parts, cancelled, layout)
        wide: list[WideColumns | None] = [None, None]
        if max(rows.n_categories, default=0) > MOST_BINS:
            wide = [
                wide_columns(rows.features, some, rows.n_categories, rows.kept)
                for some in (rows.train, rows.valid)
            ]
        return ReadyGrower(TreeGrower(matrix, team, wide=wide[0]), held_out_rows(valid, wide[1]))


TREE_METHODS.register(HistMethod())
