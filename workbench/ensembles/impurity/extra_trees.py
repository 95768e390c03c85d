"""Extra trees: of the columns drawn at each node one cut each, at random; the best of them is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.shape import columns_a_split, shape_of
from workbench.ensembles.impurity.trainer import ImpurityTrees

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import NodeGrowing


@TRAINERS.register
class ExtraTrees(ImpurityTrees):
    """One run of extremely randomised trees."""

    name = "extra_trees"

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return trees that draw columns and cuts at each node."""
        n_drawn = columns_a_split(params, n_columns, self.is_regression)
        return shape_of(params, n_drawn)._replace(draws_cuts=True)
