"""Trees as XGBoost writes them.

At a category test ours sends the listed codes left and XGBoost sends them right. So there the two
children change places, and `default_left` with them:

    ours      n: x in {2, 5}?   left = a (yes)    right = a + 1 (no)
    XGBoost   n: x in {2, 5}?   left = a (no)     right = a + 1 (yes)

Only siblings are exchanged: their own children stay where they were, adjacent as XGBoost needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import finite_float32
from workbench.formats.xgboost.tree_table import TreeTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Nodes, Tree

ONE = np.float32(1)
NO_PARENT = 2147483647
SMALLEST_HESSIAN = 1e-16
INCOMPLETE = "A tree is not complete; it cannot be exported."


def exchange_siblings(category_nodes: NDArray[np.intp], left: NDArray[Any], n_nodes: int) -> NDArray[np.intp]:
    """Return the permutation that swaps the children of these nodes; it is its own inverse."""
    order = np.arange(n_nodes)
    first = left[category_nodes]
    order[first], order[first + 1] = first + 1, first
    return order


def xgboost_trees(
    trees: Sequence[Tree], nodes: Nodes, n_features: int, factor: np.float32 = ONE,
    leading: NDArray[np.float32] | tuple[()] = (),
) -> TreeTable:  # fmt: skip
    """Return trees as XGBoost says them, leaves times `factor`, after checking that they can be said.

    `nodes` are those of the trees, joined. Before them stand trees of one leaf each, by which a class gets
    its exact intercept: `leading`.
    """
    theirs = _NodesOfTrees(trees, nodes)
    _check(theirs, n_features)
    columns = _columns(theirs, np.repeat([tree.gamma for tree in trees], theirs.sizes), factor)
    if len(leading):
        first = _leaves(np.asarray(leading, np.float32))
        columns = {name: np.concatenate([first[name], column]) for name, column in columns.items()}
    return TreeTable(
        n_features,
        begins=[*range(len(leading)), *(len(leading) + theirs.begins).tolist()],
        columns=columns,
        categories={len(leading) + place: its for place, its in _category_lists(trees, theirs)},
    )


def _columns(
    nodes: _NodesOfTrees, gamma: NDArray[np.float64], factor: np.float32
) -> dict[str, NDArray[Any]]:
    """Return what XGBoost says of each node, in its order."""
    is_leaf, is_set = nodes.feature < 0, nodes.categorical
    leaf_values = factor * nodes.ordered("leaf_value").astype(np.float32, copy=False)
    thresholds = nodes.ordered("threshold")
    if nodes.has_sets:
        is_set = is_set[nodes.order]
        thresholds = np.where(is_set, np.float32(0), thresholds)
    told = np.empty((3, len(is_leaf)))
    np.maximum(nodes.ordered("sum_hessian"), SMALLEST_HESSIAN, out=told[0])
    np.add(nodes.ordered("gain"), gamma, out=told[1])
    np.multiply(nodes.ordered("weight"), factor, out=told[2])
    with np.errstate(over="ignore"):  # the too large become the largest
        told[1] *= 2.0
        hessians, doubled_gains, weights = finite_float32(told)
    parents = nodes.ordered("parent")
    if nodes.has_sets:
        parents = nodes.order[parents + nodes.base] - nodes.base  # of a root it is not asked
    return {
        "base_weights": np.where(is_leaf, leaf_values, weights),
        "default_left": (nodes.ordered("default_left") ^ is_set).astype(np.int64),
        "left_children": nodes.ordered("left"),
        "loss_changes": np.where(is_leaf, np.float32(0), doubled_gains),
        "parents": np.where(nodes.ordered("parent") < 0, NO_PARENT, parents),
        "right_children": nodes.ordered("right"),
        "split_conditions": np.where(is_leaf, leaf_values, thresholds),
        "split_indices": np.maximum(nodes.feature, 0),
        "split_type": is_set.astype(np.int64),
        "sum_hessian": np.maximum(hessians, np.float32(SMALLEST_HESSIAN)),
    }


def _leaves(values: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return the same of trees of one leaf each."""
    zeros, none = np.zeros(len(values), np.int64), np.full(len(values), -1)
    return {
        "base_weights": values, "default_left": zeros, "left_children": none,
        "loss_changes": zeros.astype(np.float32), "parents": np.full(len(values), NO_PARENT),
        "right_children": none, "split_conditions": values, "split_indices": zeros, "split_type": zeros,
        "sum_hessian": np.ones(len(values), np.float32),
    }  # fmt: skip


