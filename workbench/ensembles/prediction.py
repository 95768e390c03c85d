"""Raw predictions, leaves and paths: numbers walked down the trees of an ensemble."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.trees.kernel import kernel
from workbench.trees.kernel_arrays import kernel_array
from workbench.trees.parallel import in_parts, part_begin, thread_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree

LEAST_ROWS_A_THREAD = 5000
BLOCK_ROWS = 64

# Fields of a question; a leaf's COLUMN is −1 and its threshold is its value.
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
        LEFT counts from the tree's own root. A category question has codes, others have none.
    thresholds : ndarray of float32, shape (n_nodes,)
        In a leaf its value.
    codes : ndarray of int32
    """

    roots: NDArray[np.int64]
    classes: NDArray[np.int64]
    questions: NDArray[np.int32]
    thresholds: NDArray[np.float32]
    codes: NDArray[np.int32]


def flatten(trees: Sequence[Tree]) -> FlatTrees:
    """Lay out trees for walking."""
    sizes = np.array([0, *(t.n_nodes for t in trees)], np.int64)
    roots = np.cumsum(sizes)
    questions = np.empty((roots[-1], N_FIELDS), np.int32)
    thresholds = np.empty(roots[-1], np.float32)
    n_codes = 0
    for tree, begin in zip(trees, roots, strict=False):
        nodes = tree.nodes
        here = slice(begin, begin + len(nodes))
        questions[here, COLUMN] = nodes["feature"]
        questions[here, LEFT] = nodes["left"]
        questions[here, DEFAULT_LEFT] = nodes["default_left"]
        questions[here, CODES_BEGIN] = tree.category_begin[:-1] + n_codes
        questions[here, CODES_END] = tree.category_begin[1:] + n_codes
        thresholds[here] = np.where(tree.is_leaf, nodes["leaf_value"], nodes["threshold"])
        n_codes += len(tree.category_codes)
    codes = np.concatenate([np.empty(0, np.int32), *(t.category_codes for t in trees)]).astype(np.int32)
    return FlatTrees(roots, np.array([t.class_index for t in trees], np.int64), questions, thresholds, codes)


def raw_predictions(
    ensemble: Ensemble,
    features: NDArray[np.float32],
    rounds: int | None = None,
    *,
    serial: bool = False,
    threads: int = 0,
) -> NDArray[np.float32]:
    """Return base plus leaves, added one by one in float32 in the order of the trees.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
    rounds : int, optional
        Only the first so many.
    serial : bool
        Stay on the calling thread.
    threads : int
        0 is one a processor core.

    Returns
    -------
    ndarray of float32, shape (n,), or (n, K) for K raw predictions a row
    """
    if rounds is not None:
        ensemble = ensemble.first_rounds(rounds)
    rows = kernel_array(features, np.float32)
    raw = np.repeat(ensemble.base_margin[:, None], len(rows), axis=1).astype(np.float32)
    parts = 1 if serial else thread_count(threads, len(rows))
    in_parts(parts, len(rows), LEAST_ROWS_A_THREAD, add_trees, rows, *flatten(ensemble.trees), raw)
    return raw[0] if ensemble.n_classes == 1 else raw.T


def leaf_indices(trees: Sequence[Tree], features: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the node in which each row ends in each tree, shape (n, n_trees); from any thread."""
    rows = kernel_array(features, np.float32)
    leaves = np.empty((len(rows), len(trees)), np.int32)
    flat = flatten(trees)
    find_leaves(rows, flat.roots, flat.questions, flat.thresholds, flat.codes, leaves)
    return leaves


def path(tree: Tree, row: NDArray[np.float32]) -> list[int]:
    """Return the nodes that one row, shape (d,), passes from the root to its leaf."""
    flat = flatten([tree])
    nodes = [0]
    while flat.questions[nodes[-1], COLUMN] >= 0:
        x = np.float32(row[flat.questions[nodes[-1], COLUMN]])
        nodes.append(int(next_node(x, flat.questions, flat.thresholds, flat.codes, nodes[-1])))
    return nodes


@kernel
def is_listed(code, codes, begin, end):
    """Whether a category code is among `codes[begin:end]`, which ascend."""
    while begin < end:
        middle = (begin + end) // 2
        if codes[middle] < code:
            begin = middle + 1
        else:
            end = middle
            if codes[middle] == code:
                return True
    return False


@kernel
def next_node(x, questions, thresholds, codes, node):
    """Return where a value goes from a node that asks: missing by default, unknown codes to "no".

    `node` and the result count from the tree's root where `questions` and `thresholds` begin there.
    """
    begin, end = questions[node, CODES_BEGIN], questions[node, CODES_END]
    if np.isnan(x):
        yes = questions[node, DEFAULT_LEFT] != 0
    elif begin == end:
        yes = x < thresholds[node]
    else:
        yes = is_listed(x, codes, begin, end)
    return np.int64(questions[node, LEFT]) + (0 if yes else 1)


@kernel
def leaf_of(row, questions, thresholds, codes):
    """Return the leaf into which one row falls, in a tree whose nodes begin at 0."""
    node = 0
    while questions[node, COLUMN] >= 0:
        node = next_node(row[questions[node, COLUMN]], questions, thresholds, codes, node)
    return node


@kernel
def add_trees(part, parts, features, roots, classes, questions, thresholds, codes, raw):
    """Add every tree's leaves to one part of the raw predictions, shape (K, n), in float32 and in order.

    Blocks of rows stay in the cache while all trees pass over them.

    Parameters
    ----------
    features : ndarray of float32, shape (n, d)
    roots, classes, questions, thresholds, codes
        `FlatTrees`.
    """
    end = part_begin(part + 1, parts, len(features))
    for first in range(part_begin(part, parts, len(features)), end, BLOCK_ROWS):
        last = first + BLOCK_ROWS if first + BLOCK_ROWS < end else end
        for t in range(len(classes)):
            of_tree = questions[roots[t] : roots[t + 1]]
            values = thresholds[roots[t] : roots[t + 1]]
            sums = raw[classes[t]]
            for i in range(first, last):
                sums[i] += values[leaf_of(features[i], of_tree, values, codes)]


@kernel
def find_leaves(features, roots, questions, thresholds, codes, leaves):
    """Write the leaf of each row in each tree, shape (n, n_trees); parameters as in `add_trees`."""
    for t in range(len(roots) - 1):
        of_tree = questions[roots[t] : roots[t + 1]]
        values = thresholds[roots[t] : roots[t + 1]]
        for i in range(len(features)):
            leaves[i, t] = leaf_of(features[i], of_tree, values, codes)
