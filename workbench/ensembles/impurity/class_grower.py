"""The trees of a round of AdaBoost for several classes: one structure, by Gini under the row weights."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.ensembles.class_weights import counting
from workbench.ensembles.round_grower import RoundGrower
from workbench.ensembles.run.taken_trees import add_trees
from workbench.objectives.samme_weights import log_shares, votes
from workbench.trees.by_node.coded_columns import code_columns
from workbench.trees.by_node.grower import NodeGrowing, grow
from workbench.trees.by_node.target import class_target
from workbench.trees.finished_tree import with_leaf_weights
from workbench.trees.tree_method import RunRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.row_sampling import SampledRows
    from workbench.ensembles.run.begun import Begun
    from workbench.ensembles.run.setup import RunSetup
    from workbench.ensembles.run.training_loss import TrainingLoss
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


class ClassGrower(RoundGrower):
    """Grows a tree for each class, all on the row weights, which are the hessians of the loss."""

    def __init__(
        self,
        setup: RunSetup,
        data: Dataset,
        begun: Begun,
        loss: TrainingLoss,
        least_gain: float,
        stop_flag: NDArray[np.uint8],
        given: Mapping[int, tuple[Tree, ...]] = MappingProxyType({}),
    ) -> None:
        super().__init__(setup, data, begun, loss, least_gain, stop_flag, given)
        counts = counting(setup.weight_of(data, data.train_rows))
        rows = RunRows(data.features, data.train_rows, data.valid_rows, setup.n_categories, counts=counts)
        self._columns = code_columns(rows, setup.params, setup.team.parts)
        self._target = class_target(data.target[data.train_rows], setup.n_outputs)

    @property
    def cuts_by_column(self) -> tuple[int, ...]:
        """How many places to cut each column has."""
        return tuple(self._columns.n_codes.tolist())

    def grow(
        self, params: TrainingParams, number: int, sample: SampledRows, learning_rate: float
    ) -> tuple[Tree, ...] | None:
        """Return the trees of round `number`; None when it was broken off."""
        if number in self._given:
            return self._taken(self._given[number])
        grown = grow(
            self._columns, self._target, self._loss.hessians[0],
            NodeGrowing(min_leaf_rows=params.min_leaf_rows, max_depth=params.max_depth),
            self._setup.columns.allowed, params.seed, number, self._stop_flag,
        )
        if grown is None:
            return None
        found = (log_shares if params.adaboost == "real" else votes)(grown.trees)
        trees = tuple(
            with_leaf_weights(replace(tree, learning_rate=learning_rate), weights)
            for tree, weights in zip(grown.trees, found, strict=True)
        )
        add_trees(trees, self._data, self._rows)
        self.has_split |= trees[0].n_nodes > 1
        return trees
