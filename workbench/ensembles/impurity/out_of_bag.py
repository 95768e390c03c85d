"""Out-of-bag predictions: those of each training row by the trees that did not draw it, and their metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.run.predicted_rows import PredictedRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.run.metrics import RunMetrics
    from workbench.trees.tree import Tree

OUT_OF_BAG = "oob:"  # before the name of a metric


class OutOfBag:
    """The training rows as the trees that did not draw them predict them.

    Parameters
    ----------
    rows : PredictedRows
    metrics : RunMetrics
    offset : ndarray of float32, shape (n,), optional
    """

    def __init__(
        self, rows: PredictedRows, metrics: RunMetrics, offset: NDArray[np.float32] | None = None
    ) -> None:
        self._rows, self._metrics, self._offset = rows, metrics, offset
        self._sums = np.zeros(rows.raw.shape)
        self._n_trees = np.zeros(len(rows), np.int32)

    def add(self, trees: tuple[Tree, ...], leaves: NDArray[np.int32], counts: NDArray[np.float64]) -> None:
        """Take in a tree for each class; `counts` tells how often it drew each row."""
        out = np.flatnonzero(counts == 0.0)
        for k, tree in enumerate(trees):
            self._sums[k, out] += tree.nodes["leaf_value"][leaves[out]]
        self._n_trees[out] += 1

    def predicted(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the rows that any tree left out, and their raw predictions, shape (K, m)."""
        rows = np.flatnonzero(self._n_trees)
        raw = (self._sums[:, rows] / self._n_trees[rows]).astype(np.float32)
        return rows, raw if self._offset is None else raw + self._offset[rows]

    def figures(self) -> dict[str, float]:
        """Return the metrics of these rows; nothing where there are none."""
        rows, raw = self.predicted()
        if not len(rows):
            return {}
        own = PredictedRows(self._rows.target[rows], self._rows.weights[rows], raw)
        measured = self._metrics.measured(own)
        return {OUT_OF_BAG + name: value for name, value in measured.items()}
