"""A tree as indented text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.node_figures import answer_with_missing, knows_rows, test_of
from workbench.explain.node_text import gain_text, leaf_words, weight_text
from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

DEEPEST = 40  # levels that are indented; deeper ones say how deep they are


def tree_text(tree: Tree, schema: DataSchema, name: str, unit: str = "") -> str:
    """Return one line a node, children indented below their question, "yes" first."""
    said = leaf_words(unit, short=True) if tree.knows_sums else "adds"
    size = f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    lines = [f"{name}: {size}, gain {gain_text(tree.total_gain)}"]
    waiting = [0]
    while waiting:
        node = waiting.pop()
        record = tree.nodes[node]
        lead = _indent(int(record["depth"])) + (f"{answer_with_missing(tree, node)}: " if node else "")
        rows = f", {counted(int(record['count']), 'row')}" if knows_rows(tree) else ""
        if tree.is_leaf[node]:
            lines.append(f"{lead}leaf, {said} {weight_text(float(record['weight']), unit=unit)}{rows}")
        else:
            question = test_of(tree, node, schema).text
            lines.append(f"{lead}{question}, gain {gain_text(float(record['gain']))}{rows}")
            waiting += [int(record["right"]), int(record["left"])]
    return "\n".join(lines)


def _indent(depth: int) -> str:
    return "  " * depth if depth <= DEEPEST else "  " * DEEPEST + f"({depth}) "
