"""The trees of an ensemble in one array, as walking rows through them wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike, NDArray

    from workbench.trees.tree import Tree

# Fields of a question; a leaf's COLUMN is −1.
COLUMN, LEFT, DEFAULT_LEFT, CODES_BEGIN, CODES_END = range(5)
N_FIELDS = 5


class FlatTrees(NamedTuple):
    """The trees of an ensemble, one after another.

    Attributes
    ----------
    roots : ndarray of int64, shape (n_trees + 1,)
        First node of each tree; the last is the number of nodes.
    classes : ndarray of int64, shape (n_trees,)
    questions : ndarray of int32, shape (n_nodes, N_FIELDS)
        A category question has codes, others have none.
    thresholds : ndarray of float32, shape (n_nodes,)
    values : ndarray of float32 or float64, shape (n_nodes,)
        What a leaf adds, in the precision in which it is added.
    codes : ndarray of int32
    """

    roots: NDArray[np.int64]
    classes: NDArray[np.int64]
    questions: NDArray[np.int32]
    thresholds: NDArray[np.float32]
    values: NDArray[np.floating[Any]]
    codes: NDArray[np.int32]

    @property
    def n_columns(self) -> int:
        """Columns that rows must have to be walked."""
        return int(self.questions[:, COLUMN].max(initial=-1)) + 1


def flatten(
    trees: Sequence[Tree], weights: NDArray[np.float32] | None = None, precision: DTypeLike = np.float32
) -> FlatTrees:
    """Lay out trees for walking; `weights`, one for each tree, multiply their leaves, as precise as those."""
    if weights is None:
        weights = np.ones(len(trees), np.float32)
    sizes = np.array([0, *(t.n_nodes for t in trees)], np.int64)
    roots = np.cumsum(sizes)
    questions = np.empty((roots[-1], N_FIELDS), np.int32)
    thresholds = np.empty(roots[-1], np.float32)
    values = np.empty(roots[-1], precision)
    n_codes = 0
    for tree, begin, weight in zip(trees, roots, weights, strict=False):
        nodes = tree.nodes
        here = slice(begin, begin + len(nodes))
        questions[here, COLUMN] = nodes["feature"]
        questions[here, LEFT] = nodes["left"] + begin
        questions[here, DEFAULT_LEFT] = nodes["default_left"]
        questions[here, CODES_BEGIN] = tree.category_begin[:-1] + n_codes
        questions[here, CODES_END] = tree.category_begin[1:] + n_codes
        thresholds[here] = nodes["threshold"]
        values[here] = nodes["leaf_value"] * weight
        n_codes += len(tree.category_codes)
    codes = np.concatenate([np.empty(0, np.int32), *(t.category_codes for t in trees)]).astype(np.int32)
    classes = np.array([t.class_index for t in trees], np.int64)
    return FlatTrees(roots, classes, questions, thresholds, values, codes)
