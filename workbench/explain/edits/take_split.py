"""Take split: a node asks another question, and what is below it grows anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.edits.asking import check_parted, checked_threshold
from workbench.explain.edits.base import Edit, checked_node, column_of, edit_kind
from workbench.explain.edits.layout import grafted, joined, laid_out, make_leaf, with_nodes
from workbench.explain.edits.regrowth import asked_above, budget, like, trimmed
from workbench.explain.node_figures import question, test_of
from workbench.trees.tree import NODE_DTYPE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.explain.candidates import Candidate
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree

    Question: TypeAlias = "tuple[int, np.float32, NDArray[np.int64]]"  # column, threshold, codes


@edit_kind
@dataclass(frozen=True)
class TakeSplit(Edit):
    """Let a node, a split or a leaf, ask another question.

    Attributes
    ----------
    column : str
    threshold : float or None
        Below it is "yes", in a column of numbers.
    categories : tuple of int
        The codes that answer "yes", in a column of categories.
    default_left : bool or None
        Where missing values go; None: to the side with more hessian.
    """

    kind = "take_split"
    round: int
    place: int
    node: int
    column: str
    threshold: float | None = None
    categories: tuple[int, ...] = ()
    default_left: bool | None = None
    reason: str = ""

    @classmethod
    def of_candidate(
        cls, round: int, place: int, node: int, candidate: Candidate, schema: DataSchema, reason: str = ""
    ) -> TakeSplit:
        """Return the edit that takes a candidate of a ranking."""
        threshold = None if np.isnan(candidate.threshold) else float(candidate.threshold)
        name = schema.features[candidate.feature].name
        return cls(
            round, place, node, name, threshold, candidate.codes, candidate.default_left, reason=reason
        )

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say what is asked, and instead of what."""
        node = checked_node(self, tree, name)
        column, threshold, codes = self._question(schema)
        asked = question(schema.features[column], threshold, codes).text
        instead = "which was a leaf" if tree.is_leaf[node] else f"not {test_of(tree, node, schema).text}"
        return f"node {node} of {name} asks {asked}, {instead}"

    def applied(self, site: Site) -> Tree:
        """Return the tree with the question in the node, and both sides grown on it."""
        node, tree = checked_node(self, site.tree, site.name), site.tree
        column, threshold, codes = self._question(site.schema)
        if not site.limits(node).may_stand[column]:
            raise WorkbenchError(
                f"interaction_constraints let '{self.column}' not stand on one path with the columns above "
                f"node {node}."
            )
        rows = site.rows_of(node)
        stump = self._stump(site, node, (column, threshold, codes), rows)
        leaves = site.summed(stump, rows)
        check_parted(leaves, site.schema, node)
        asked, most = asked_above(tree, node), budget(site.grown, node)
        columns = np.arange(len(site.schema.features))
        falls = site.leaves(stump, rows) - 1  # 0 for "yes"
        sides = [
            site.regrowth.grown(site.grown, rows[falls == no], columns, (*asked, (column, no)),
                                site.bounds_below(leaves, node, no), max(most - 1, 1) if most else 0)
            for no in (0, 1)
        ]  # fmt: skip
        part = _with_sides(leaves, sides)
        part = site.finished(part, rows, node)
        if most:
            part = trimmed(part, max(most, 2), by_gain=site.grown.growing.by_gain)
            part = site.finished(part, rows, node)
        return site.settled(grafted(tree, node, part))

    def _question(self, schema: DataSchema) -> Question:
        """Return column, threshold and codes, after checking that they fit each other."""
        column = column_of(self.column, schema)
        feature = schema.features[column]
        if not feature.is_categorical:
            if self.categories:
                raise WorkbenchError(f"'{self.column}' holds {feature.kind}s; ask with a threshold.")
            return column, checked_threshold(self.threshold), np.empty(0, np.int64)
        codes = np.unique(np.array(self.categories, np.int64))
        if self.threshold is not None or not len(codes):
            raise WorkbenchError(f"'{self.column}' holds categories; ask with some of them.")
        if codes[0] < 0 or codes[-1] >= len(feature.categories):
            raise WorkbenchError(f"'{self.column}' has {len(feature.categories)} categories, not as many.")
        return column, np.float32(np.nan), codes

    def _stump(
        self, site: Site, node: int, asked: Question, rows: NDArray[np.uint32]
    ) -> Tree:
        """Return the node with this question and two leaves."""
        column, threshold, codes = asked
        nodes = np.zeros(3, NODE_DTYPE)
        for place in range(3):
            make_leaf(nodes, place)
        for name in ("count", "sum_gradient", "sum_hessian"):
            nodes[name][0] = site.tree.nodes[name][node]
        nodes["feature"][0], nodes["threshold"][0] = column, threshold
        nodes["category"][0] = codes[0] if len(codes) else -1
        nodes["left"][0], nodes["right"][0], nodes["forced"][0] = 1, 2, True
        nodes["depth"][1:], nodes["parent"] = 1, [-1, 0, 0]
        begins = np.array([0, len(codes), len(codes), len(codes)], np.int32)
        stump = with_nodes(site.tree, nodes, begins, codes.astype(np.int32))
        default_left = self.default_left
        if default_left is None:
            sums = site.summed(stump, rows).nodes["sum_hessian"]
            data = site.replay.dataset
            missing = np.isnan(data.features[data.train_rows[rows], column])
            own = float(site.grown.hessians[rows[missing]].sum())
            default_left = bool(sums[1] >= sums[2] - own)
        nodes = nodes.copy()
        nodes["default_left"][0] = default_left
        return with_nodes(stump, nodes)


def _with_sides(leaves: Tree, sides: list[Tree]) -> Tree:
    """Return a split whose leaves are replaced by what has grown there."""
    both = joined(leaves, [like(side, leaves) for side in sides])
    nodes = both.nodes.copy()
    nodes["left"][0], nodes["right"][0] = leaves.n_nodes, leaves.n_nodes + sides[0].n_nodes
    return laid_out(both, nodes)
