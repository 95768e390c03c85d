"""Trees whose leaves are weighed by the objective's own line search, once they are grown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.prediction import leaf_indices
from workbench.objectives.line_search import by_leaf
from workbench.trees.finished_tree import with_leaf_weights

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.ensembles.row_sampling import SampledRows
    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.objectives.base import Objective
    from workbench.trees.tree import Tree


class SearchedLeaves:
    """Keeps the raw predictions before a tree, to which the tree with other leaves is added then."""

    def __init__(self, objective: Objective, train: PredictedRows, valid: PredictedRows, k: int) -> None:
        self._objective = objective.of_output(k)
        self._train, self._valid, self._k = train, valid, k
        self._before = train.raw[k].copy(), valid.raw[k].copy()

    def replaced(self, tree: Tree, data: Dataset, sample: SampledRows) -> Tree:
        """Return the tree with the leaves that the objective finds, added to the raw predictions.

        It looks at the drawn rows alone, each as often as it counts.
        """
        train, valid = self._before
        leaves = leaf_indices((tree,), data.features)[:, 0]
        own = leaves[data.train_rows]
        drawn = sample.rows.drawn
        weight = self._train.weights if sample.factors is None else self._train.weights * sample.factors
        residual = self._train.target[drawn] - train[drawn]
        found = by_leaf(self._objective.leaf_weight, residual, weight[drawn], own[drawn], tree.n_nodes)
        tree = with_leaf_weights(tree, found)
        self._train.raw[self._k] = train + tree.nodes["leaf_value"][own]
        self._valid.raw[self._k] = valid + tree.nodes["leaf_value"][leaves[data.valid_rows]]
        return tree
