"""A tree as nested lists that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.node_figures import answer, knows_rows, test_of
from workbench.formats.html_parts import name, names, number, text
from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

MOST_LABELS = 8  # of a set that are read at once


def tree_list(tree: Tree, place: int, model: Model) -> str:
    """Return the tree at `place` (from 1); the first one is open."""
    outputs = model.ensemble.output_names
    of_output = f", {name(outputs[tree.class_index])}" if outputs else ""
    size = f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    head = f"Tree {place:,}{of_output}: {size}, gain {number(tree.total_gain)}"
    pieces: list[str] = []
    waiting: list[int | str] = [0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            pieces.append(node)
            continue
        pieces.append(f"<li>{_node(tree, node, model)}")
        if tree.is_leaf[node]:
            pieces.append("</li>")
            continue
        pieces.append("<ul>")
        waiting += ["</ul></li>", int(tree.nodes["right"][node]), int(tree.nodes["left"][node])]
    is_open = " open" if place == 1 else ""
    return f'<details{is_open}><summary>{head}</summary><ul class="tree">{"".join(pieces)}</ul></details>\n'


def _node(tree: Tree, node: int, model: Model) -> str:
    record = tree.nodes[node]
    rows = f", {counted(int(record['count']), 'row')}" if knows_rows(tree) else ""
    lead = f'<span class="answer">{answer(tree, node)}:</span> ' if node else ""
    if tree.is_leaf[node]:
        value = float(record["leaf_value"])
        sign = "+" if value > 0 else ""
        return f'{lead}<span class="{"up" if value > 0 else "down"}">{sign}{number(value)}</span>{rows}'
    test = test_of(tree, node, model.schema)
    some, every = names(test.labels, MOST_LABELS) if test.labels else (name(test.value), "")
    asked = f"{name(test.feature)} {text(test.relation)} {f'{{{some}}}' if test.labels else some}?"
    missing = "yes" if record["default_left"] else "no"
    said = f"gain {number(float(record['gain']))}{rows}, missing: {missing}"
    return f'{lead}{asked} <span class="answer">{said}</span>{every}'
