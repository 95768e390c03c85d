"""Which columns, and which cuts, each node of a forest's tree drew: replayed, node by node as it grew.

Columns are a permutation that every searched node goes on shuffling; it looks at the first m, and at more
while none of them has two values. Extra trees draw one cut a column, between its lowest and highest value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.kernels.random_numbers import stream_start, units
from workbench.trees.by_node.growing import DRAWN_COLUMNS, DRAWN_CUTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.trees.tree import Tree


class ColumnDrawing(NamedTuple):
    """What a tree drew by.

    Attributes
    ----------
    n_drawn : int
        m.
    seed, number : int
        Of the run, and of the round.
    min_leaf_rows, max_depth : int
        What lets a node be searched; 0 is no limit of the depth.
    allowed : ndarray of int64
        Columns that may be asked about.
    """

    n_drawn: int
    seed: int
    number: int
    min_leaf_rows: int
    max_depth: int
    allowed: NDArray[np.int64]

    def cut_number(self, node: int, column: int) -> float:
        """Return where between the lowest and the highest value of a column a node draws its cut, 0 to 1."""
        return float(units(self._stream(node, DRAWN_CUTS) + column, 1)[0])

    def order_numbers(self, node: int) -> NDArray[np.float64]:
        """Return what a node shuffles its columns by."""
        return units(self._stream(node, DRAWN_COLUMNS), len(self.allowed))

    def _stream(self, node: int, kind: int) -> int:
        return int(stream_start(int(stream_start(self.seed, self.number, 0)), node, kind))


class ColumnDraws:
    """The columns that the nodes of a tree looked at, found as far as somebody asks.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    leaves : ndarray of int32, shape (n,)
        The leaf of each row that grew it.
    varies : callable
        Of a column and some of these rows whether it has two values there; a missing one counts.
    is_mixed : callable
        Of some of these rows, whether their targets differ.
    """

    def __init__(
        self,
        tree: Tree,
        leaves: NDArray[np.int32],
        drawing: ColumnDrawing,
        varies: Callable[[int, NDArray[np.int64]], bool],
        is_mixed: Callable[[NDArray[np.int64]], bool],
    ) -> None:
        self._tree, self._drawing = tree, drawing
        self._varies, self._is_mixed = varies, is_mixed
        self._ends = _ends(tree)
        self._rows = np.argsort(self._ends[leaves], kind="stable")
        self._order = drawing.allowed.copy()
        self._looked_at: list[NDArray[np.int64]] = []

    def of(self, node: int) -> NDArray[np.int64]:
        """Return the columns that a node looked at, ascending; none where it was not searched."""
        while len(self._looked_at) <= node:
            self._looked_at.append(self._look(len(self._looked_at)))
        return self._looked_at[node]

    def _look(self, node: int) -> NDArray[np.int64]:
        rows, order, drawing = self._rows_of(node), self._order, self._drawing
        if not self._is_searched(node, rows):
            return np.empty(0, np.int64)
        numbers, has_varied, place = drawing.order_numbers(node), False, 0
        while place < len(order) and not (place >= drawing.n_drawn and has_varied):
            other = place + int(numbers[place] * (len(order) - place))
            order[place], order[other] = order[other], order[place]
            has_varied = has_varied or self._varies(int(order[place]), rows)
            place += 1
        return np.sort(order[:place])

    def _is_searched(self, node: int, rows: NDArray[np.int64]) -> bool:
        if not self._tree.is_leaf[node]:
            return True
        drawing, depth = self._drawing, int(self._tree.nodes["depth"][node])
        is_deepest = drawing.max_depth > 0 and depth == drawing.max_depth
        return len(rows) >= 2 * drawing.min_leaf_rows and not is_deepest and self._is_mixed(rows)

    def _rows_of(self, node: int) -> NDArray[np.int64]:
        end = int(self._ends[node])
        return self._rows[end - int(self._tree.nodes["count"][node]) : end]


def _ends(tree: Tree) -> NDArray[np.int64]:
    """Return where the rows of each node end once they stand leaf by leaf, from left to right."""
    counts, left = tree.nodes["count"], tree.nodes["left"]
    ends = np.zeros(tree.n_nodes, np.int64)
    ends[0] = counts[0]
    for node in np.flatnonzero(left >= 0).tolist():  # children stand behind their parents
        ends[left[node] + 1] = ends[node]
        ends[left[node]] = ends[node] - counts[left[node] + 1]
    return ends
