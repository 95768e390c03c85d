"""A child that is too light by less than the search's rounding: the node takes its next best split."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.threads.team import Team
from workbench.trees.bins.binning import bin_rows
from workbench.trees.bins.cuts import find_cuts
from workbench.trees.exact.grower import ExactGrower
from workbench.trees.forced_splits import NO_SPLITS
from workbench.trees.growing_params import DrawnRows, GrowingParams
from workbench.trees.hist.grower import TreeGrower
from workbench.trees.interaction_constraints import column_sets
from workbench.trees.restraints import Rules
from workbench.trees.tree_task import TreeTask

N = 8
ROWS = np.arange(N)
TOO_LITTLE = 1e-10  # below a unit of packed hessians
# The first column parts the two rows with the largest gradients, the second a third row with them.
FEATURES = np.asfortranarray(np.column_stack([ROWS > 1, ROWS > 2]).astype(np.float32))
GRADIENTS = np.array([5.0, 5.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0])
HESSIANS = np.array([0.5 - TOO_LITTLE, 0.5 - TOO_LITTLE] + [0.7] * 6)
ALPHA = Rules(1e-6, 0.0, 1, np.zeros(2, np.int8), column_sets([], 2), 1.0, 1.0, np.ones(2), 0,
              np.arange(2), NO_SPLITS)  # fmt: skip


def grower_of(method, threads):
    numbers = np.zeros(2, np.int64)
    if method == "exact":
        return ExactGrower(FEATURES, ROWS, numbers, Team(threads))
    return TreeGrower(bin_rows(FEATURES, ROWS, find_cuts(FEATURES, ROWS, numbers, 255)), Team(threads))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rules", [None, ALPHA], ids=["free", "restrained"])
@pytest.mark.parametrize("method", ["exact", "hist"])
def test_the_next_best_split_is_taken(method, rules, threads):
    task = TreeTask(
        GRADIENTS, HESSIANS, DrawnRows(ROWS.astype(np.uint32), np.empty(0, np.uint32)), np.arange(2),
        GrowingParams(1.0, 0.0, 0.3, 1.0, 1), np.zeros(1, np.uint8), np.zeros(N, np.float32),
    )
    grower = grower_of(method, threads)
    for _ in range(2):
        root = grower.grow(task, rules=rules).nodes[0]
        assert root["feature"] == 1
    lighter = task._replace(params=task.params._replace(min_child_weight=1.0 - 3 * TOO_LITTLE))
    assert grower.grow(lighter, rules=rules).nodes[0]["feature"] == 0
