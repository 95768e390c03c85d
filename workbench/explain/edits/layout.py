"""Nodes of trees put together and laid out again: breadth-first, siblings adjacent."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Nodes, Tree

NO_QUESTION = (("feature", -1), ("threshold", np.nan), ("category", -1), ("default_left", False),
               ("forced", False), ("left", -1), ("right", -1), ("gain", 0.0))  # fmt: skip


def laid_out(tree: Tree, nodes: Nodes, top: int = 0) -> Tree:
    """Return the part of `nodes` that is reached from `top`, as a tree.

    Parameters
    ----------
    tree : Tree
        Gives the categories by node, and all else.
    nodes : structured ndarray
        As those of the tree, but that `left` and `right` may be any nodes. Leaves have −1 there.
    """
    order = _breadth_first(nodes, top)
    made = nodes[order]
    is_split = made["left"] >= 0
    splits = np.flatnonzero(is_split)
    made["left"] = made["right"] = made["parent"] = -1
    made["left"][splits] = 1 + 2 * np.arange(len(splits))
    made["right"][splits] = 2 + 2 * np.arange(len(splits))
    made["parent"][1:] = np.repeat(splits, 2)
    depth = np.zeros(len(made), np.int32)
    for first, stop in _stretches(made):
        depth[first:stop] = depth[made["parent"][first:stop]] + 1
    made["depth"] = depth
    begins, codes = _categories(tree, order, is_split)
    return with_nodes(tree, made, begins, codes)


def with_nodes(
    tree: Tree,
    nodes: Nodes,
    begins: NDArray[np.int32] | None = None,
    codes: NDArray[np.int32] | None = None,
) -> Tree:
    """Return the tree with these nodes, which are not written to any more."""
    nodes.flags.writeable = False
    return replace(
        tree, nodes=nodes, grown_figures=None,
        category_begin=tree.category_begin if begins is None else begins,
        category_codes=tree.category_codes if codes is None else codes,
    )


def make_leaf(nodes: Nodes, node: int) -> None:
    """Take the question of a node away."""
    for name, nothing in NO_QUESTION:
        nodes[name][node] = nothing


def part_of(tree: Tree, node: int) -> Tree:
    """Return what is below a node, itself included, as a tree of its own."""
    return laid_out(tree, tree.nodes.copy(), node)


def grafted(tree: Tree, node: int, part: Tree) -> Tree:
    """Return the tree with another part in place of a node and all below it."""
    both = joined(tree, [part])
    nodes = both.nodes.copy()
    begin = tree.n_nodes
    parent = int(tree.nodes["parent"][node])
    if parent < 0:
        return laid_out(both, nodes, begin)
    side = "left" if tree.nodes["left"][parent] == node else "right"
    nodes[side][parent] = begin
    return laid_out(both, nodes)


def joined(tree: Tree, parts: list[Tree]) -> Tree:
    """Return the nodes of a tree and of parts, one after another; no tree until they are laid out."""
    trees = [tree, *parts]
    sizes = np.cumsum([0, *(one.n_nodes for one in trees)])
    starts = np.cumsum([0, *(len(one.category_codes) for one in trees)])
    nodes = np.concatenate([one.nodes for one in trees])
    for begin, stop in pairwise(sizes[1:].tolist()):
        for name in ("left", "right", "parent"):
            own = nodes[name][begin:stop]
            nodes[name][begin:stop] = np.where(own >= 0, own + begin, own)
    begins = np.concatenate([
        *(one.category_begin[:-1] + start for one, start in zip(trees, starts[:-1], strict=True)), starts[-1:]
    ])  # fmt: skip
    codes = np.concatenate([one.category_codes for one in trees])
    return with_nodes(tree, nodes, begins.astype(np.int32), codes)


def without_empty_sides(part: Tree) -> Tree:
    """Return a part in which no split has a side without rows: the other side stands in its place."""
    nodes = part.nodes.copy()
    rows, stands_for = nodes["count"], np.arange(part.n_nodes)
    for node in np.flatnonzero(~part.is_leaf)[::-1]:  # children stand after their parent
        left, right = int(nodes["left"][node]), int(nodes["right"][node])
        nodes["left"][node], nodes["right"][node] = stands_for[left], stands_for[right]
        if node and not (rows[left] and rows[right]):
            stands_for[node] = stands_for[left if rows[left] else right]
    return laid_out(part, nodes)


def _breadth_first(nodes: Nodes, top: int) -> NDArray[np.int64]:
    levels = [np.array([top], np.int64)]
    while len(levels[-1]):
        splits = levels[-1][nodes["left"][levels[-1]] >= 0]
        pairs = np.column_stack([nodes["left"][splits], nodes["right"][splits]])
        levels.append(pairs.reshape(-1).astype(np.int64))
    return np.concatenate(levels)


def _stretches(nodes: Nodes) -> list[tuple[int, int]]:
    """Return where each level below the root begins and ends."""
    found: list[tuple[int, int]] = []
    first = stop = 1
    above = slice(0, 1)
    while True:
        stop = first + 2 * int((nodes["left"][above] >= 0).sum())
        if stop == first:
            return found
        found.append((first, stop))
        above, first = slice(first, stop), stop


def _categories(
    tree: Tree, order: NDArray[np.int64], is_split: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    sizes = np.where(is_split, np.diff(tree.category_begin)[order], 0)
    begins = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(tree.category_begin[order] - begins[:-1], sizes) + np.arange(begins[-1])
    return begins.astype(np.int32), tree.category_codes[places]
