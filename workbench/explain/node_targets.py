"""What the target is in each node of a tree: how many rows of a class, or the mean of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.prediction import leaf_indices
from workbench.explain.tree_rows import node_sums
from workbench.mapped import rows_beside

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class NodeTargets:
    """The target of the rows that each node of one tree counts.

    Attributes
    ----------
    tree : Tree
    label : str or None
        The class that is counted: the positive one of two, the tree's own of several; None for numbers.
    total : ndarray of float64, shape (n_nodes,)
        Rows of that class, or the sum of the target; no row counts more than once, whatever its weight.
    rows : ndarray of int64, shape (n_nodes,)
        All that were counted.
    """

    tree: Tree
    label: str | None
    total: NDArray[np.float64]
    rows: NDArray[np.int64]

    def mean(self, node: int) -> float:
        """Mean of the target in a node, NaN where it has no rows."""
        rows = int(self.rows[node])
        return float(self.total[node]) / rows if rows else float("nan")


def node_targets(
    tree: Tree, dataset: Dataset, drawn: Callable[[], NDArray[Any]]
) -> NodeTargets | None:
    """Return the targets by node; None where the tree did not count these rows.

    Parameters
    ----------
    drawn : callable
        Which of the training rows grew the tree, as places among them; called where it were not all.
    """
    rows = dataset.train_rows
    if tree.nodes["count"][0] != len(rows):
        rows = rows[drawn()]
    label, values = counted_target(tree, dataset.schema, dataset.target[rows])
    leaves = leaf_indices((tree,), np.asfortranarray(rows_beside(dataset.features, rows)))[:, 0]
    sums = node_sums(tree, leaves, values, np.ones(len(rows)))
    if (sums.rows != tree.nodes["count"]).any():
        return None
    return NodeTargets(tree, label, sums.sum_gradient, sums.rows)


def counted_target(
    tree: Tree, schema: DataSchema, target: NDArray[np.float64]
) -> tuple[str | None, NDArray[np.float64]]:
    """The class that a tree is for, and 1 for its rows, else 0; the target itself where it is a number."""
    if schema.task == "regression":
        return None, target
    place = 1 if schema.task == "binary" else tree.class_index
    return str(schema.class_labels[place]), (target == place).astype(np.float64)
