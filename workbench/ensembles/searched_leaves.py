"""Trees whose leaves are weighed by the objective's own line search, once they are grown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.prediction import leaf_indices
from workbench.objectives.line_search import SearchedRows
from workbench.trees.finished_tree import with_leaf_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    def replaced(
        self, tree: Tree, data: Dataset, sample: SampledRows, gradients: NDArray[np.float64]
    ) -> Tree:
        """Return the tree with the leaves that the objective finds, added to the raw predictions.

        It looks at the drawn rows alone, each as often as it counts.

        Parameters
        ----------
        gradients : ndarray of float64, shape (n,)
            Before the round.
        """
        train, valid = self._before
        leaves = leaf_indices((tree,), data.features)[:, 0]
        own = leaves[data.train_rows]
        drawn = sample.rows.drawn
        weights = self._train.weights if sample.factors is None else self._train.weights * sample.factors
        rows = SearchedRows(
            self._train.target - train, gradients, weights, drawn, own[drawn], tree.n_nodes,
            len(self._train.raw),
        )
        tree = with_leaf_weights(tree, self._objective.leaf_weights(rows))
        self._train.raw[self._k] = train + tree.nodes["leaf_value"][own]
        self._valid.raw[self._k] = valid + tree.nodes["leaf_value"][leaves[data.valid_rows]]
        return tree
