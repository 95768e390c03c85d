"""Rules that restrain nothing, but for what a test changes."""

from __future__ import annotations

import numpy as np

from workbench.trees.forced_splits import NO_SPLITS
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.restraints import Rules


def rules_for(d, **changes):
    free = Rules(
        reg_alpha=0.0, max_delta_step=0.0, min_leaf_rows=1, monotone=np.zeros(d, np.int8),
        column_sets=column_sets([], d), level_share=1.0, node_share=1.0, column_weights=np.ones(d), seed=1,
        drawn_columns=np.arange(d), forced=NO_SPLITS,
    )
    return free._replace(**changes)
