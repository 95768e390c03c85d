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
from workbench.formats.bytes.float_text import finite_float32, shortest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

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
    trees: Sequence[Tree], first: int, n_features: int, factor: np.float32 = ONE
) -> list[dict[str, Any]]:
    """Return trees as XGBoost's JSON objects, leaves times `factor`, after checking that they can be said.

    They are numbered from `first` on. Their lists are arrays, of float32 and of whole numbers.
    """
    if not trees:
        return []
    nodes = _NodesOfTrees(trees)
    _check(nodes, n_features)
    left = nodes.of("left") + nodes.base
    order = exchange_siblings(np.flatnonzero(nodes.categorical), left, len(left))
    is_leaf, is_set = nodes.leaf[order], nodes.categorical[order]
    leaf_values = factor * nodes.of("leaf_value")[order].astype(np.float32)
    conditions = np.where(is_leaf, leaf_values, np.where(is_set, np.float32(0), nodes.of("threshold")[order]))
    gamma = np.repeat([tree.gamma for tree in trees], nodes.sizes)
    hessians = finite_float32(np.maximum(nodes.of("sum_hessian")[order], SMALLEST_HESSIAN))
    with np.errstate(over="ignore"):  # the too large become the largest
        doubled_gains = finite_float32(2.0 * (nodes.of("gain")[order] + gamma))
    parent = nodes.of("parent")[order]
    columns = {
        "base_weights": np.where(is_leaf, leaf_values, finite_float32(factor * nodes.of("weight")[order])),
        "default_left": (nodes.of("default_left")[order] ^ is_set).astype(np.int64),
        "left_children": nodes.of("left")[order],
        "loss_changes": np.where(is_leaf, np.float32(0), doubled_gains),
        "parents": np.where(parent < 0, NO_PARENT, order[parent + nodes.base] - nodes.base),
        "right_children": nodes.of("right")[order],
        "split_conditions": conditions,
        "split_indices": np.maximum(nodes.of("feature")[order], 0),
        "split_type": is_set.astype(np.int64),
        "sum_hessian": np.maximum(hessians, np.float32(SMALLEST_HESSIAN)),
    }
    begins = np.cumsum([0, *nodes.sizes]).tolist()
    return [
        _tree_object(tree, first + place, n_features, order[b:e] - b, is_set[b:e], columns, slice(b, e))
        for place, (tree, b, e) in enumerate(zip(trees, begins, begins[1:], strict=False))
    ]


def _tree_object(
    tree: Tree, index: int, n_features: int, order: NDArray[np.intp], is_set: NDArray[np.bool_],
    columns: dict[str, NDArray[Any]], here: slice,
) -> dict[str, Any]:  # fmt: skip
    values = {name: column[here] for name, column in columns.items()}
    return {
        "base_weights": values.pop("base_weights"),
        **_categories(tree, order, is_set),
        "default_left": values.pop("default_left"),
        "id": index,
        **values,
        "tree_param": {
            "num_deleted": "0",
            "num_feature": str(n_features),
            "num_nodes": str(tree.n_nodes),
            "size_leaf_vector": "1",
        },
    }


class _NodesOfTrees:
    """The nodes of several trees, one after another."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.sizes = [tree.n_nodes for tree in trees]
        if not all(self.sizes) or any(len(t.category_begin) != t.n_nodes + 1 for t in trees):
            raise WorkbenchError(INCOMPLETE)
        self._trees = trees
        self._found: dict[str, NDArray[Any]] = {}
        self.base = np.repeat(np.cumsum([0, *self.sizes[:-1]]), self.sizes)  # the root of each node's tree
        self.leaf: NDArray[np.bool_] = self.of("feature") < 0
        ends = np.concatenate([tree.category_begin[1:] for tree in trees])
        self.categorical: NDArray[np.bool_] = ends > np.concatenate([t.category_begin[:-1] for t in trees])

    def of(self, name: str) -> NDArray[Any]:
        """Return one field."""
        if name not in self._found:
            self._found[name] = np.concatenate([tree.nodes[name] for tree in self._trees])
        return self._found[name]


def leaf_tree(value: np.float32, index: int, n_features: int) -> dict[str, Any]:
    """Return a tree of one leaf, by which a class gets its exact intercept."""
    return {
        "base_weights": shortest(np.array([value])),
        "categories": [], "categories_nodes": [], "categories_segments": [], "categories_sizes": [],
        "default_left": [0],
        "id": index,
        "left_children": [-1],
        "loss_changes": [0.0],
        "parents": [NO_PARENT],
        "right_children": [-1],
        "split_conditions": shortest(np.array([value])),
        "split_indices": [0],
        "split_type": [0],
        "sum_hessian": [1.0],
        "tree_param": {
            "num_deleted": "0", "num_feature": str(n_features), "num_nodes": "1", "size_leaf_vector": "1",
        },
    }  # fmt: skip


def _categories(tree: Tree, order: NDArray[np.intp], is_set: NDArray[np.bool_]) -> dict[str, list[int]]:
    if not len(tree.category_codes):
        return {
            "categories": [], "categories_nodes": [], "categories_segments": [], "categories_sizes": [],
        }  # fmt: skip
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
    if (nodes.leaf & nodes.categorical).any():
        raise WorkbenchError(INCOMPLETE)
    inner = ~nodes.leaf
    if (nodes.of("feature")[inner] >= n_features).any():
        raise WorkbenchError("A tree asks for a column the model does not have; it cannot be exported.")
    left, right = nodes.of("left")[inner], nodes.of("right")[inner]
    first_siblings = np.flatnonzero((np.arange(len(inner)) - nodes.base) % 2 == 1)
    stand = np.array_equal(np.sort(left + nodes.base[inner]), first_siblings)
    if not (stand and np.array_equal(right, left + 1)):
        raise WorkbenchError("A tree's nodes do not stand with siblings adjacent; it cannot be exported.")
