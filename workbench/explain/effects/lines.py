"""The raw predictions of rows with one or two of their columns put at every place of a grid, in one walk.

Every question about such a column parts the places of a grid into those that answer "yes" and those that
answer "no". So a row goes down a tree once, with the places that are still on the way, and goes both ways
only where both have places. Questions of the first column part its own places and leave those of the second
as they are, and the other way round: what comes to a leaf is a rectangle of the grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.flat_trees import (
    CODES_BEGIN,
    CODES_END,
    COLUMN,
    DEFAULT_LEFT,
    LEFT,
    FlatTrees,
    flatten,
)
from workbench.ensembles.prediction import next_node, rows_of
from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble


class GridAnswers(NamedTuple):
    """What the places of a column's grid answer to its questions.

    Attributes
    ----------
    of_node : ndarray of int32, shape (n_nodes,)
        Line of `yes`; −1 of a node that does not ask the column.
    yes : ndarray of uint8, shape (n_questions, n_places)
        0 or 1: kernels take many of them at once.
    """

    of_node: NDArray[np.int32]
    yes: NDArray[np.uint8]


def answers_of(trees: FlatTrees, column: int, places: NDArray[np.float32]) -> GridAnswers:
    """Return what values of a column, NaN for missing, answer to each of its questions."""
    asked = np.flatnonzero(trees.questions[:, COLUMN] == column)
    questions = trees.questions[asked]
    of_node = np.full(len(trees.questions), -1, np.int32)
    of_node[asked] = np.arange(len(asked))
    yes = places[None, :] < trees.thresholds[asked][:, None]
    for line in np.flatnonzero(questions[:, CODES_BEGIN] != questions[:, CODES_END]):
        yes[line] = np.isin(places, trees.codes[questions[line, CODES_BEGIN] : questions[line, CODES_END]])
    yes[:, np.isnan(places)] = questions[:, DEFAULT_LEFT, None] != 0
    return GridAnswers(of_node, yes.astype(np.uint8))


def _no_answers(trees: FlatTrees) -> GridAnswers:
    """Return the answers of a grid of one place that nobody asks about."""
    return GridAnswers(np.full(len(trees.questions), -1, np.int32), np.empty((0, 1), np.uint8))


class RawLines:
    """Knows what the places of one or two columns answer; asked for the lines of any rows, on any thread.

    Parameters
    ----------
    ensemble : Ensemble
        Of trees.
    columns : sequence of int
        One or two.
    places : sequence of ndarray of float32
        Values of each of them.
    """

    def __init__(
        self, ensemble: Ensemble, columns: Sequence[int], places: Sequence[NDArray[np.float32]]
    ) -> None:
        self._trees = flatten(ensemble.trees, ensemble.tree_weights, ensemble.base_margin.dtype)
        self._base = ensemble.base_margin.astype(np.float64)
        answers = [answers_of(self._trees, *pair) for pair in zip(columns, places, strict=True)]
        self._answers = answers if len(answers) > 1 else [*answers, _no_answers(self._trees)]
        self._size = int(np.prod([len(p) for p in places]))
        self._deepest = max((tree.depth for tree in ensemble.trees), default=0)

    def of(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return raw predictions, shape (K, n, places), those of the second column running fastest."""
        raw = np.empty((len(self._base), len(features), self._size))
        raw[:] = self._base[:, None, None]
        if features.size:
            one, two = self._answers
            add_lines(rows_of(features), self._trees, one, two, np.int64(self._deepest + 2), raw)
        return raw


@kernel(allocates=True)
def add_lines(rows, trees, one, two, slots, raw):
    """Add what every tree says of each row at each place of the grid.

    Parameters
    ----------
    rows : RowsInMemory
    trees : FlatTrees
    one, two : GridAnswers
    slots : int64
        Ways that may wait: the depth of the deepest tree and two more.
    raw : ndarray of float64, shape (K, n, places of one · places of two)
    """
    n_one, n_two = one.yes.shape[1], two.yes.shape[1]
    nodes, parted = np.empty(slots, np.int64), np.empty(slots, np.bool_)
    a, b = np.empty((slots, n_one), np.uint8), np.empty((slots, n_two), np.uint8)
    whole = np.empty(raw.shape[0])
    for i in range(raw.shape[1]):
        whole[:] = 0.0
        for t in range(len(trees.classes)):
            k = trees.classes[t]
            nodes[0], parted[0], top = trees.roots[t], False, 0
            for p in range(n_one):
                a[0, p] = 1
            for q in range(n_two):
                b[0, q] = 1
            while top >= 0:
                node = nodes[top]
                while trees.questions[node, COLUMN] >= 0:
                    left = np.int64(trees.questions[node, LEFT])
                    line, other = one.of_node[node], two.of_node[node]
                    if line >= 0:
                        yes, no = part_ways(a, one.yes, top, line)
                    elif other >= 0:
                        yes, no = part_ways(b, two.yes, top, other)
                    else:
                        at = rows.row_stride * i + rows.column_stride * trees.questions[node, COLUMN]
                        x = rows.numbers[at]
                        node = next_node(x, trees.questions, trees.thresholds, trees.codes, node)
                        continue
                    node = left if yes else left + 1
                    if yes and no:  # the slot above takes those that answer yes; this one keeps the others
                        for p in range(n_one):
                            a[top + 1, p] = a[top, p]
                        for q in range(n_two):
                            b[top + 1, q] = b[top, q]
                        if line >= 0:
                            keep_answers(a, one.yes, top, line)
                        else:
                            keep_answers(b, two.yes, top, other)
                        nodes[top], parted[top] = left + 1, True
                        top += 1
                        parted[top] = True
                value = trees.values[node]
                if not parted[top]:
                    whole[k] += value
                elif n_two == 1:
                    for p in range(n_one):
                        raw[k, i, p] += value * a[top, p]
                else:
                    for p in range(n_one):
                        if a[top, p]:
                            begin = p * n_two
                            for q in range(n_two):
                                raw[k, i, begin + q] += value * b[top, q]
                top -= 1
        for k in range(raw.shape[0]):
            for p in range(raw.shape[2]):
                raw[k, i, p] += whole[k]


@kernel
def part_ways(places, yes, top, line):
    """Return whether some of the places in a slot answer "yes", and whether some answer "no"."""
    some, others = np.uint8(0), np.uint8(0)
    for p in range(places.shape[1]):
        some |= places[top, p] & yes[line, p]
        others |= places[top, p] & (yes[line, p] ^ 1)
    return some != 0, others != 0


@kernel
def keep_answers(places, yes, top, line):
    """Leave in a slot the places that answer "no"; in the one above those that answer "yes"."""
    for p in range(places.shape[1]):
        both = places[top, p] & yes[line, p]
        places[top, p] ^= both
        places[top + 1, p] = both
