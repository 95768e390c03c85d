"""Which of the splits that a person forces on every tree a node makes, and in words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from workbench.explain.node_figures import path_to
from workbench.parameters.forced_splits import read

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.parameters.forced_splits import ForcedSplit
    from workbench.trees.tree import Tree


def forced_split(tree: Tree, node: int, schema: DataSchema, text: str) -> ForcedSplit | None:
    """Return the split of `text` that a node makes; None where it makes none, or one of its own.

    One that was left out, as it parted nothing, is followed by none.
    """
    split = read(text) if text else None
    path = path_to(tree, node)
    for parent, child in pairwise(path):
        if split is None or not _makes(tree, parent, schema, split):
            return None
        split = split.yes if child == tree.nodes["left"][parent] else split.no
    return split if split is not None and _makes(tree, node, schema, split) else None


def forced_words(split: ForcedSplit) -> str:
    """Say what is forced of a split."""
    return "forced to this column" if split.names_column_alone else "forced"


def _makes(tree: Tree, node: int, schema: DataSchema, split: ForcedSplit) -> bool:
    record = tree.nodes[node]
    return bool(record["forced"]) and schema.features[int(record["feature"])].name == split.column
