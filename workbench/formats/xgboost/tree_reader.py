"""One tree read from XGBoost's JSON: ours with all its figures, or anybody's with what is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.structure import breadth_first
from workbench.formats.own.node_figures import FIGURES
from workbench.formats.xgboost.trees import ONE, exchange_siblings
from workbench.trees.tree import DOUBLE_NODE_DTYPE, NODE_DTYPE, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.formats.own.node_figures import KeptFigures
    from workbench.trees.tree import Nodes

MOST_NODES = 1 << 26
MOST_CATEGORIES = 1 << 20
UNKNOWN = (1 << 31) - 1


@dataclass(frozen=True)
class XGBoostTree:
    """The checked arrays of one tree, in XGBoost's order of nodes."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    condition: NDArray[np.float32]
    default_left: NDArray[np.bool_]
    categorical: NDArray[np.bool_]
    sets: dict[int, NDArray[np.int64]]
    loss_change: NDArray[np.float64]
    sum_hessian: NDArray[np.float64]
    base_weight: NDArray[np.float64]
    walk: NDArray[np.int64]
    depth: NDArray[np.int64]


def parse_tree(record: Any, n_features: int, drop: np.float32 | None = None) -> XGBoostTree:
    """Check one tree's JSON object; `drop` is what dart multiplies its leaves by."""
    record = checks.mapping(record, "a tree")
    left = checks.integers(record["left_children"], "left_children", low=-1, high=MOST_NODES)
    n = len(left)
    right = checks.integers(record["right_children"], "right_children", n, low=-1, high=MOST_NODES)
    walk, depth = breadth_first(left, right)
    feature = checks.integers(record["split_indices"], "split_indices", n, low=0, high=UNKNOWN)
    inner = walk[left[walk] >= 0]
    if (feature[inner] >= n_features).any():
        raise WorkbenchError("Damaged model file: a split asks for a column that the model does not have.")
    categorical, sets = _categories(record, n, left >= 0)
    condition = checks.reals(record["split_conditions"], "split_conditions", n)
    condition[categorical] = 0.0
    is_reached = np.zeros(n, bool)
    is_reached[walk] = True
    condition[~is_reached] = 0.0
    values = checks.float32(condition, "split_conditions")
    if drop is not None:
        values[left < 0] *= drop
    return XGBoostTree(
        left, right, feature, values,
        default_left=checks.integers(record["default_left"], "default_left", n, low=0, high=1).astype(bool),
        categorical=categorical,
        sets=sets,
        loss_change=checks.reals(record["loss_changes"], "loss_changes", n),
        sum_hessian=checks.reals(record["sum_hessian"], "sum_hessian", n),
        base_weight=checks.reals(record["base_weights"], "base_weights", n),
        walk=walk,
        depth=depth,
    )  # fmt: skip


def own_tree(
    parsed: XGBoostTree, figures: KeptFigures, class_index: int, factor: np.float32 = ONE
) -> Tree:
    """Undo what the writer did, so that the tree is the one that was written."""
    n = len(parsed.left)
    split = np.flatnonzero(parsed.left >= 0)
    first = parsed.left[split]
    if len(parsed.walk) != n or (parsed.right[split] != first + 1).any() or (first <= split).any():
        raise WorkbenchError("Damaged model file: the nodes of a tree do not stand with siblings adjacent.")
    category_nodes = np.flatnonzero(parsed.categorical)
    order = exchange_siblings(category_nodes, parsed.left, n)
    nodes = _structure(parsed, order)
    nodes["count"] = figures.count
    nodes["forced"] = figures.forced
    nodes["leaf_value"] /= factor
    if figures.leaf_value is not None:
        nodes = _with_doubles(nodes, figures.leaf_value)
    for name, values in figures.columns.items():
        nodes[name] = values
    rates = (figures.learning_rate, figures.reg_lambda, figures.gamma)
    tree = _tree(parsed, order, nodes, class_index, rates)
    return replace(tree, reg_alpha=figures.reg_alpha, max_delta_step=figures.max_delta_step)


def _with_doubles(nodes: Nodes, leaf_value: NDArray[np.float64]) -> Nodes:
    if not np.array_equal(leaf_value.astype(np.float32), nodes["leaf_value"]):
        raise WorkbenchError("Damaged model file: its two sections have different leaves.")
    nodes = nodes.astype(DOUBLE_NODE_DTYPE)
    nodes["leaf_value"] = leaf_value
    return nodes


