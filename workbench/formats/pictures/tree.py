"""A tree: its questions, gains and rows, its leaves with their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import knows_rows, test_of
from workbench.formats.code.spelling import visible
from workbench.formats.pictures.picture import (
    BLUE,
    FAINT,
    GRID,
    ORANGE,
    PAPER,
    Picture,
    box,
    cut,
    line,
    words,
)
from workbench.number_text import counted, figure

if TYPE_CHECKING:
    from workbench.formats.model_like import ModelLike
    from workbench.trees.tree import Tree

WIDTH, HEIGHT, GAP, LEVEL = 162.0, 44.0, 12.0, 86.0  # of a node, and between nodes
MOST_DRAWN = 31  # nodes; a page with more is read in the window


def tree_picture(model: ModelLike, place: int, depth: int | None = None) -> Picture:
    """Draw the tree at `place` (from 0), down to a level; of deeper nodes the number is told."""
    if model.params.method == "linear" or not 0 <= place < len(model.trees):
        raise WorkbenchError(f"The model has {counted(len(model.trees), 'tree')}; there is no tree {place}.")
    tree = model.trees[place]
    levels = depth if depth is not None else _levels_that_fit(tree)
    shown = [n for n in range(tree.n_nodes) if tree.nodes["depth"][n] <= levels]
    ends = {n for n in shown if tree.is_leaf[n] or tree.nodes["depth"][n] == levels}
    across: dict[int, float] = {}
    waiting, next_end = [(0, False)], 0
    while waiting:
        node, is_below_done = waiting.pop()
        if node in ends:
            across[node] = GAP + next_end * (WIDTH + GAP)
            next_end += 1
        elif is_below_done:
            across[node] = sum(across[int(tree.nodes[side][node])] for side in ("left", "right")) / 2
        else:
            children = (int(tree.nodes["right"][node]), int(tree.nodes["left"][node]))
            waiting += [(node, True), *((child, False) for child in children)]
    height = 34 + (1 + max(int(tree.nodes["depth"][n]) for n in shown)) * LEVEL
    outputs = model.ensemble.output_names
    of_class = f", {outputs[tree.class_index]}" if outputs else ""
    title = f"Tree {place}{of_class}: {counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    parts = [words(GAP, 20, title, bold=True)]
    for node in shown:
        x, y = across[node], _top(tree, node)
        if node not in ends:
            for side, said in (("left", "yes"), ("right", "no")):
                child = int(tree.nodes[side][node])
                end = across[child] + WIDTH / 2
                parts.append(line(x + WIDTH / 2, y + HEIGHT, end, _top(tree, child), FAINT))
                parts.append(words((x + WIDTH / 2 + end) / 2, y + HEIGHT + 24, said, "middle", FAINT))
    parts += [_node(model, tree, node, across[node], node in ends) for node in shown]
    return Picture(title, 2 * GAP + next_end * (WIDTH + GAP), height, parts)


def _levels_that_fit(tree: Tree) -> int:
    depths = tree.nodes["depth"]
    levels = tree.depth
    while levels > 1 and int((depths <= levels).sum()) > MOST_DRAWN:
        levels -= 1
    return levels


def _top(tree: Tree, node: int) -> float:
    return 34.0 + float(tree.nodes["depth"][node]) * LEVEL


def _node(model: ModelLike, tree: Tree, node: int, x: float, is_end: bool) -> str:
    record = tree.nodes[node]
    y, rows = _top(tree, node), f"{record['count']:,} rows" if knows_rows(tree) else ""
    if tree.is_leaf[node]:
        value = float(record["leaf_value"])
        ink, first, second = ORANGE if value < 0 else BLUE, f"{'+' if value > 0 else ''}{figure(value)}", rows
    else:
        test = test_of(tree, node, model.schema)
        ink = GRID
        first = visible(f"{test.text}?")
        below = f", {_nodes_below(tree, node):,} below" if is_end else ""
        second = f"gain {figure(float(record['gain']))}{', ' + rows if rows and not below else ''}{below}"
    return (
        box(x, y, WIDTH, HEIGHT, PAPER, ink)
        + words(x + WIDTH / 2, y + 18, cut(first, WIDTH - 8), "middle", bold=bool(tree.is_leaf[node]))
        + words(x + WIDTH / 2, y + 35, cut(second, WIDTH - 8), "middle", FAINT)
    )


def _nodes_below(tree: Tree, node: int) -> int:
    total, waiting = 0, [node]
    while waiting:
        node = waiting.pop()
        if not tree.is_leaf[node]:
            waiting += [int(tree.nodes["left"][node]), int(tree.nodes["right"][node])]
            total += 2
    return total
