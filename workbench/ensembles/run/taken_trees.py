"""Trees that were not grown here, added to the raw predictions of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ensembles.prediction import leaf_indices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.data.dataset import Dataset
    from workbench.ensembles.run.predicted_rows import RunPredictions
    from workbench.trees.tree import Tree


def add_trees(trees: Iterable[Tree], data: Dataset, rows: RunPredictions) -> None:
    """Add the leaves of trees to the raw predictions of all rows."""
    for tree in trees:
        leaves = leaf_indices((tree,), data.features)[:, 0]
        for part, places in zip(rows, (data.train_rows, data.valid_rows), strict=True):
            part.raw[tree.class_index] += tree.nodes["leaf_value"][leaves[places]]
