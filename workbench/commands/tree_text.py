"""One tree as text: its questions with gains, its leaves with weights, and what stood in each node."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

MOST_CATEGORIES = 8


def tree_lines(tree: Tree, schema: DataSchema) -> list[str]:
    """Return the tree, a node a line, the "yes" branch first."""
    lines = []
    waiting = [(0, "", "")]
    while waiting:
        index, indent, branch = waiting.pop()
        lines.append(f"{indent}{branch}{_node(tree, schema, index)}")
        left = int(tree.nodes["left"][index])
        if left >= 0:
            below = indent + ("" if not branch else "│   " if branch.startswith("├") else "    ")
            waiting.append((left + 1, below, "└ no   "))
            waiting.append((left, below, "├ yes  "))
    return lines


def question(tree: Tree, schema: DataSchema, index: int) -> str:
    """Return the test of a split: "age < 54.5", "thal in {fixed, reversible}"."""
    node = tree.nodes[index]
    feature = schema.features[int(node["feature"])]
    codes = tree.categories(index).tolist()
    if not codes:
        return f"{feature.name} < {node['threshold']!s}"
    names = [feature.categories[code] for code in codes]
    shown = ", ".join(names[:MOST_CATEGORIES])
    more = f", … {len(names) - MOST_CATEGORIES} more" if len(names) > MOST_CATEGORIES else ""
    return f"{feature.name} in {{{shown}{more}}}"


def _node(tree: Tree, schema: DataSchema, index: int) -> str:
    node = tree.nodes[index]
    figures = f"G {node['sum_gradient']:.6g}  H {node['sum_hessian']:.6g}  rows {node['count']}"
    if node["feature"] < 0:
        return f"leaf {node['leaf_value']:.6g}  (w* {node['weight']:.6g})  {figures}"
    missing = "yes" if node["default_left"] else "no"
    forced = "forced  " if node["forced"] else ""
    return f"{question(tree, schema, index)}?  {forced}missing: {missing}  gain {node['gain']:.6g}  {figures}"
