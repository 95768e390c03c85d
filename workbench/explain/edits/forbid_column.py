"""Forbid column: from a node on no question asks about a column; what is below grows anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.edits.base import Edit, checked_node, column_of, edit_kind
from workbench.explain.edits.layout import grafted, part_of, with_nodes
from workbench.explain.edits.regrowth import asked_above, budget
from workbench.isolation import isolated

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree


@edit_kind
@dataclass(frozen=True)
class ForbidColumn(Edit):
    """Grow a node and all below it anew without a column."""

    kind = "forbid_column"
    round: int
    place: int
    node: int
    column: str
    reason: str = ""

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say what is not asked about, and from where on."""
        node = checked_node(self, tree, name, is_leaf=False)
        column_of(self.column, schema)
        return f"no question about {isolated(self.column)} from node {node} of {name} on"

    def applied(self, site: Site) -> Tree:
        """Return the tree with what grows from the node on without the column."""
        node, tree = checked_node(self, site.tree, site.name, is_leaf=False), site.tree
        column = column_of(self.column, site.schema)
        if column not in part_of(tree, node).nodes["feature"]:
            raise WorkbenchError(
                f"No question from node {node} of {site.name} on is about '{self.column}'. "
                "Choose a column that is asked about there."
            )
        rows = site.rows_of(node)
        part = site.regrowth.grown(
            site.grown, rows, np.delete(np.arange(len(site.schema.features)), column),
            asked_above(tree, node), site.limits(node).bounds, budget(site.grown, node),
        )
        nodes = part.nodes.copy()
        for name in ("count", "sum_gradient", "sum_hessian"):
            nodes[name][0] = tree.nodes[name][node]
        part = site.finished(with_nodes(part, nodes), rows, node)
        return site.settled(grafted(tree, node, part))
