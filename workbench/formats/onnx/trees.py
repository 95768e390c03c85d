"""The trees in the attributes of ONNX's three tree operators, as arrays by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from workbench.formats.onnx.graph import Node

LEQ, LT, GTE, GT, EQ, NEQ, MEMBER, LEAF = range(8)  # as in opset 5
MODES = {
    b"BRANCH_LEQ": LEQ, b"BRANCH_LT": LT, b"BRANCH_GTE": GTE, b"BRANCH_GT": GT, b"BRANCH_EQ": EQ,
    b"BRANCH_NEQ": NEQ, b"LEAF": LEAF,
}  # fmt: skip
MOST_NODES = 1 << 24  # of all trees together
MOST_TREES = 1 << 17
MOST_COLUMNS = 10**7


class OnnxTree(NamedTuple):
    """One tree; node 0 is the root.

    Attributes
    ----------
    left, right : ndarray of int64, shape (n,)
        Children for "true" and "false"; −1 in a leaf.
    feature : ndarray of int64, shape (n,)
    mode : ndarray of int64, shape (n,)
        How a split compares.
    value : ndarray of float64, shape (n,)
        What it compares with.
    tracks_true : ndarray of bool, shape (n,)
        Whether a missing value is "true".
    members : dict of int to ndarray of float64
        Of a split that asks for a set: the set.
    leaf, target : ndarray of int64, shape (m,)
        Leaves, and which sum each adds to.
    weight : ndarray of float64, shape (m,)
        What it adds.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    mode: NDArray[np.int64]
    value: NDArray[np.float64]
    tracks_true: NDArray[np.bool_]
    members: dict[int, NDArray[np.float64]]
    leaf: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64]


def trees_by_node(node: Node, adds: str) -> list[OnnxTree]:
    """Read `TreeEnsembleRegressor` (`adds` is "target") or `TreeEnsembleClassifier` ("class")."""
    tree_ids, node_ids = node.integers("nodes_treeids"), node.integers("nodes_nodeids")
    places = _Places(tree_ids, node_ids)
    order, n = places.order, len(node_ids)
    modes, known = np.unique(node.octets("nodes_modes"), return_inverse=True)
    strange = [mode for mode in modes.tolist() if mode not in MODES]
    if strange:
        raise WorkbenchError(f"A tree asks in the way {strange[0]!r:.40}, which is not known here.")
    mode = np.array([MODES[mode] for mode in modes.tolist()], np.int64)[_long(known, n, "nodes_modes")][order]
    split = mode != LEAF
    sides = [node.integers(f"nodes_{side}nodeids") for side in ("true", "false")]
    children = np.full((2, n), -1, np.int64)
    for side, ids in zip(children, sides, strict=True):
        ids = _long(ids, n, "children")[order]
        side[split] = places.of(tree_ids[order][split], ids[split])
    missing = node.integers("nodes_missing_value_tracks_true")
    tracks = _long(missing, n, "missing values")[order] != 0 if len(missing) else np.zeros(n, np.bool_)
    feature = _long(node.integers("nodes_featureids"), n, "nodes_featureids")[order]
    value = _long(node.reals("nodes_values"), n, "nodes_values")[order]
    leaf = places.of(node.integers(f"{adds}_treeids"), node.integers(f"{adds}_nodeids"))
    by_tree = np.argsort(leaf, kind="stable")
    leaf = leaf[by_tree]
    target = _long(node.integers(f"{adds}_ids"), len(leaf), f"{adds}_ids")[by_tree]
    weight = _long(node.reals(f"{adds}_weights"), len(leaf), f"{adds}_weights")[by_tree]

    def tree(begin: int, end: int) -> OnnxTree:
        first, last = np.searchsorted(leaf, [begin, end])
        of, added = slice(begin, end), slice(first, last)
        left, right = (np.where(side[of] < 0, -1, side[of] - begin) for side in children)
        one = OnnxTree(left, right, feature[of], mode[of], value[of], tracks[of], {}, leaf[added] - begin,
                       target[added], weight[added])  # fmt: skip
        return _joined_sets(_root_first(one))

    return [tree(begin, end) for begin, end in places.spans()]


