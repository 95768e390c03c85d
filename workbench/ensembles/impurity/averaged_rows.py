"""Raw predictions as the mean of the trees so far: sums of their leaves, divided by how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.run.predicted_rows import PredictedRows
    from workbench.trees.tree import Tree


class AveragedRows:
    """Some rows of a run and the leaves that they have fallen into.

    Parameters
    ----------
    rows : PredictedRows
        Whose raw predictions are set.
    offset : ndarray of float32, shape (n,), optional
        Beside the trees.
    """

    def __init__(self, rows: PredictedRows, offset: NDArray[np.float32] | None = None) -> None:
        self._rows, self._offset = rows, offset
        self._sums = np.zeros(rows.raw.shape)
        self._n_trees = 0

    def add(self, trees: tuple[Tree, ...], leaves: NDArray[np.int32]) -> None:
        """Take in a tree for each class, and the leaf of each row."""
        for k, tree in enumerate(trees):
            self._sums[k] += np.take(np.ascontiguousarray(tree.nodes["leaf_value"]), leaves)
        self._n_trees += 1

    def settle(self) -> None:
        """Set the raw predictions to the mean."""
        np.divide(self._sums, self._n_trees, out=self._rows.raw, casting="same_kind")
        if self._offset is not None:
            self._rows.raw += self._offset
