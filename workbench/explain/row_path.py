"""The way of one row through a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.trees.tree import Tree


@dataclass(frozen=True)
class PathStep:
    """One question on the way: the value (NaN is missing) and the answer, "yes" or "no"."""

    node: int
    value: np.float32
    answer: str

    @property
    def is_missing(self) -> bool:
        """Whether the answer is the one that missing values take."""
        return bool(np.isnan(self.value))


@dataclass(frozen=True)
class RowPath:
    """The questions asked of a row, and the leaf it reaches."""

    steps: tuple[PathStep, ...]
    leaf: int

    @property
    def nodes(self) -> tuple[int, ...]:
        """All nodes on the way, root and leaf included."""
        return (*(step.node for step in self.steps), self.leaf)


def row_path(tree: Tree, row: NDArray[np.float32]) -> RowPath:
    """Walk `row` (the features of one row, encoded as in the dataset) from the root to a leaf."""
    steps, node = [], 0
    while not tree.is_leaf[node]:
        record = tree.nodes[node]
        value = row[record["feature"]]
        yes = _is_true(tree, node, value)
        steps.append(PathStep(node, value, "yes" if yes else "no"))
        node = int(record["left"] if yes else record["right"])
    return RowPath(tuple(steps), node)


def matrix_row(dataset: Dataset, table_row: int) -> int | None:
    """Return the dataset's row that was made from a row of the table; None where there is none."""
    place = int(np.searchsorted(dataset.table_rows, table_row))
    if place < len(dataset.table_rows) and dataset.table_rows[place] == table_row:
        return place
    return None


def _is_true(tree: Tree, node: int, value: np.float32) -> bool:
    record = tree.nodes[node]
    if np.isnan(value):
        return bool(record["default_left"])
    codes = tree.categories(node)
    return int(value) in codes if len(codes) else bool(value < record["threshold"])
