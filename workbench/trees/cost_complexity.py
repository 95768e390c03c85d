"""Cost-complexity pruning (Breiman et al. 1984): the weakest link of a tree is cut, again and again.

    R(t)      share of the rows in node t, by weight, times its impurity
    g(t)      (R(t) − R(leaves below t)) / (leaves below t − 1)      what a leaf below t lowers R by

Cutting the node of the least g gives a nested sequence of trees; a tree for α is what is left once all
nodes of g ≤ α are cut. α is in the units of scikit-learn's `ccp_alpha`.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.class_impurity import class_counts, class_impurity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

ROUNDING = 1e-12  # of R of the whole: below, a gain is one of rounding


class PruningSteps(NamedTuple):
    """A tree cut back step by step, from as it was grown to its root.

    Attributes
    ----------
    alphas : ndarray of float64, shape (m,)
        α from which each tree is the best; 0 of the whole tree, ascending.
    impurities : ndarray of float64, shape (m,)
        R of its leaves.
    leaves : ndarray of int64, shape (m,)
    cut : ndarray of int64, shape (m,)
        The node that became a leaf; −1 for the whole tree.
    """

    alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]
    leaves: NDArray[np.int64]
    cut: NDArray[np.int64]

    def cut_at(self, alpha: float) -> NDArray[np.int64]:
        """Return the nodes that are cut for this α."""
        return self.cut[1:][self.alphas[1:] <= alpha]


def class_errors(trees: Sequence[Tree], criterion: str) -> NDArray[np.float64]:
    """Return R(t) of every node, shape (n_nodes,), of trees of class shares."""
    nodes = trees[0].nodes
    gradients = np.array([tree.nodes["sum_gradient"] for tree in trees])
    counts = class_counts(gradients, nodes["sum_hessian"])
    return class_impurity(counts, criterion) / float(nodes["sum_hessian"][0])


def number_errors(
    tree: Tree, leaves: NDArray[np.int32], numbers: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return R(t) of every node of a tree of means, from the rows that it was grown on.

    Parameters
    ----------
    leaves : ndarray of int32, shape (n,)
        The leaf of each row.
    """
    nodes = tree.nodes
    mean = -nodes["sum_gradient"] / nodes["sum_hessian"]
    squares = np.bincount(leaves, weight * (numbers - mean[leaves]) ** 2, len(nodes))
    for node in np.flatnonzero(nodes["left"] >= 0)[::-1]:  # children stand behind their parents
        left = nodes["left"][node]
        squares[node] = squares[left] + squares[left + 1] + 2.0 * nodes["gain"][node]
    return np.asarray(squares / nodes["sum_hessian"][0])


def pruning_steps(tree: Tree, errors: NDArray[np.float64]) -> PruningSteps:
    """Return the sequence of a tree whose nodes have these R(t)."""
    left, parent = tree.nodes["left"].tolist(), tree.nodes["parent"].tolist()
    n, error = len(left), errors.tolist()
    below = [error[node] if left[node] < 0 else 0.0 for node in range(n)]
    n_leaves = [1 if left[node] < 0 else 0 for node in range(n)]
    for node in range(n - 1, 0, -1):
        below[parent[node]] += below[node]
        n_leaves[parent[node]] += n_leaves[node]
    rounding = ROUNDING * max(error[0], 0.0)

    def link(node: int) -> float:
        drop = error[node] - below[node]
        return drop / (n_leaves[node] - 1) if drop > rounding else 0.0

    weakest = [(link(node), node) for node in range(n) if left[node] >= 0]
    heapify(weakest)
    now = {node: value for value, node in weakest}
    steps = [(0.0, below[0], n_leaves[0], -1)]
    while weakest:
        alpha, node = heappop(weakest)
        if now.get(node) != alpha:
            continue
        _forget(node, left, now)
        fewer, more = n_leaves[node] - 1, error[node] - below[node]
        above = node
        while above >= 0:
            n_leaves[above] -= fewer
            below[above] += more
            if above in now:
                now[above] = link(above)
                heappush(weakest, (now[above], above))
            above = parent[above]
        steps.append((max(alpha, steps[-1][0]), below[0], n_leaves[0], node))
    alphas, impurities, leaves, cut = zip(*steps, strict=True)
    return PruningSteps(
        np.array(alphas), np.array(impurities), np.array(leaves, np.int64), np.array(cut, np.int64)
    )


def _forget(node: int, left: list[int], now: dict[int, float]) -> None:
    """Take a node and all below it out of those that can be cut."""
    todo = [node]
    while todo:
        one = todo.pop()
        if now.pop(one, None) is not None:
            todo += [left[one], left[one] + 1]


def cut_back(
    trees: Sequence[Tree], cut: NDArray[np.int64]
) -> tuple[tuple[Tree, ...], NDArray[np.int32]]:
    """Make nodes leaves, in trees of one structure.

    Returns
    -------
    tuple of Tree
    ndarray of int32, shape (n_nodes,)
        What became of each node: itself, or the leaf above it.
    """
    nodes = trees[0].nodes
    is_cut = np.zeros(len(nodes), np.bool_)
    is_cut[cut] = True
    kept, parents = np.zeros(len(nodes), np.bool_), nodes["parent"].tolist()
    for node, parent in enumerate(parents):
        kept[node] = parent < 0 or (kept[parent] and not is_cut[parent])
    place: NDArray[np.int32] = np.cumsum(kept, dtype=np.int32) - 1
    for node, parent in enumerate(parents):
        if not kept[node]:
            place[node] = place[parent]
    return tuple(_kept(tree, kept, is_cut, place) for tree in trees), place


def _kept(
    tree: Tree, kept: NDArray[np.bool_], is_cut: NDArray[np.bool_], place: NDArray[np.int32]
) -> Tree:
    nodes = tree.nodes[kept].copy()
    leaf = is_cut[kept] | (nodes["left"] < 0)
    nodes["left"] = np.where(leaf, -1, place[nodes["left"]])
    nodes["right"] = np.where(leaf, -1, nodes["left"] + 1)
    nodes["parent"] = np.where(nodes["parent"] < 0, -1, place[nodes["parent"]])
    nodes["feature"][leaf], nodes["category"][leaf], nodes["threshold"][leaf] = -1, -1, np.nan
    nodes["default_left"][leaf], nodes["gain"][leaf] = False, 0.0
    nodes["leaf_value"] = np.where(leaf, nodes["weight"], 0.0)
    nodes.flags.writeable = False
    sizes = np.where(leaf, 0, np.diff(tree.category_begin)[kept])
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    old = np.flatnonzero(kept)
    codes = [tree.categories(int(node)) for node, size in zip(old, sizes, strict=True) if size]
    return replace(
        tree, nodes=nodes, category_begin=begins,
        category_codes=np.concatenate([np.empty(0, np.int32), *codes]), grown_figures=None,
    )
