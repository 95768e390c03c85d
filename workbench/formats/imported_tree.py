"""A tree of another program, from arrays by node in that program's order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.structure import breadth_first
from workbench.kernels.thresholds import LARGEST_FLOAT32
from workbench.trees.tree import DOUBLE_NODE_DTYPE, NODE_DTYPE, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ImportedNodes:
    """The nodes of a tree; node 0 is the root.

    Attributes
    ----------
    left, right : ndarray of int64, shape (n,)
        Children for "yes" and "no"; −1 in a leaf.
    feature : ndarray of int64, shape (n,)
        Column that a split asks about.
    threshold : ndarray of float32, shape (n,)
        A value below it is a "yes".
    default_left : ndarray of bool, shape (n,)
        Whether a missing value is a "yes".
    value : ndarray of float64, shape (n,)
        What a leaf adds; in a split anything.
    sets : dict of int to ndarray of int64
        For a split on categories the codes that are a "yes", ascending.
    gain, hessian : ndarray of float64, shape (n,)
        ½[…] of a split, and H; NaN where the file does not say.
    count : ndarray of int64, shape (n,)
        Training rows; 0 where the file does not say.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float32]
    default_left: NDArray[np.bool_]
    value: NDArray[np.float64]
    sets: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    gain: NDArray[np.float64] | None = None
    hessian: NDArray[np.float64] | None = None
    count: NDArray[np.int64] | None = None


def imported_tree(
    made: ImportedNodes, n_features: int, class_index: int = 0, *, doubles: bool = True
) -> Tree:
    """Check the nodes and number them breadth-first; G, λ and scores are unknown: NaN.

    `doubles` tells whether the program adds leaves up in double precision.
    """
    if len(made.left) == 1 and made.left[0] < 0 and made.right[0] < 0 and not made.sets:
        hessian = np.nan if made.hessian is None else float(made.hessian[0])
        rows = 0 if made.count is None else int(made.count[0])
        return imported_leaf(float(made.value[0]), class_index, hessian, rows, doubles=doubles)
    return _numbered(made, n_features, class_index, doubles=doubles)


def imported_leaf(
    value: float, class_index: int = 0, hessian: float = np.nan, rows: int = 0, *, doubles: bool = True
) -> Tree:
    """Return a tree that asks nothing, of which a file may have very many."""
    checks.float32(np.array([value]), "a leaf")
    like = _leaf(doubles)
    nodes = like.nodes.copy()
    for name, figure in (("leaf_value", value), ("weight", value), ("sum_hessian", hessian), ("count", rows)):
        nodes[name] = figure
    nodes.flags.writeable = False
    return Tree(nodes, like.category_begin, like.category_codes, class_index)


@cache
def _leaf(doubles: bool) -> Tree:
    none = np.full(1, -1, np.int64)
    made = ImportedNodes(none, none, none, np.zeros(1, np.float32), np.zeros(1, bool), np.zeros(1))
    return _numbered(made, 0, doubles=doubles)


def _numbered(made: ImportedNodes, n_features: int, class_index: int = 0, *, doubles: bool) -> Tree:
    order, depth = breadth_first(made.left, made.right)
    place = np.full(len(made.left), -1)
    place[order] = np.arange(len(order))
    leaf = made.left[order] < 0
    feature = np.where(leaf, -1, made.feature[order])
    if (feature >= n_features).any() or (feature[~leaf] < 0).any():
        raise WorkbenchError("Damaged model file: a split asks for a column that the model does not have.")
    sets = [made.sets.get(int(node), np.empty(0, np.int64)) for node in np.where(leaf, -1, order)]
    is_set = np.array([len(codes) > 0 for codes in sets])
    if not all(map(len, made.sets.values())):
        raise WorkbenchError("Damaged model file: a category split has no categories.")
    if np.isnan(made.threshold[order][~leaf & ~is_set]).any():
        raise WorkbenchError("Damaged model file: a threshold is no number.")
    value = np.where(leaf, made.value[order], 0.0)
    single = checks.float32(value, "a leaf")
    nodes = np.zeros(len(order), DOUBLE_NODE_DTYPE if doubles else NODE_DTYPE)
    nodes["feature"] = feature
    nodes["threshold"] = np.where(leaf | is_set, np.float32(np.nan), made.threshold[order])
    nodes["category"] = [codes[0] if len(codes) else -1 for codes in sets]
    nodes["default_left"] = made.default_left[order] & ~leaf
    nodes["left"] = np.where(leaf, -1, place[made.left[order]])
    nodes["right"] = np.where(leaf, -1, nodes["left"] + 1)
    nodes["depth"] = depth
    nodes["leaf_value"] = value if doubles else single
    nodes["parent"] = -1
    inner = np.flatnonzero(~leaf)
    for side in ("left", "right"):
        nodes["parent"][nodes[side][inner]] = inner
    for name in ("sum_gradient", "structure_score"):
        nodes[name] = np.nan
    nodes["weight"] = np.where(leaf, value, np.nan)
    nodes["count"] = 0 if made.count is None else made.count[order]
    nodes["sum_hessian"] = np.nan if made.hessian is None else made.hessian[order]
    nodes["gain"] = np.where(leaf, 0.0, np.nan if made.gain is None else made.gain[order])
    begin = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    codes = np.concatenate([np.empty(0, np.int64), *sets]).astype(np.int32)
    for array in (nodes, begin, codes):
        array.flags.writeable = False
    return Tree(nodes, begin, codes, class_index)


def above(bounds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return thresholds t with `x < t` where `x <= bound`, for float32 x and double bounds."""
    single = np.clip(bounds, -LARGEST_FLOAT32, LARGEST_FLOAT32).astype(np.float32)
    with np.errstate(over="ignore"):
        single = np.where(single > bounds, np.nextafter(single, np.float32(-np.inf)), single)
    return np.nextafter(single, np.float32(LARGEST_FLOAT32), dtype=np.float32)


def not_below(bounds: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return thresholds t with `x < t` where `x < bound`, for float32 x and double bounds."""
    single = np.clip(bounds, -LARGEST_FLOAT32, LARGEST_FLOAT32).astype(np.float32)
    with np.errstate(over="ignore"):
        return np.where(single < bounds, np.nextafter(single, np.float32(LARGEST_FLOAT32)), single)
