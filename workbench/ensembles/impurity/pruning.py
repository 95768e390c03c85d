"""How a tree of a run is cut back, from the rows that it was grown on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.trees.cost_complexity import class_errors, number_errors, pruning_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.trees.by_node.grower import GrownTrees
    from workbench.trees.by_node.target import NodeTarget
    from workbench.trees.cost_complexity import PruningSteps


def steps_of(
    grown: GrownTrees, target: NodeTarget, weight: NDArray[np.float64], criterion: str
) -> PruningSteps:
    """Return how a tree that was grown on these rows is cut back."""
    if target.n_classes:
        errors = class_errors(grown.trees, criterion)
    else:
        errors = number_errors(grown.trees[0], grown.leaves, target.numbers + target.middle, weight)
    return pruning_steps(grown.trees[0], errors)
