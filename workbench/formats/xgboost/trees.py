"""One tree as XGBoost writes it.

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
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

ONE = np.float32(1)
NO_PARENT = 2147483647
SMALLEST_HESSIAN = 1e-16


def exchange_siblings(category_nodes: NDArray[np.intp], left: NDArray[Any], n_nodes: int) -> NDArray[np.intp]:
    """Return the permutation that swaps the children of these nodes; it is its own inverse."""
    order = np.arange(n_nodes)
    first = left[category_nodes]
    order[first], order[first + 1] = first + 1, first
    return order


def xgboost_tree(
    tree: Tree, index: int, n_features: int, factor: np.float32 = ONE
) -> dict[str, Any]:
    """Return the tree as XGBoost's JSON object, leaves times `factor`, after checking that it can be said."""
    nodes, leaf = tree.nodes, tree.is_leaf
    categorical = np.diff(tree.category_begin) > 0
    _check(tree, leaf, categorical, n_features)
    order = exchange_siblings(np.flatnonzero(categorical), nodes["left"], len(nodes))
    at = nodes[order]
    is_leaf, is_set = leaf[order], categorical[order]
    leaf_values = factor * at["leaf_value"].astype(np.float32)
    conditions = np.where(is_leaf, leaf_values, np.where(is_set, np.float32(0), at["threshold"]))
    gains = finite_float32(np.where(is_leaf, 0.0, 2.0 * (at["gain"] + tree.gamma)))
    weights = np.where(is_leaf, leaf_values, finite_float32(factor * at["weight"]))
    hessians = finite_float32(np.maximum(at["sum_hessian"], SMALLEST_HESSIAN))
    parents = np.where(at["parent"] < 0, NO_PARENT, order[at["parent"]])
    return {
        "base_weights": shortest(weights),
        **_categories(tree, order, is_set),
        "default_left": (at["default_left"] ^ is_set).astype(int).tolist(),
        "id": index,
        "left_children": at["left"].tolist(),
        "loss_changes": shortest(gains),
        "parents": parents.tolist(),
        "right_children": at["right"].tolist(),
        "split_conditions": shortest(conditions),
        "split_indices": np.maximum(at["feature"], 0).tolist(),
        "split_type": is_set.astype(int).tolist(),
        "sum_hessian": shortest(np.maximum(hessians, np.float32(SMALLEST_HESSIAN))),
        "tree_param": {
            "num_deleted": "0",
            "num_feature": str(n_features),
            "num_nodes": str(len(nodes)),
            "size_leaf_vector": "1",
        },
    }


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
    members = np.flatnonzero(is_set)
    sets = [tree.categories(int(order[node])) for node in members]
    sizes = [len(codes) for codes in sets]
    return {
        "categories": [int(code) for codes in sets for code in codes],
        "categories_nodes": members.tolist(),
        "categories_segments": np.cumsum([0, *sizes])[:-1].tolist(),
        "categories_sizes": sizes,
    }


def _check(tree: Tree, leaf: NDArray[np.bool_], categorical: NDArray[np.bool_], n_features: int) -> None:
    nodes = tree.nodes
    inner = nodes[~leaf]
    n = len(nodes)
    if n == 0 or (leaf & categorical).any() or len(tree.category_begin) != n + 1:
        raise WorkbenchError("A tree is not complete; it cannot be exported.")
    if (inner["feature"] >= n_features).any():
        raise WorkbenchError("A tree asks for a column the model does not have; it cannot be exported.")
    children = np.sort(inner["left"])
    adjacent = np.array_equal(inner["right"], inner["left"] + 1)
    if not (adjacent and np.array_equal(children, np.arange(1, n, 2))):
        raise WorkbenchError("A tree's nodes do not stand with siblings adjacent; it cannot be exported.")
