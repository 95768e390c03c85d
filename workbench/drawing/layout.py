"""Where the nodes of a tree stand when it is drawn, and which of them a window shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Set

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree

ALL_LEVELS = 1 << 30
FINE = 4096.0  # parts of a pixel to which places are rounded where they are painted by kernels
FEW_NODES = 500  # placed by the kernel's own Python, without loading machine code
CROWD = 128  # nodes from which a level may be crowded
FEW_LEVELS = 64  # searched one by one; more of them all at once


class Gaps(NamedTuple):
    """Least distances across of two leaves, of a leaf and a split, of two splits, in leaves' places."""

    leaves: float = 1.0
    mixed: float = 1.5
    splits: float = 2.0


BOXES, EVEN = Gaps(), Gaps(1.0, 1.0, 1.0)


class Ends:
    """Where nodes, or their edges, begin and end across: ascending within each level."""

    def __init__(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> None:
        self.low, self.high = low, high
        self.most_low, self.least_high = float(low.max()), float(high.min())


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions by node, in units of one leaf's place (x) and one level (y).

    Attributes
    ----------
    x : ndarray of float64, shape (n_nodes,)
        0 at the root, so that the root of the next tree stands where this one's does. Within a level
        x rises with the node's number. Nodes that are not shown have no meaning here.
    y : ndarray of float64, shape (n_nodes,)
        Depth.
    room : ndarray of float64, shape (n_nodes,)
        Free distance to the nearest node of the level; in cells their width.
    parent : ndarray of int64, shape (n_nodes,)
        The root is its own parent.
    shown : ndarray of int64, shape (n_shown,)
        The nodes that are drawn, ascending: all but those below a folded one.
    begin : ndarray of int64, shape (n_levels + 1,)
        `shown[begin[d]:begin[d + 1]]` are the nodes of level d, from left to right.
    folded : ndarray of bool, shape (n_nodes,)
        The shown splits below which nothing is drawn.
    is_cells : bool
        Whether nodes are cells side by side instead of boxes with edges.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    room: NDArray[np.float64]
    parent: NDArray[np.int64]
    shown: NDArray[np.int64]
    begin: NDArray[np.int64]
    folded: NDArray[np.bool_]
    is_cells: bool = False

    @cached_property
    def left(self) -> float:
        """Place of the leftmost node, 0 or less; of its edge in cells."""
        return float((self.x - self._reach)[self.shown].min())

    @cached_property
    def right(self) -> float:
        """Place of the rightmost node, 0 or more; of its edge in cells."""
        return float((self.x + self._reach)[self.shown].max())

    @property
    def depth(self) -> int:
        """Depth of the deepest node that is shown."""
        return len(self.begin) - 2

    @cached_property
    def spacing(self) -> NDArray[np.float64]:
        """Distance across from node to node of each level, on the average; infinite where they are few."""
        counts, first, last = np.diff(self.begin), self.shown[self.begin[:-1]], self.shown[self.begin[1:] - 1]
        return np.where(counts >= CROWD, (self.x[last] - self.x[first]) / counts, np.inf)

    @property
    def _reach(self) -> NDArray[np.float64] | float:
        return self.room / 2 if self.is_cells else 0.0

    def level(self, depth: int) -> NDArray[np.int64]:
        """Return the nodes of a level, from left to right."""
        return self.shown[self.begin[depth] : self.begin[depth + 1]]

    def nodes_within(self, left: float, right: float, top: int, bottom: int) -> NDArray[np.int64]:
        """Return the shown nodes of the levels from `top` to `bottom` that stand from `left` to `right`."""
        return self._within(self._node_ends, left, right, top, bottom)

    def edges_within(self, left: float, right: float, top: int, bottom: int) -> NDArray[np.int64]:
        """Return the nodes below the root of these levels whose edge comes between `left` and `right`."""
        return self._within(self._edge_ends, left, right, max(top, 1), bottom)

    @cached_property
    def _node_ends(self) -> Ends:
        return Ends((self.x - self._reach)[self.shown], (self.x + self._reach)[self.shown])

    @cached_property
    def _edge_ends(self) -> Ends:
        x, upper = self.x[self.shown], self.x[self.parent[self.shown]]
        return Ends(np.minimum(x, upper), np.maximum(x, upper))

    def _within(self, ends: Ends, left: float, right: float, top: int, bottom: int) -> NDArray[np.int64]:
        """Nodes whose low end is at most `right` and whose high end at least `left`; both rise by level."""
        top, bottom = max(top, 0), min(bottom, self.depth)
        if bottom < top:
            return self.shown[:0]
        if left <= ends.least_high and ends.most_low <= right:
            return self.shown[self.begin[top] : self.begin[bottom + 1]]
        low, high = ends.low, ends.high
        if bottom - top >= FEW_LEVELS:
            some = slice(self.begin[top], self.begin[bottom + 1])
            return self.shown[some][(high[some] >= left) & (low[some] <= right)]
        parts = []
        for depth in range(top, bottom + 1):
            first, end = self.begin[depth], self.begin[depth + 1]
            parts.append(self.shown[first + np.searchsorted(high[first:end], left) :
                                    first + np.searchsorted(low[first:end], right, "right")])
        return np.concatenate(parts)


def lay_out(
    tree: Tree, *, folded: Set[int] = frozenset(), depth: int = ALL_LEVELS, gaps: Gaps = BOXES,
    cells: bool = False,
) -> Layout:
    """Place the nodes of a tree; O(n_nodes). Large ones in a job.

    Parameters
    ----------
    folded : set of int
        Splits below which nothing is drawn.
    depth : int
        Deepest level that is drawn.
    gaps : Gaps
    cells : bool
        As an icicle: cells as wide as their share of the rows, all together as wide as there are leaves.
    """
    levels: NDArray[np.int64] = tree.nodes["depth"].astype(np.int64)
    parent: NDArray[np.int64] = np.maximum(tree.nodes["parent"], 0).astype(np.int64)
    left: NDArray[np.int32] = tree.nodes["left"].copy()
    is_split = ~tree.is_leaf
    left[levels >= depth] = -1
    left[np.fromiter((node for node in folded if node < len(left)), np.int64)] = -1
    drawn = np.zeros(len(left), np.bool_)
    _run("mark_drawn", left, drawn)
    shown = np.flatnonzero(drawn)
    begin = np.searchsorted(levels[shown], np.arange(levels[shown[-1]] + 2))
    x, room = np.zeros(len(left)), np.zeros(len(left))
    if cells:
        room[0] = float(np.count_nonzero(left[shown] < 0))
        _run("cell_places", left, _rows(tree), x, room)
    else:
        _run("tidy_places", left, is_split, *gaps, x)
        room[shown] = _distances(x[shown], begin)
    folds: NDArray[np.bool_] = drawn & is_split & (left < 0)
    return Layout(x, levels.astype(np.float64), room, parent, shown, begin, folds, cells)


def _rows(tree: Tree) -> NDArray[np.float64]:
    """Rows by node, hessians where a file counts none."""
    measure = tree.nodes["count" if tree.nodes["count"][0] > 0 else "sum_hessian"].astype(np.float64)
    return np.maximum(np.nan_to_num(measure), 0.0)


def _distances(x: NDArray[np.float64], begin: NDArray[np.int64]) -> NDArray[np.float64]:
    """Distance of each node to the nearer of its neighbours, given level by level."""
    before = np.full(len(x), np.inf)
    before[1:] = np.diff(x)
    before[begin[:-1]] = np.inf
    after = np.append(before[1:], np.inf)
    return np.minimum(before, after)


def _run(name: str, *arguments: Any) -> None:
    from workbench.drawing import tidy_layout

    kernel = getattr(tidy_layout, name)
    (kernel.plain if len(arguments[0]) <= FEW_NODES else kernel)(*arguments)
