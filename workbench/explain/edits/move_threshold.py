"""Move threshold: a split asks the same column with another number; the questions below stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.edits.asking import check_parted, checked_threshold
from workbench.explain.edits.base import Edit, checked_node, edit_kind
from workbench.explain.edits.layout import grafted, part_of, with_nodes, without_empty_sides
from workbench.explain.node_figures import ALL_DIGITS, SHOWN_DIGITS, threshold_text
from workbench.isolation import isolated

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree


@edit_kind
@dataclass(frozen=True)
class MoveThreshold(Edit):
    """Let a split on numbers ask with another threshold: below it is "yes"."""

    kind = "move_threshold"
    round: int
    place: int
    node: int
    threshold: float
    reason: str = ""

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say how far it moves."""
        node = self._checked(tree, name)
        feature = schema.features[int(tree.nodes["feature"][node])]
        old, new = tree.nodes["threshold"][node], checked_threshold(self.threshold)
        texts = [threshold_text(value, feature, SHOWN_DIGITS) for value in (old, new)]
        if texts[0] == texts[1]:
            texts = [threshold_text(value, feature, ALL_DIGITS) for value in (old, new)]
        return f"threshold of {isolated(feature.name)} in node {node} of {name}: {texts[0]} → {texts[1]}"

    def applied(self, site: Site) -> Tree:
        """Return the tree with the rows below sent anew; splits whose one side is empty now go."""
        node, tree = self._checked(site.tree, site.name), site.tree
        part = part_of(tree, node)
        nodes = part.nodes.copy()
        nodes["threshold"][0] = checked_threshold(self.threshold)
        nodes["forced"][0] = True
        rows = site.rows_of(node)
        part = site.summed(with_nodes(part, nodes), rows)
        check_parted(part, site.schema, node)
        part = site.finished(without_empty_sides(part), rows, node)
        return site.settled(grafted(tree, node, part))

    def _checked(self, tree: Tree, name: str) -> int:
        node = checked_node(self, tree, name, is_leaf=False)
        if np.isnan(tree.nodes["threshold"][node]):
            raise WorkbenchError(f"Node {node} of {name} asks for categories; it has no threshold to move.")
        return node
