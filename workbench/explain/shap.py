"""What each column adds to a row's raw prediction: SHAP values of the trees, weighted by their nodes.

A tree's expectation for a set S of known columns follows the row's answer where the split asks a column in
S, and weighs both children by their share of the node elsewhere ("path-dependent"). The SHAP value of a
column is its mean gain in expectation over all orders in which columns become known (Lundberg et al. 2018,
Consistent Individualized Feature Attribution for Tree Ensembles). A linear model adds β(x − mean). Here it
is summed leaf by leaf: a leaf's
path asks m distinct columns, of which column j lets the row pass (one) or not, and the share zero when it is
not known; the polynomial of the subsets is built up by all columns and unwound by one.

    leaf         | leaf 0                  | leaf 1     | …
    element      | column 3 | column 0     | column 3   | …    distinct columns of the path
    element node | 0 yes, 2 no | 1 yes     | 0 no       | …    questions of that column, and the answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import FlatTrees, flatten
from workbench.ensembles.prediction import next_node, rows_of
from workbench.errors import WorkbenchError
from workbench.kernels.kernel import kernel
from workbench.threads.parallel import in_parts, part_begin, thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree

LEAST_ROWS_A_THREAD = 50
MOST_PATH_ELEMENTS = 50_000_000


class LeafPaths(NamedTuple):
    """The ways to all leaves, as drawn above; n leaves, e elements, q questions.

    Attributes
    ----------
    begins : ndarray of int64, shape (n + 1,)
        First element of each leaf.
    classes : ndarray of int64, shape (n,)
    values : ndarray of float64, shape (n,)
        What each leaf adds.
    columns : ndarray of int64, shape (e,)
    zeros : ndarray of float64, shape (e,)
        Share of the rows that pass all questions of the column.
    question_begins : ndarray of int64, shape (e + 1,)
    children : ndarray of int64, shape (q,)
        The node after each question; its parent asks it.
    parents : ndarray of int64, shape (q,)
    """

    begins: NDArray[np.int64]
    classes: NDArray[np.int64]
    values: NDArray[np.float64]
    columns: NDArray[np.int64]
    zeros: NDArray[np.float64]
    question_begins: NDArray[np.int64]
    children: NDArray[np.int64]
    parents: NDArray[np.int64]


class ShapExplainer:
    """Explains the rows of one ensemble.

    Attributes
    ----------
    base : ndarray of float64, shape (K,)
        Mean raw prediction by the shares of the nodes; with a row's contributions its raw prediction.

    Raises
    ------
    WorkbenchError
        Where neither H nor the rows of the nodes are known, or the trees are too large.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble
        self._flat = flatten(ensemble.trees, ensemble.tree_weights, ensemble.base_margin.dtype)
        covers = [_cover(tree) for tree in ensemble.trees]
        self._paths = _paths_of(ensemble, self._flat, covers)
        self.base = ensemble.base_margin.astype(np.float64)
        passed = np.multiply.reduceat(np.append(self._paths.zeros, 1.0), self._paths.begins[:-1])
        passed[np.diff(self._paths.begins) == 0] = 1.0
        np.add.at(self.base, self._paths.classes, passed * self._paths.values)

    def contributions(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0
    ) -> NDArray[np.float64]:
        """Return the SHAP values of rows, shape (n, K, d): with `base` they add up to the raw predictions."""
        n, d = len(features), self._ensemble.n_features
        shares = np.zeros((n, self._ensemble.n_classes, d))
        deepest = int(np.diff(self._paths.begins).max(initial=0))
        parts = 1 if serial else thread_count(threads, n, LEAST_ROWS_A_THREAD)
        in_parts(parts, n, LEAST_ROWS_A_THREAD, add_contributions, rows_of(features), self._flat, self._paths,
                 np.int64(deepest), shares)
        if self._ensemble.is_linear:
            shares += self._ensemble.linear[-1].contributions(features)
        return shares


def _cover(tree: Tree) -> NDArray[np.float64]:
    """Return the weight of each node: H where it is known, else its rows."""
    for name in ("sum_hessian", "count"):
        cover = tree.nodes[name].astype(np.float64)
        if np.isfinite(cover).all() and cover[0] > 0 and (cover >= 0).all():
            return cover
    if tree.n_nodes == 1:
        return np.ones(1)
    raise WorkbenchError(
        "Rows cannot be explained: the model's file says neither H nor the number of rows of its nodes."
    )


