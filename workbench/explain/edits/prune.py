"""Prune: a split becomes a leaf, and what is below it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.edits.base import Edit, checked_node, edit_kind
from workbench.explain.edits.layout import laid_out, make_leaf, with_nodes
from workbench.explain.edits.weighing import valued

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree


@edit_kind
@dataclass(frozen=True)
class Prune(Edit):
    """Make a leaf of a split; it weighs what its G and H, or the objective's line search, say."""

    kind = "prune"
    round: int
    place: int
    node: int
    reason: str = ""

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say what is pruned."""
        node = checked_node(self, tree, name, is_leaf=False)
        return f"prune node {node} of {name}"

    def applied(self, site: Site) -> Tree:
        """Return the tree without what is below the node."""
        node, tree = checked_node(self, site.tree, site.name, is_leaf=False), site.tree
        nodes = tree.nodes.copy()
        make_leaf(nodes, node)
        if site.searches:
            leaf = laid_out(tree, nodes, node)
            leaf = site.searched(leaf, site.rows_of(node))
            for figure in ("weight", "structure_score"):
                nodes[figure][node] = leaf.nodes[figure][0]
        pruned = laid_out(tree, nodes)
        return site.settled(with_nodes(pruned, valued(pruned, pruned.nodes.copy())))
