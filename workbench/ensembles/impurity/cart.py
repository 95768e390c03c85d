"""CART: one tree whose leaves hold the mean or the class shares; cost-complexity pruning cuts it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.pruning import steps_of
from workbench.ensembles.impurity.shape import shape_of
from workbench.ensembles.impurity.trainer import ImpurityTrees
from workbench.errors import WorkbenchError
from workbench.trees.by_node.grower import GrownTrees
from workbench.trees.cost_complexity import cut_back

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import NodeGrowing
    from workbench.trees.by_node.target import NodeTarget


@TRAINERS.register
class Cart(ImpurityTrees):
    """One run, of one round."""

    name = "cart"

    def check_start(self, start: Ensemble | None) -> None:
        """Refuse to go on from a tree."""
        if start is not None and start.trees:
            raise WorkbenchError(
                "The method cart grows one tree and cannot go on from another. Choose bagging for more."
            )

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return a tree that looks at every column."""
        return shape_of(params, n_columns)

    def finished(
        self, grown: GrownTrees, params: TrainingParams, target: NodeTarget, weight: NDArray[np.float64]
    ) -> GrownTrees:
        """Return the tree cut back as far as its leaves cost."""
        if params.ccp_alpha <= 0.0:
            return grown
        cut = steps_of(grown, target, weight, params.criterion).cut_at(params.ccp_alpha)
        trees, place = cut_back(grown.trees, cut)
        return GrownTrees(trees, place[grown.leaves])
