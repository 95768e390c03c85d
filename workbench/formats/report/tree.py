"""A tree as nested lists that open and close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.explain.node_figures import answer, knows_rows, threshold_text
from workbench.formats.code.spelling import asked_codes, visible
from workbench.formats.report.parts import exact, name, names, number, text
from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

MOST_LABELS = 8  # of a set that are read at once


def tree_list(tree: Tree, place: int, model: Model) -> str:
    """Return the tree at `place` (from 1); the first one is open."""
    outputs = model.ensemble.output_names
    of_output = f", {name(visible(outputs[tree.class_index]))}" if outputs else ""
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
        value = record["leaf_value"]
        shown = exact(f"{'+' if value > 0 else ''}{number(float(value))}", value)
        return f'{lead}<span class="{"up" if value > 0 else "down"}">{shown}</span>{rows}'
    missing = "yes" if record["default_left"] else "no"
    said = f"gain {number(float(record['gain']))}{rows}, missing: {missing}"
    asked, every = _question(tree, node, model)
    return f'{lead}{asked}? <span class="answer">{said}</span>{every}'


def _question(tree: Tree, node: int, model: Model) -> tuple[str, str]:
    """Return what is asked; and every label, behind a click, where they are too many to be read at once."""
    feature = model.schema.features[int(tree.nodes["feature"][node])]
    column = name(visible(feature.name))
    if not feature.is_categorical:
        threshold = tree.nodes["threshold"][node]
        return f"{column} &lt; {exact(text(threshold_text(threshold, feature)), threshold)}", ""
    labels = [visible(feature.categories[code]) for code in asked_codes(tree, node, feature)]
    some, every = names(labels, MOST_LABELS)
    return f"{column} {f'in {{{some}}}' if len(labels) > 1 else f'= {some}'}", every
