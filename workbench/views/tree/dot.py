"""A tree as a graph in Graphviz's language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.explain.node_figures import answer, knows_rows, test_of
from workbench.views.tree.looks import gain_text, leaf_text, rows_text

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")


def tree_dot(tree: Tree, schema: DataSchema, name: str) -> str:
    """Return a digraph: questions in boxes, weights in rounded ones, "yes" and "no" on the edges."""
    lines = [f"digraph {_quoted(name)} {{", "  node [shape=box];", "  ordering=out;"]
    known = knows_rows(tree)
    for node in range(tree.n_nodes):
        record = tree.nodes[node]
        rows = [rows_text(int(record["count"]))] if known else []
        if tree.is_leaf[node]:
            label = [leaf_text(tree, node), *rows]
            lines.append(f"  n{node} [label={_quoted(*label)}, style=rounded];")
        else:
            label = [test_of(tree, node, schema).text, f"gain {gain_text(float(record['gain']))}", *rows]
            lines.append(f"  n{node} [label={_quoted(*label)}];")
        if node:
            lines.append(f"  n{int(record['parent'])} -> n{node} [label={answer(tree, node)}];")
    return "\n".join([*lines, "}", ""])


def _quoted(*rows: str) -> str:
    """Return the rows of a label, in which no name can end the label or mean anything."""
    plain = (CONTROL.sub(" ", row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    return '"' + "\\n".join(plain) + '"'