def _paths_of(ensemble: Ensemble, flat: FlatTrees, covers: list[NDArray[np.float64]]) -> LeafPaths:
    begins, classes, values = [0], [], []
    columns: list[int] = []
    zeros: list[float] = []
    question_begins, children, parents = [0], [], []
    for tree, root, cover in zip(ensemble.trees, flat.roots.tolist(), covers, strict=False):
        nodes = tree.nodes
        parent, feature = nodes["parent"].tolist(), nodes["feature"].tolist()
        left = nodes["left"].tolist()
        for leaf in np.flatnonzero(tree.is_leaf).tolist():
            asked: dict[int, list[int]] = {}
            shares: dict[int, float] = {}
            node = leaf
            while node:
                above = parent[node]
                column = feature[above]
                both = cover[left[above]] + cover[left[above] + 1]
                asked.setdefault(column, []).append(node)
                share = cover[node] / both if both > 0 else 0.5
                shares[column] = shares.get(column, 1.0) * share
                node = above
            for column, passed in asked.items():
                columns.append(column)
                zeros.append(shares[column])
                children += [root + node for node in passed]
                parents += [root + parent[node] for node in passed]
                question_begins.append(len(children))
            begins.append(len(columns))
            classes.append(tree.class_index)
            values.append(float(flat.values[root + leaf]))
        if len(columns) > MOST_PATH_ELEMENTS:
            raise WorkbenchError("Rows cannot be explained: the trees are too large. Take fewer rounds.")
    return LeafPaths(
        np.array(begins, np.int64), np.array(classes, np.int64), np.array(values, np.float64),
        np.array(columns, np.int64), np.array(zeros, np.float64), np.array(question_begins, np.int64),
        np.array(children, np.int64), np.array(parents, np.int64),
    )  # fmt: skip


@kernel
def passes(rows, i, trees, paths, element):
    """Whether row i answers all questions of a path's element as the path does."""
    for q in range(paths.question_begins[element], paths.question_begins[element + 1]):
        node = paths.parents[q]
        x = rows.numbers[rows.row_stride * i + rows.column_stride * trees.questions[node, 0]]
        if next_node(x, trees.questions, trees.thresholds, trees.codes, node) != paths.children[q]:
            return False
    return True


@kernel
def extend(weights, m, zero, one):
    """Take the m-th column, from 1, into the weights of subsets by size."""
    weights[m] = 0.0
    for i in range(m - 1, -1, -1):
        weights[i + 1] += one * weights[i] * (i + 1) / (m + 1)
        weights[i] *= zero * (m - i) / (m + 1)


@kernel
def unwound_sum(weights, m, zero, one):
    """Return the sum of the weights without one of the m columns."""
    total, after = 0.0, weights[m]
    for i in range(m - 1, -1, -1):
        if one > 0.0:
            part = after * (m + 1) / (i + 1)
            total += part
            after = weights[i] - part * zero * (m - i) / (m + 1)
        else:
            total += weights[i] * (m + 1) / (zero * (m - i))
    return total


@kernel(allocates=True)
def add_contributions(part, parts, rows, trees, paths, deepest, shares):
    """Add the contributions of every leaf to one part of the rows.

    Parameters
    ----------
    rows : RowsInMemory
    trees : FlatTrees
    paths : LeafPaths
    deepest : int64
        Most distinct columns of a path.
    shares : ndarray of float64, shape (n, K, d)
    """
    weights, ones = np.empty(deepest + 1), np.empty(deepest + 1)
    n_rows = len(shares)
    for i in range(part_begin(part, parts, n_rows), part_begin(part + 1, parts, n_rows)):
        for leaf in range(len(paths.values)):
            begin, k, value = paths.begins[leaf], paths.classes[leaf], paths.values[leaf]
            m = paths.begins[leaf + 1] - begin
            weights[0] = 1.0
            for j in range(m):
                ones[j] = 1.0 if passes(rows, i, trees, paths, begin + j) else 0.0
                extend(weights, j + 1, paths.zeros[begin + j], ones[j])
            for j in range(m):
                zero = paths.zeros[begin + j]
                if zero != ones[j] and (zero > 0.0 or ones[j] > 0.0):
                    share = unwound_sum(weights, m, zero, ones[j]) * (ones[j] - zero) * value
                    shares[i, k, paths.columns[begin + j]] += share
