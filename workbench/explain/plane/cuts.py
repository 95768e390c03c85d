"""Where the splits of a tree cut the plane of two columns, each within the region of its node."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

Box = tuple[float, float, float, float]  # left, right, low, high


class Cut(NamedTuple):
    """A line of the plane, of a node at a depth: `upright` at x, else level at y, from one end to another."""

    node: int
    depth: int
    upright: bool
    at: float
    begin: float
    end: float


def cuts_of(tree: Tree, x: int, y: int, box: Box, row: NDArray[np.float32] | None) -> list[Cut]:
    """Return the cuts of a tree within a box.

    A split on another column goes the way of `row`; without one both ways are followed, each with all of the
    region.
    """
    nodes = tree.nodes
    found, waiting = list[Cut](), [(0, box)]
    while waiting:
        node, (left, right, low, high) = waiting.pop()
        column, yes = int(nodes["feature"][node]), int(nodes["left"][node])
        if column < 0 or not (left < right and low < high):
            continue
        at, depth = float(nodes["threshold"][node]), int(nodes["depth"][node])
        if column == x and np.isfinite(at):
            if left < at < right:
                found.append(Cut(node, depth, True, at, low, high))
            parts = [(left, min(at, right), low, high), (max(at, left), right, low, high)]
        elif column == y and np.isfinite(at):
            if low < at < high:
                found.append(Cut(node, depth, False, at, left, right))
            parts = [(left, right, low, min(at, high)), (left, right, max(at, low), high)]
        else:
            parts = [(left, right, low, high)] * 2
            if row is not None:
                waiting.append((_way(tree, node, row), parts[0]))
                continue
        waiting += [(yes, parts[0]), (yes + 1, parts[1])]
    return sorted(found, key=lambda cut: (cut.depth, cut.node))


def _way(tree: Tree, node: int, row: NDArray[np.float32]) -> int:
    """Return the child to which a row goes from a node, whether it comes there or not."""
    nodes = tree.nodes
    yes, value = int(nodes["left"][node]), float(row[int(nodes["feature"][node])])
    if np.isnan(value):
        return yes if nodes["default_left"][node] else yes + 1
    codes = tree.categories(node)
    answer = int(value) in codes.tolist() if len(codes) else value < float(nodes["threshold"][node])
    return yes if answer else yes + 1
