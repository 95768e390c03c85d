"""Parts of a tree grown anew on the rows of a node, by the grower of the run."""

from __future__ import annotations

import heapq
import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.tree_rules import rules_below
from workbench.explain.edits.layout import laid_out, make_leaf, part_of, with_nodes
from workbench.explain.edits.weighing import valued
from workbench.explain.node_figures import path_to
from workbench.explain.tree_rows import node_sums
from workbench.threads.team import ALONE
from workbench.trees.growing_params import DrawnRows
from workbench.trees.tree_method import TREE_METHODS, RunRows
from workbench.trees.tree_task import TreeTask

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.explain.node_limits import Bounds
    from workbench.explain.replay import GrownTree, Replay
    from workbench.trees.tree import Tree
    from workbench.trees.tree_method import Grower


class Regrowth:
    """Grows parts of the trees of a run: as the run does, but serial, and on the rows of a node alone.

    What restrains the tree restrains the part as it would in the whole: bounds that monotone columns above
    set, columns that may follow them, and those drawn by level and node.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._grower: Grower | None = None
        self._lock = threading.Lock()

    def grown(
        self, grown: GrownTree, rows: NDArray[np.uint32], columns: NDArray[np.int64],
        asked: tuple[tuple[int, int], ...], bounds: Bounds, most_leaves: int,
    ) -> Tree:
        """Return what grows on the rows of a node.

        Parameters
        ----------
        columns : ndarray of int64
            That may be asked about, ascending.
        asked : tuple of tuple of int
            The way to it: columns asked about, and 0 for "yes" or 1 for "no".
        bounds : Bounds
            Of its weight.
        most_leaves : int
            0 for no limit.
        """
        growing, plan = grown.growing, grown.plan
        left = growing.max_depth - len(asked)
        columns = np.intersect1d(plan.columns, columns).astype(np.int64)
        rules = plan.rules
        if rules is not None:
            columns = np.intersect1d(rules.drawn_columns, columns).astype(np.int64)
            rules = rules_below(rules, asked, *bounds, columns)
        is_leaf = (growing.max_depth and left <= 0) or most_leaves == 1 or not len(columns) or len(rows) < 2
        growing = growing._replace(max_depth=max(left, 1) if growing.max_depth else 0, max_leaves=most_leaves)
        if is_leaf:
            return _one_leaf(grown, rows)
        n = len(grown.gradients)
        with self._lock:
            grower = self._made().of_tree(grown.hessians, grown.sample.rows)
            task = TreeTask(
                grown.gradients, grown.hessians, DrawnRows(rows.copy(), np.empty(0, np.uint32)), columns,
                growing, np.zeros(1, np.uint8), np.zeros(n, np.float32),
            )
            part = grower.grow(task, None, 0, rules)
        assert part is not None  # nobody raises the flag
        return like(part, grown.tree)

    def _made(self) -> Grower:
        if self._grower is None:
            replay, data = self._replay, self._replay.dataset
            n_categories = tuple(len(f.categories) if f.is_categorical else 0 for f in data.schema.features)
            nobody = np.empty(0, np.int64)
            rows = RunRows(
                data.features, data.train_rows, nobody, n_categories, replay.kept, replay.counts
            )
            method = TREE_METHODS.get(replay.params.tree_method)
            self._grower = method.prepare(rows, replay.params, ALONE, lambda: False).grower
        return self._grower


def like(part: Tree, tree: Tree) -> Tree:
    """Return a grown part with what is said of the tree that it becomes a part of."""
    whole = with_nodes(tree, part.nodes.copy(), part.category_begin, part.category_codes)
    return with_nodes(whole, valued(whole, whole.nodes.copy()))


def budget(grown: GrownTree, node: int) -> int:
    """Return how many leaves a tree of at most so many leaves has for a node; 0 for no limit."""
    most = grown.growing.max_leaves
    if not most:
        return 0
    others = grown.tree.n_leaves - part_of(grown.tree, node).n_leaves
    return max(most - others, 1)


def asked_above(tree: Tree, node: int) -> tuple[tuple[int, int], ...]:
    """Return the columns asked about on the way to a node, each with 0 where it said "yes" or 1 for "no"."""
    nodes = tree.nodes
    return tuple(
        (int(nodes["feature"][above]), int(below == nodes["right"][above]))
        for above, below in pairwise(path_to(tree, node))
    )


def trimmed(part: Tree, most_leaves: int, *, by_gain: bool) -> Tree:
    """Return a part with so many leaves at most: splits are kept in the order in which they grow."""
    if not most_leaves or part.n_leaves <= most_leaves:
        return part
    nodes, waiting = part.nodes.copy(), [(0.0, 0)]
    splits_left, kept = most_leaves - 1, set()
    while waiting and splits_left:
        node = heapq.heappop(waiting)[1]
        if part.is_leaf[node]:
            continue
        kept.add(node)
        splits_left -= 1
        for child in (int(nodes["left"][node]), int(nodes["right"][node])):
            heapq.heappush(waiting, (-float(nodes["gain"][child]) if by_gain else 0.0, child))
    for node in np.flatnonzero(~part.is_leaf).tolist():
        if node not in kept:
            make_leaf(nodes, node)
    return laid_out(part, valued(part, nodes))


def _one_leaf(grown: GrownTree, rows: NDArray[np.uint32]) -> Tree:
    """Return a single leaf with the sums of these rows; it is not weighed yet."""
    nodes = grown.tree.nodes[:1].copy()
    make_leaf(nodes, 0)
    leaf = laid_out(grown.tree, nodes)
    nodes = leaf.nodes.copy()
    none_but_one = np.zeros(len(rows), np.int32)
    sums = node_sums(leaf, none_but_one, grown.gradients[rows], grown.hessians[rows])
    for name, values in zip(("sum_gradient", "sum_hessian", "count"), sums, strict=True):
        nodes[name] = values
    return with_nodes(leaf, nodes)
