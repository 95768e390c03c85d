"""One tree as text: its questions with gains, its leaves with weights, and what stood in each node."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from workbench.isolation import isolated

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

MOST_CATEGORIES = 8
UNKNOWN = "unknown"


def tree_lines(tree: Tree, schema: DataSchema) -> list[str]:
    """Return the tree, a node a line, the "yes" branch first."""
    from workbench.explain.node_figures import knows_rows

    lines: list[str] = []
    counted = knows_rows(tree)
    waiting = [(0, "", "")]
    while waiting:
        index, indent, branch = waiting.pop()
        lines.append(f"{indent}{branch}{_node(tree, schema, index, counted=counted)}")
        left = int(tree.nodes["left"][index])
        if left >= 0:
            below = indent + ("" if not branch else "│   " if branch.startswith("├") else "    ")
            waiting.append((left + 1, below, "└ no   "))
            waiting.append((left, below, "├ yes  "))
    return lines


def question(tree: Tree, schema: DataSchema, index: int) -> str:
    """Return the test of a split: "age < 54.5", "thal in {fixed, reversible}"."""
    from workbench.explain.node_figures import threshold_text

    node = tree.nodes[index]
    feature = schema.features[int(node["feature"])]
    codes = tree.categories(index).tolist()
    if not codes:
        threshold = node["threshold"]
        shown = threshold_text(threshold, feature) if feature.kind == "date" else str(threshold)
        return f"{isolated(feature.name)} < {shown}"
    names = [isolated(feature.categories[code]) for code in codes]
    shown = ", ".join(names[:MOST_CATEGORIES])
    more = f", … {len(names) - MOST_CATEGORIES} more" if len(names) > MOST_CATEGORIES else ""
    return f"{isolated(feature.name)} in {{{shown}{more}}}"


def _node(tree: Tree, schema: DataSchema, index: int, *, counted: bool) -> str:
    node = tree.nodes[index]
    rows = node["count"] if counted else UNKNOWN
    figures = f"G {_shown(node['sum_gradient'])}  H {_shown(node['sum_hessian'])}  rows {rows}"
    if node["feature"] < 0:
        weight = _shown(node["weight"]) if tree.knows_sums else UNKNOWN
        return f"leaf {node['leaf_value']:.6g}  (w* {weight})  {figures}"
    missing = "yes" if node["default_left"] else "no"
    forced, gain = "forced  " if node["forced"] else "", _shown(node["gain"])
    return f"{question(tree, schema, index)}?  {forced}missing: {missing}  gain {gain}  {figures}"


def _shown(figure: float) -> str:
    return f"{figure + 0.0:.6g}" if isfinite(figure) else UNKNOWN  # no "-0"