class _Places:
    """Where a node stands when nodes are sorted by tree, and in it by their own number."""

    def __init__(self, trees: NDArray[np.int64], nodes: NDArray[np.int64]) -> None:
        _long(trees, len(nodes), "nodes_treeids")
        if not 0 < len(nodes) <= MOST_NODES:
            raise WorkbenchError(f"The model has {len(nodes):,} nodes; 1 to {MOST_NODES:,} can be shown.")
        self._trees, self._nodes = np.unique(trees), np.unique(nodes)
        keys = self._keys(trees, nodes)
        self.order = np.argsort(keys, kind="stable")
        self._sorted = keys[self.order]
        if (np.diff(self._sorted) == 0).any():
            raise WorkbenchError("Damaged model file: two nodes of a tree have the same number.")

    def _keys(self, trees: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        rows = np.searchsorted(self._trees, trees).clip(max=len(self._trees) - 1)
        columns = np.searchsorted(self._nodes, nodes).clip(max=len(self._nodes) - 1)
        if (self._trees[rows] != trees).any() or (self._nodes[columns] != nodes).any():
            raise WorkbenchError("Damaged model file: it names a node that is not there.")
        return rows.astype(np.int64) * len(self._nodes) + columns

    def of(self, trees: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of nodes, by tree and number."""
        keys = self._keys(trees, _long(nodes, len(trees), "node numbers"))
        found = np.searchsorted(self._sorted, keys).clip(max=len(self._sorted) - 1)
        if (self._sorted[found] != keys).any():
            raise WorkbenchError("Damaged model file: it names a node that is not there.")
        return found.astype(np.int64)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield the first place of each tree, and the one after its last."""
        trees = self._sorted // len(self._nodes)
        begins = np.flatnonzero(np.diff(trees, prepend=-1)).tolist()
        yield from zip(begins, [*begins[1:], len(trees)], strict=True)


def _root_first(tree: OnnxTree) -> OnnxTree:
    """Put the node that is nobody's child first; from it every other one must be reached."""
    free = np.ones(len(tree.left), np.bool_)
    free[tree.left[tree.left >= 0]] = free[tree.right[tree.right >= 0]] = False
    roots = np.flatnonzero(free)
    if len(roots) != 1:
        raise WorkbenchError("Damaged model file: a tree has not one root.")
    if not _reached(tree, roots).all():
        raise WorkbenchError("Damaged model file: a tree has a loop beside it.")
    return _with_first(tree, int(roots[0]))


def _reached(tree: OnnxTree, level: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which nodes some answers lead to; several ways may lead to one."""
    reached = np.zeros(len(tree.left), np.bool_)
    while len(level):
        reached[level] = True
        below = np.unique(np.concatenate([tree.left[level], tree.right[level]]))
        level = below[(below >= 0) & ~reached[below]]
    return reached


def _with_first(tree: OnnxTree, root: int) -> OnnxTree:
    """Exchange a node with the first one."""
    if root == 0:
        return tree
    swapped = np.arange(len(tree.left))
    swapped[[0, root]] = root, 0
    by_node = {name: getattr(tree, name)[swapped] for name in ("feature", "mode", "value", "tracks_true")}
    for name in ("left", "right"):
        side = getattr(tree, name)[swapped]
        by_node[name] = np.where(side < 0, -1, swapped[side])
    return tree._replace(leaf=swapped[tree.leaf], **by_node)


def _joined_sets(tree: OnnxTree) -> OnnxTree:
    """Make one question of several for equality, one after another, whose "true" is the same node."""
    asks = np.flatnonzero(tree.mode == EQ).tolist()
    next_of = {}
    for node in asks:
        after = int(tree.right[node])
        if tree.mode[after] == EQ and all(
            of[node] == of[after] for of in (tree.feature, tree.left, tree.tracks_true)
        ):
            next_of[node] = after
    if not next_of:
        return tree
    mode, right, members = tree.mode.copy(), tree.right.copy(), dict(tree.members)
    for first in set(next_of) - set(next_of.values()):
        chain = [first]
        while chain[-1] in next_of:
            chain.append(next_of[chain[-1]])
        mode[first], right[first], members[first] = MEMBER, tree.right[chain[-1]], tree.value[chain]
    return tree._replace(mode=mode, right=right, members=members)


def trees_by_root(node: Node) -> list[OnnxTree]:
    """Read `TreeEnsemble`, where splits and leaves are counted apart and each child says which it is."""
    feature = node.integers("nodes_featureids")
    n = len(feature)
    value = _long(_doubles(node, "nodes_splits"), n, "nodes_splits")
    modes = _doubles(node, "nodes_modes")
    mode = _long(np.clip(np.nan_to_num(modes, nan=-1), -1, 99).astype(np.int64), n, "nodes_modes")
    if n and not 0 <= mode.min() <= mode.max() <= MEMBER:
        raise WorkbenchError("A tree asks in a way that is not known here.")
    missing = node.integers("nodes_missing_value_tracks_true")
    tracks = _long(missing, n, "missing values") != 0 if len(missing) else np.zeros(n, np.bool_)
    weight = _doubles(node, "leaf_weights")
    target = _long(node.integers("leaf_targetids"), len(weight), "leaf_targetids")
    walk = _Walk(node, n, len(weight))
    sets = dict(zip(np.flatnonzero(mode == MEMBER).tolist(), _members(node), strict=True))
    trees = []
    roots = node.integers("tree_roots").tolist()
    if len(roots) > MOST_TREES:
        raise WorkbenchError(f"The model has {len(roots):,} trees; {MOST_TREES:,} can be shown.")
    for root in roots:
        splits, left, right, leaves = walk.below(root)
        k = len(splits)
        filled = np.concatenate([splits, np.zeros(len(leaves), np.int64)])
        trees.append(OnnxTree(
            left, right, feature[filled], np.where(np.arange(len(filled)) < k, mode[filled], LEAF),
            value[filled], tracks[filled], {i: sets[s] for i, s in enumerate(splits.tolist()) if s in sets},
            k + np.arange(len(leaves)), target[leaves], weight[leaves],
        ))  # fmt: skip
    return trees


class _Walk:
    """From a root to its leaves."""

    def __init__(self, node: Node, splits: int, leaves: int) -> None:
        self._visited = 0
        self._place = np.full(splits, -1, np.int64)
        sides = [_long(node.integers(f"nodes_{s}nodeids"), splits, "children") for s in ("true", "false")]
        ends = [_long(node.integers(f"nodes_{s}leafs"), splits, "leaves") != 0 for s in ("true", "false")]
        self._child, self._ends = np.array(sides), np.array(ends)
        if ((self._child < 0) | (self._child >= np.where(self._ends, leaves, splits))).any():
            raise WorkbenchError("Damaged model file: a tree's children are out of range.")

    def below(self, root: int) -> tuple[NDArray[np.int64], ...]:
        """Return the splits of a tree, its children left and right, and its leaves, each as often as named.

        A split whose two answers are one leaf asks nothing: as a root it is that leaf.
        """
        splits = self._splits(checks.integer(root, "tree_roots", 0, len(self._place) - 1))
        child, ends = self._child[:, splits], self._ends[:, splits]
        if len(splits) == 1 and ends.all() and child[0] == child[1]:
            none = np.full(1, -1, np.int64)
            return splits[:0], none, none, child[0]
        leaves = child.T[ends.T]
        self._place[splits] = np.arange(len(splits))
        number = len(splits) + np.cumsum(ends.T.ravel()).reshape(-1, 2).T - 1
        sides = np.where(ends, number, self._place[np.where(ends, 0, child)])
        none = np.full(len(leaves), -1, np.int64)
        return splits, *(np.concatenate([side, none]) for side in sides), leaves

    def _splits(self, root: int) -> NDArray[np.int64]:
        level, levels = np.array([root], np.int64), []
        found = 0
        while len(level):
            levels.append(level)
            found += len(level)
            if found > len(self._place):
                raise WorkbenchError("Damaged model file: a tree has a loop or shared children.")
            level = self._child[:, level].T[~self._ends[:, level].T]
        self._visited += 2 * found + 1
        if self._visited > MOST_NODES:
            raise WorkbenchError(f"The model has more than {MOST_NODES:,} nodes; it cannot be shown here.")
        return np.concatenate(levels)


def _members(node: Node) -> Iterator[NDArray[np.float64]]:
    """Yield the sets, each of which ends with NaN."""
    values = _doubles(node, "membership_values")
    begin = 0
    for end in np.flatnonzero(np.isnan(values)).tolist():
        yield values[begin:end]
        begin = end + 1


def _doubles(node: Node, name: str) -> NDArray[np.float64]:
    """Return a tensor's numbers; a NaN that signals is a NaN."""
    with np.errstate(invalid="ignore"):
        return node.tensor(name).astype(np.float64).ravel()


def _long(values: NDArray[Any], length: int, what: str) -> NDArray[Any]:
    if len(values) != length:
        raise WorkbenchError(f"Damaged model file: {what} has {len(values)} entries instead of {length}.")
    return values