def foreign_tree(parsed: XGBoostTree, class_index: int) -> Tree:
    """Renumber breadth-first; what XGBoost does not keep is NaN, or 0 for row counts."""
    order = parsed.walk
    if parsed.categorical.any():
        order, _ = breadth_first(
            np.where(parsed.categorical, parsed.right, parsed.left),
            np.where(parsed.categorical, parsed.left, parsed.right),
        )
    nodes = _structure(parsed, order)
    for name in FIGURES:
        nodes[name] = np.nan
    leaf = nodes["feature"] < 0
    nodes["sum_hessian"] = parsed.sum_hessian[order]
    nodes["weight"] = np.where(leaf, nodes["leaf_value"], parsed.base_weight[order])
    nodes["gain"] = np.where(leaf, 0.0, parsed.loss_change[order] / 2.0)
    return _tree(parsed, order, nodes, class_index, (1.0, 1.0, 0.0))


def _structure(parsed: XGBoostTree, order: NDArray[Any]) -> Nodes:
    """Fill the fields that decide where a row goes; `order[k]` is XGBoost's index of our node k."""
    place = np.full(len(parsed.left), -1)
    place[order] = np.arange(len(order))
    depth = np.zeros(len(parsed.left), np.int64)
    depth[parsed.walk] = parsed.depth
    leaf, is_set = parsed.left[order] < 0, parsed.categorical[order]
    yes = np.where(is_set, parsed.right[order], parsed.left[order])
    nodes = np.zeros(len(order), NODE_DTYPE)
    nodes["feature"] = np.where(leaf, -1, parsed.feature[order])
    nodes["threshold"] = np.where(leaf | is_set, np.float32(np.nan), parsed.condition[order])
    nodes["category"] = -1
    if parsed.sets:
        nodes["category"] = [parsed.sets[int(i)][0] if int(i) in parsed.sets else -1 for i in order]
    nodes["default_left"] = parsed.default_left[order] ^ is_set
    nodes["left"] = np.where(leaf, -1, place[yes])
    nodes["right"] = np.where(leaf, -1, nodes["left"] + 1)
    nodes["parent"] = -1
    inner = np.flatnonzero(~leaf)
    nodes["parent"][nodes["left"][inner]] = inner
    nodes["parent"][nodes["right"][inner]] = inner
    nodes["depth"] = depth[order]
    nodes["leaf_value"] = np.where(leaf, parsed.condition[order], np.float32(0))
    return nodes


def _tree(
    parsed: XGBoostTree, order: NDArray[Any], nodes: Nodes, class_index: int,
    rates: tuple[float, float, float],
) -> Tree:  # fmt: skip
    begin, codes = np.zeros(len(order) + 1, np.int32), np.zeros(0, np.int32)
    if parsed.sets:
        sets = [parsed.sets.get(int(i), codes) for i in order]
        begin[1:] = np.cumsum([len(some) for some in sets])
        codes = np.concatenate(sets).astype(np.int32)
    for array in (nodes, begin, codes):
        array.flags.writeable = False
    return Tree(nodes, begin, codes, class_index, *rates)


def _categories(
    record: dict[str, Any], n: int, is_split: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], dict[int, NDArray[np.int64]]]:
    """Return which nodes ask for categories, and the ascending codes of each."""
    kinds = checks.integers(record.get("split_type", [0] * n), "split_type", n, low=0, high=1).astype(bool)
    owners = checks.integers(record.get("categories_nodes", []), "categories_nodes", low=0, high=n - 1)
    codes = checks.integers(record.get("categories", []), "categories", low=0, high=MOST_CATEGORIES)
    begins, sizes = (
        checks.integers(record.get(name, []), name, len(owners), low=0, high=len(codes))
        for name in ("categories_segments", "categories_sizes")
    )
    if sizes.sum() > len(codes):  # sets that share codes could take any amount of memory
        raise WorkbenchError("Damaged model file: categories_sizes add up to more than there are categories.")
    sets = {
        int(node): np.unique(codes[begin : begin + count])
        for node, begin, count in zip(owners, begins, sizes, strict=True)
    }
    categorical = kinds & is_split
    asked = {node: sets.get(node, codes[:0]) for node in np.flatnonzero(categorical).tolist()}
    if any(not len(codes_asked) for codes_asked in asked.values()):
        raise WorkbenchError("Damaged model file: a category split has no categories.")
    return categorical, asked
