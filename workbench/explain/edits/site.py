"""Where an edit is made: a tree of a run, the rows that grew it, and who grows parts of it anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.class_weights import class_weights, row_weights
from workbench.ensembles.prediction import leaf_indices
from workbench.explain.edits.layout import with_nodes
from workbench.explain.edits.weighing import Weighing, valued, weighed
from workbench.explain.node_limits import FREE, NodeLimits, bounds_after, held_weight, node_limits
from workbench.explain.tree_rows import leaves_under, node_sums
from workbench.objectives.line_search import SearchedRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.edits.regrowth import Regrowth
    from workbench.explain.node_limits import Bounds
    from workbench.explain.replay import GrownTree, Replay
    from workbench.trees.tree import Nodes, Tree


@dataclass(frozen=True, eq=False)
class Site:
    """A tree of a run that is edited.

    Attributes
    ----------
    replay : Replay
    run_round : int
        Of the run, from 1.
    place : int
        Of the tree in its round.
    grown : GrownTree
    name : str
        What the tree is called.
    regrowth : Regrowth
    cancelled : callable, optional
    """

    replay: Replay
    run_round: int
    place: int
    grown: GrownTree
    name: str
    regrowth: Regrowth
    cancelled: Callable[[], bool] | None = None

    @property
    def tree(self) -> Tree:
        """As it is before the edit."""
        return self.grown.tree

    @property
    def schema(self) -> DataSchema:
        """The columns."""
        return self.replay.dataset.schema

    @property
    def searches(self) -> bool:
        """Whether leaves are weighed by the objective's own line search."""
        return self.replay.objective.searches_leaves

    def rows_of(self, node: int) -> NDArray[np.uint32]:
        """Return the drawn training rows that pass a node, ascending."""
        drawn = self.grown.sample.rows.drawn
        here = leaves_under(self.tree, node)[self.grown.leaves[self.replay.dataset.train_rows[drawn]]]
        return np.ascontiguousarray(drawn[here])

    def limits(self, node: int) -> NodeLimits:
        """Return what restrains a node."""
        return node_limits(self.grown.tree, self.grown.plan, node, len(self.schema.features))

    def weighing(self, bounds: Bounds = FREE) -> Weighing:
        """Return what nodes are weighed with, of which the first has these bounds."""
        rules = self.grown.plan.rules
        none = np.zeros(len(self.schema.features), np.int8)
        direction = none if rules is None else rules.monotone
        return Weighing(self.grown.growing, direction, bounds, rules is not None)

    def summed(self, part: Tree, rows: NDArray[np.uint32]) -> Tree:
        """Return a part of the tree with G, H and counts of these rows below its first node.

        The first node keeps its own, which the same rows gave it before.
        """
        own = self.leaves(part, rows)
        sums = node_sums(part, own, self.grown.gradients[rows], self.grown.hessians[rows])
        nodes = part.nodes.copy()
        for name, values in zip(("sum_gradient", "sum_hessian", "count"), sums, strict=True):
            nodes[name][1:] = values[1:]
        return with_nodes(part, nodes)

    def bounds_below(self, stump: Tree, node: int, side: int) -> Bounds:
        """Return the bounds on a side of a split in place of `node`: 0 is the side of "yes", 1 of "no"."""
        how = self.weighing(self.limits(node).bounds)
        return bounds_after(stump, 0, side, int(how.direction[stump.nodes["feature"][0]]), how.bounds)

    def finished(self, part: Tree, rows: NDArray[np.uint32], node: int) -> Tree:
        """Return a part of the tree, in place of `node`, with all figures from its sums."""
        part = weighed(part, self.weighing(self.limits(node).bounds))
        return self.searched(part, rows) if self.searches else part

    def searched(self, part: Tree, rows: NDArray[np.uint32]) -> Tree:
        """Return a part with the leaf weights that the objective's line search finds in these rows."""
        weights = self._searched_weights(rows, self.leaves(part, rows), part.n_nodes)
        nodes, leaf = part.nodes.copy(), part.is_leaf
        limit = part.max_delta_step or np.inf
        nodes["weight"][leaf] = np.clip(weights[leaf], -limit, limit)
        return with_nodes(part, valued(part, scored(part, nodes)))

    def optimum(self, node: int) -> float:
        """Return the weight that a node has as a leaf."""
        if not self.searches:
            return held_weight(self.tree, node, self.limits(node).bounds)
        if self.replay.objective.weighs_whole_trees:
            return float(self.tree.nodes["weight"][node])
        rows = self.rows_of(node)
        limit = self.tree.max_delta_step or np.inf
        found = self._searched_weights(rows, np.zeros(len(rows), np.int32), 1)[0]
        return float(np.clip(found, -limit, limit))

    def settled(self, tree: Tree) -> Tree:
        """Return an edited tree, weighed anew as a whole where its leaves depend on one another."""
        if not self.replay.objective.weighs_whole_trees:
            return tree
        drawn = np.sort(self.grown.sample.rows.drawn)
        return self.searched(tree, drawn)

    def _searched_weights(
        self, rows: NDArray[np.uint32], leaf: NDArray[np.int32], n_nodes: int
    ) -> NDArray[np.float64]:
        objective = self.replay.objective.of_output(self.tree.class_index)
        searched = SearchedRows(
            self._residuals, self.grown.gradients, self._row_weights, rows, leaf, n_nodes,
            self.replay.begun.n_classes,
        )
        return objective.leaf_weights(searched)

    def leaves(self, part: Tree, rows: NDArray[np.uint32]) -> NDArray[np.int32]:
        """Return the leaf of a part into which each of these rows falls."""
        data = self.replay.dataset
        leaves: NDArray[np.int32] = leaf_indices((part,), data.features)[:, 0][data.train_rows[rows]]
        return leaves

    @cached_property
    def _residuals(self) -> NDArray[np.float64]:
        """What the rounds before leave of each training row's target."""
        state, data = self.replay.before(self.run_round, self.cancelled), self.replay.dataset
        raw = state.train.raw[self.tree.class_index]
        found: NDArray[np.float64] = data.target[data.train_rows] - raw
        return found

    @cached_property
    def _row_weights(self) -> NDArray[np.float64]:
        data, factors = self.replay.dataset, self.grown.sample.factors
        weight = row_weights(data, class_weights(data.schema, self.replay.params), data.train_rows)
        weight = np.ones(len(data.train_rows)) if weight is None else weight
        return weight if factors is None else weight * factors


def scored(tree: Tree, nodes: Nodes) -> Nodes:
    """Write what each leaf scores with the weight it has, Gw + ½(H+λ)w² + α|w|; return the nodes."""
    leaf = nodes["left"] < 0
    g, h, w = (nodes[name] for name in ("sum_gradient", "sum_hessian", "weight"))
    scores = g * w + 0.5 * (h + tree.reg_lambda) * w * w + tree.reg_alpha * np.abs(w)
    nodes["structure_score"] = np.where(leaf, scores, nodes["structure_score"])
    return nodes
