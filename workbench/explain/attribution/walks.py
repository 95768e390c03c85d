"""The way round every tree, and where blocks of rows go on it: what all attributions to columns stand on.

A walk enters the edge to each child after its parent's, and leaves it after all below it; both are a step:

    step         | enter 1 | enter 3 | enter 4 | leave 1 | enter 2 | …      2·node, + 1 to leave; leaves are
    node         |    0 ──┬── 1 ──┬── 3                                     only entered
                 |        └── 2   └── 4

An edge answers its parent's question. A column may be asked again further down: what a row answers there, and
the share of the rows that answer so, are of all its questions so far, and `above` is the depth of the one
before.

Let o = 1 where a row answers the questions of a column as the path does, else 0, and z be the share of rows
that answers so. The Shapley value of column j at a leaf of value v is

    v (o_j − z_j) ∫₀¹ ∏_{k≠j} (t·o_k + (1 − t)·z_k) dt,

as the chance that just a set of other columns is known before j is ∫ t^|S| (1 − t)^(m−1−|S|) dt. It is a
polynomial of degree m − 1, m columns on the path, so ⌈m/2⌉ points of Gauss and Legendre give it exactly, by
sums and products of numbers of one sign alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import CODES_BEGIN, CODES_END, COLUMN, DEFAULT_LEFT, LEFT, FlatTrees
from workbench.ensembles.prediction import is_listed
from workbench.errors import WorkbenchError
from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

Weighing = Literal["hessian", "rows"]
FIELDS: dict[str, tuple[str, str]] = {
    "hessian": ("sum_hessian", "H of its nodes"), "rows": ("count", "the number of rows of its nodes"),
}


class TreeWalks(NamedTuple):
    """The walks round the trees of an ensemble; nodes as in `FlatTrees`, s steps in all.

    Attributes
    ----------
    steps : ndarray of int64, shape (s,)
    begins : ndarray of int64, shape (n_trees + 1,)
        First step of each tree.
    parents, depths, above : ndarray of int64, shape (n_nodes,)
        `above` is 0 where the column is asked for the first time.
    shares : ndarray of float64, shape (n_nodes,)
        z of the edge to a node.
    reaches : ndarray of float64, shape (n_nodes,)
        Share of all rows that a node gets.
    n_points : ndarray of int64, shape (n_trees,)
        That are needed for the tree's longest path.
    points, weights : ndarray of float64, shape (most + 1, most)
        t and its weight; row q is for q points.
    order, slots : ndarray of int64, shape (n_trees,)
        The trees by their slot, ascending; the place in the answer to which each tree adds.
    deepest, largest : int
        Depth of the deepest tree, nodes of the largest.
    """

    steps: NDArray[np.int64]
    begins: NDArray[np.int64]
    parents: NDArray[np.int64]
    depths: NDArray[np.int64]
    above: NDArray[np.int64]
    shares: NDArray[np.float64]
    reaches: NDArray[np.float64]
    n_points: NDArray[np.int64]
    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    order: NDArray[np.int64]
    slots: NDArray[np.int64]
    deepest: int
    largest: int


def walks_of(flat: FlatTrees, covers: NDArray[np.float64], slots: NDArray[np.int64]) -> TreeWalks:
    """Lay out the walks; `covers` is what each node weighs, `slots` where each tree adds to."""
    n_nodes, n_trees = len(covers), len(flat.classes)
    parents, depths, above = (np.zeros(n_nodes, np.int64) for _ in range(3))
    shares, reaches = np.ones(n_nodes), np.ones(n_nodes)
    steps, begins = np.empty(2 * n_nodes, np.int64), np.zeros(n_trees + 1, np.int64)
    n_points = np.ones(n_trees, np.int64)
    lay_walks(flat, covers, parents, depths, above, shares, reaches, steps, begins, n_points)
    most = int(n_points.max(initial=1))
    points, weights = np.zeros((most + 1, most)), np.zeros((most + 1, most))
    for q in np.unique(n_points).tolist():
        at, weight = np.polynomial.legendre.leggauss(q)
        points[q, :q], weights[q, :q] = 0.5 * (at + 1.0), 0.5 * weight
    order = np.argsort(slots, kind="stable").astype(np.int64)
    return TreeWalks(
        steps[: begins[-1]], begins, parents, depths, above, shares, reaches, n_points, points, weights,
        order, slots.astype(np.int64), int(depths.max(initial=0)), int(np.diff(flat.roots).max(initial=1)),
    )


def covers_of(trees: Sequence[Tree], by: Weighing | None = None) -> NDArray[np.float64]:
    """Return what each node of the trees weighs: H or rows; with None H, or rows where H is unknown.

    Raises
    ------
    WorkbenchError
        That is not known of every tree.
    """
    wanted = ("hessian", "rows") if by is None else (by,)
    covers = [_cover(tree, [FIELDS[name][0] for name in wanted]) for tree in trees]
    known = [cover for cover in covers if cover is not None]
    if len(known) == len(covers):
        return np.concatenate([np.empty(0), *known])
    if by is None:
        raise WorkbenchError(
            "Rows cannot be explained: the model's file says neither H nor the number of rows of its nodes."
        )
    other = "rows" if by == "hessian" else "hessian"
    hint = f" Take by='{other}'." if other in known_weighings(trees) else ""
    raise WorkbenchError(f"Rows cannot be explained: the model's file does not say {FIELDS[by][1]}.{hint}")


def known_weighings(trees: Sequence[Tree]) -> tuple[Weighing, ...]:
    """Return what is known of the nodes of all trees."""
    names: tuple[Weighing, ...] = ("hessian", "rows")
    return tuple(n for n in names if all(_cover(tree, [FIELDS[n][0]]) is not None for tree in trees))


def _cover(tree: Tree, fields: Sequence[str]) -> NDArray[np.float64] | None:
    for field in fields:
        cover = tree.nodes[field].astype(np.float64)
        if np.isfinite(cover).all() and cover[0] > 0 and (cover >= 0).all():
            return cover
    return np.ones(1) if tree.n_nodes == 1 else None


@kernel(allocates=True)
def lay_walks(trees, covers, parents, depths, above, shares, reaches, steps, begins, n_points):
    """Write the walk of every tree; parameters as in `TreeWalks`."""
    stack, distinct = np.empty(len(covers) + 2, np.int64), np.zeros(len(covers), np.int64)
    at = 0
    for t in range(len(trees.classes)):
        root, n, most = trees.roots[t], 0, 1
        begins[t] = at
        if trees.questions[root, COLUMN] >= 0:
            child = np.int64(trees.questions[root, LEFT])
            parents[child] = parents[child + 1] = root
            stack[0], stack[1], n = 2 * (child + 1), 2 * child, 2
        while n > 0:
            n -= 1
            steps[at] = stack[n]
            at += 1
            if stack[n] & 1:
                continue
            node = stack[n] >> 1
            parent = parents[node]
            left = trees.questions[parent, LEFT]
            both = covers[left] + covers[left + 1]
            share = covers[node] / both if both > 0.0 else 0.5
            reaches[node] = reaches[parent] * share
            depths[node] = depths[parent] + 1
            up = parent
            while up != root:
                if trees.questions[parents[up], COLUMN] == trees.questions[parent, COLUMN]:
                    above[node] = depths[up]
                    share *= shares[up]
                    break
                up = parents[up]
            shares[node] = share
            distinct[node] = distinct[parent] + (1 if above[node] == 0 else 0)
            most = max(most, distinct[node])
            if trees.questions[node, COLUMN] >= 0:
                child = np.int64(trees.questions[node, LEFT])
                parents[child] = parents[child + 1] = node
                stack[n], stack[n + 1], stack[n + 2] = 2 * node + 1, 2 * (child + 1), 2 * child
                n += 3
        n_points[t] = (most + 1) // 2
    begins[len(trees.classes)] = at


@kernel
def read_rows(rows, first, n, block):
    """Copy rows `first` … `first + n − 1` into a block, shape (d, B), column by column."""
    for column in range(block.shape[0]):
        for r in range(n):
            block[column, r] = rows.numbers[rows.row_stride * (first + r) + rows.column_stride * column]


@kernel
def answer_questions(trees, t, block, n, answers):
    """Write whether each of n rows goes left at each node of tree t, shape (nodes, B)."""
    root = trees.roots[t]
    for node in range(root, trees.roots[t + 1]):
        column = trees.questions[node, COLUMN]
        if column < 0:
            continue
        threshold, missing_left = trees.thresholds[node], trees.questions[node, DEFAULT_LEFT] != 0
        begin, end = trees.questions[node, CODES_BEGIN], trees.questions[node, CODES_END]
        place = node - root
        if begin != end:
            for r in range(n):
                x = block[column, r]
                listed = is_listed(x, trees.codes, begin, end)
                answers[place, r] = missing_left if np.isnan(x) else listed
        elif missing_left:
            for r in range(n):
                answers[place, r] = not (block[column, r] >= threshold)
        else:
            for r in range(n):
                answers[place, r] = block[column, r] < threshold