class _NodesOfTrees:
    """The nodes of several trees, one after another, and the order in which XGBoost has them."""

    def __init__(self, trees: Sequence[Tree], nodes: Nodes) -> None:
        self.sizes = [tree.n_nodes for tree in trees]
        begins = [len(tree.category_begin) - 1 for tree in trees]
        if not all(self.sizes) or begins != self.sizes:
            raise WorkbenchError(INCOMPLETE)
        self._nodes = nodes
        self.begins = np.cumsum([0, *self.sizes])
        self.base = np.repeat(self.begins[:-1], self.sizes)  # the root of each node's tree
        self.has_sets = any(len(tree.category_codes) for tree in trees)
        self.categorical = np.zeros(len(nodes), np.bool_)
        self.order = np.arange(len(nodes))
        if self.has_sets:
            self._find_sets(trees)
        self.feature = self.ordered("feature")

    def _find_sets(self, trees: Sequence[Tree]) -> None:
        for tree, begin in zip(trees, self.begins.tolist(), strict=False):
            if len(tree.category_codes):
                self.categorical[begin : begin + tree.n_nodes] = np.diff(tree.category_begin) > 0
        if (self.categorical & (self.of("feature") < 0)).any():
            raise WorkbenchError(INCOMPLETE)
        sets, lefts = np.flatnonzero(self.categorical), self.of("left") + self.base
        self.order = exchange_siblings(sets, lefts, len(self.order))

    def of(self, name: str) -> NDArray[Any]:
        """Return one field, in our order."""
        values: NDArray[Any] = self._nodes[name]
        return values

    def ordered(self, name: str) -> NDArray[Any]:
        """Return one field in XGBoost's order, which is ours where no tree asks for categories."""
        values: NDArray[Any] = self._nodes[name]
        return values[self.order] if self.has_sets else values


def _category_lists(
    trees: Sequence[Tree], nodes: _NodesOfTrees
) -> Iterator[tuple[int, dict[str, list[int]]]]:
    """Yield the places of the trees that ask for categories, and their codes."""
    begins = nodes.begins.tolist() if nodes.has_sets else []
    for place, (tree, b, e) in enumerate(zip(trees, begins, begins[1:], strict=False)):
        if len(tree.category_codes):
            order = nodes.order[b:e]
            yield place, _categories(tree, order - b, nodes.categorical[order])


def _categories(tree: Tree, order: NDArray[np.intp], is_set: NDArray[np.bool_]) -> dict[str, list[int]]:
    members = np.flatnonzero(is_set)
    sets = [tree.categories(int(order[node])) for node in members]
    sizes = [len(codes) for codes in sets]
    return {
        "categories": [int(code) for codes in sets for code in codes],
        "categories_nodes": members.tolist(),
        "categories_segments": np.cumsum([0, *sizes])[:-1].tolist(),
        "categories_sizes": sizes,
    }


def _check(nodes: _NodesOfTrees, n_features: int) -> None:
    inner = np.flatnonzero(nodes.of("feature") >= 0)
    if len(nodes.feature) and nodes.feature.max() >= n_features:
        raise WorkbenchError("A tree asks for a column the model does not have; it cannot be exported.")
    left, right = nodes.of("left")[inner], nodes.of("right")[inner]
    first_siblings = np.flatnonzero((np.arange(len(nodes.base)) - nodes.base) & 1)
    lefts = np.sort(left + nodes.base[inner])
    stand = len(lefts) == len(first_siblings) and (lefts == first_siblings).all()
    if not (stand and (right == left + 1).all()):
        raise WorkbenchError("A tree's nodes do not stand with siblings adjacent; it cannot be exported.")
