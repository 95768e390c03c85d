"""Bagging: deep trees on bootstrap samples, each split sought among all columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.base import TRAINERS
from workbench.ensembles.impurity.shape import shape_of
from workbench.ensembles.impurity.trainer import ImpurityTrees

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import NodeGrowing


@TRAINERS.register
class Bagging(ImpurityTrees):
    """One run of bagged trees."""

    name = "bagging"

    def growing(self, params: TrainingParams, n_columns: int) -> NodeGrowing:
        """Return trees that look at every column."""
        return shape_of(params, n_columns)
