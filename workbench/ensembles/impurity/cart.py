"""CART: one tree whose leaves hold the mean or the class shares; cost-complexity pruning cuts it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.shape import shape_of
from workbench.ensembles.impurity.trainer import ImpurityTrees

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import NodeGrowing


@TRAINERS.register
class Cart(ImpurityTrees):
    """One run, of one round."""

    name = "cart"

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return a tree that looks at every column."""
        return shape_of(params, n_columns)
