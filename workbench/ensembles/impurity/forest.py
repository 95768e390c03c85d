"""Random forest: deep trees on bootstrap samples, each split sought among a few drawn columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.shape import columns_a_split, shape_of
from workbench.ensembles.impurity.trainer import ImpurityTrees

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import NodeGrowing


@TRAINERS.register
class RandomForest(ImpurityTrees):
    """One run of a random forest."""

    name = "forest"

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return trees that draw columns at each node."""
        return shape_of(params, columns_a_split(params, n_columns, self.is_regression))
