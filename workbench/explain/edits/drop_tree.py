"""Drop tree: a tree becomes one leaf of weight 0, which adds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.explain.edits.base import Edit, edit_kind
from workbench.explain.edits.layout import laid_out, make_leaf

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree


@edit_kind
@dataclass(frozen=True)
class DropTree(Edit):
    """Drop what a tree adds to the model; its place in the round stays."""

    kind = "drop_tree"
    round: int
    place: int
    reason: str = ""

    @property
    def node(self) -> int:  # type: ignore[override]
        """The root."""
        return 0

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say which."""
        return f"drop {name}"

    def applied(self, site: Site) -> Tree:
        """Return a leaf that keeps G and H of the rows and weighs nothing."""
        nodes = site.tree.nodes.copy()
        make_leaf(nodes, 0)
        for name in ("weight", "structure_score", "leaf_value"):
            nodes[name][0] = 0.0
        return laid_out(site.tree, nodes)
