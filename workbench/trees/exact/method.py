"""The tree method "exact": splits between any two values, sought in sorted columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.trees.bins.rare_categories import rare_categories
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.tree_method import TREE_METHODS, ReadyGrower

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.parameters.training import TrainingParams
    from workbench.threads.team import Team
    from workbench.trees.tree_method import RunRows


class ExactMethod:
    """Columns sorted once."""

    name = "exact"
    least_cells = 50_000

    def prepare(
        self, rows: RunRows, params: TrainingParams, team: Team, cancelled: Callable[[], bool]
    ) -> ReadyGrower:
        """Sort the columns."""
        grower = ExactGrower(
            rows.features, rows.train, np.array(rows.n_categories, np.int64), team, cancelled,
            rare=rare_categories(params), counts=rows.counts,
        )
        return ReadyGrower(grower, grower.held_out(rows.valid))


TREE_METHODS.register(ExactMethod())
