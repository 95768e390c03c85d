"""How the raw prediction of one row grows, round by round, and the leaf it reaches in every tree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree

MOST_NODES = 100_000  # that are laid out at once for walking


@dataclass(frozen=True, eq=False)
class RowGrowth:
    """One row and every round; K raw predictions a row, at most P trees side by side for each.

    Attributes
    ----------
    trees : tuple of Tree
        As in the ensemble: by round, class, place.
    lines : ndarray of int64, shape (rounds + 1,)
        Which of the trees of a class each round begins with, and how many there are.
    leaves : ndarray of int32, shape (rounds, K, P)
        Node in which the row ends; -1 where the round has fewer trees.
    added : ndarray of float32, shape (rounds, K, P)
        What these leaves add in their round, η·w*; where trees are averaged, its share of that.
        Of a linear model the leaf moves the intercept alone.
    before : ndarray of float32, shape (rounds, K)
        What the leaves of each round are added to: `raw` before it, but where DART made earlier rounds count
        less with it, or trees are averaged.
    raw : ndarray of float32, shape (rounds + 1, K)
        Before the first round (base and the row's offset) and after each, added as the model does.
    predictions : ndarray of float32, shape (rounds + 1, 1 or K)
        After the link.
    link : str
        How a prediction follows from ŷ, "" where it is ŷ itself.
    """

    trees: tuple[Tree, ...]
    lines: NDArray[np.int64]
    leaves: NDArray[np.int32]
    added: NDArray[np.float32]
    before: NDArray[np.float32]
    raw: NDArray[np.float32]
    predictions: NDArray[np.float32]
    link: str = ""

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return len(self.leaves)

    @property
    def is_weighed(self) -> bool:
        """Whether rounds came to count less than in their own round (DART)."""
        return not np.array_equal(self.before, self.raw[:-1])

    def tree(self, number: int, class_index: int, place: int) -> Tree:
        """Return a tree of round `number` (from 1)."""
        begin, end = self.lines[number - 1 : number + 1].tolist()
        return self.trees[begin * self.leaves.shape[1] + class_index * (end - begin) + place]

    def leaves_of(self, number: int, class_index: int) -> list[int]:
        """Return the nodes in which the row ends in round `number`, from 1, for a class."""
        n_trees = int(self.lines[number] - self.lines[number - 1])
        return self.leaves[number - 1, class_index, :n_trees].tolist()

    def place_of(self, line: int) -> tuple[int, int]:
        """Return the round, from 1, and the place in it of one of the trees of a class."""
        number = int(self.lines.searchsorted(line, "right"))
        return number, line - int(self.lines[number - 1])

    def leaf_weights(self, number: int, class_index: int) -> NDArray[np.float64]:
        """Return w* of the leaves of round `number` for a class, shape (P,); NaN where it is unknown."""
        leaves = self.leaves_of(number, class_index)
        trees = [self.tree(number, class_index, place) for place in range(len(leaves))]
        pairs = zip(trees, leaves, strict=True)
        weights = [tree.nodes["weight"][leaf] if tree.knows_sums else np.nan for tree, leaf in pairs]
        return np.array(weights, np.float64)


def row_growth(
    ensemble: Ensemble,
    row: NDArray[np.float32],
    offset: float = 0.0,
    known: RowGrowth | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> RowGrowth:
    """Walk one row, shape (d,), down every tree; on one thread. Brings numba: call it on a worker thread.

    Parameters
    ----------
    offset : float
        The row's own part of its raw prediction.
    known : RowGrowth, optional
        Of the same row; the trees that it begins with are not walked again.

    Raises
    ------
    Cancelled
    """
    done = 0 if known is None or not _begins_with(ensemble.trees, known.trees) else len(known.trees)
    fresh = ensemble.trees[done:]
    leaves = _leaves_of(fresh, row, cancelled)
    values = _values_of(fresh, leaves)
    if known is not None and done:
        is_tree = known.leaves >= 0
        before = known.added[is_tree]
        before = _values_of(known.trees, known.leaves[is_tree]) if ensemble.averages else before
        leaves, values = np.concatenate([known.leaves[is_tree], leaves]), np.concatenate([before, values])
    lines = ensemble.round_begins // ensemble.n_classes
    leaves = _by_place(lines, ensemble.n_classes, leaves, -1)
    added = _by_place(lines, ensemble.n_classes, values.astype(ensemble.base_margin.dtype), 0)
    base = ensemble.base_margin + np.float32(offset)
    if ensemble.averages:
        added, before, raw = _averaged(base, added)
    else:
        before, raw = _summed(ensemble, base, added)
    if ensemble.is_linear:
        raw = _weighed(ensemble, raw, row)
        before = raw[:-1]
    return RowGrowth(ensemble.trees, lines, leaves, added, before, raw, *_linked(ensemble, raw))


def _by_place(
    lines: NDArray[np.int64], n_classes: int, of_trees: NDArray[Any], nothing: int
) -> NDArray[Any]:
    """Return what each tree has, shape (rounds, K, P), and `nothing` where there is none."""
    sizes = np.diff(lines)
    is_tree = np.arange(sizes.max(initial=1)) < sizes[:, None]
    found = np.full((len(sizes), n_classes, is_tree.shape[1]), nothing, of_trees.dtype)
    found[np.broadcast_to(is_tree[:, None, :], found.shape)] = of_trees
    return found


def _weighed(
    ensemble: Ensemble, raw: NDArray[np.float32], row: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the sums with what the columns of a linear model weigh after each round."""
    from workbench.ensembles.prediction import add_linear

    raw = raw.copy()
    for number, part in enumerate(ensemble.linear, start=1):
        after = raw[number][:, None].copy()
        add_linear(part, row[None, :], after)
        raw[number] = after[:, 0]
    return raw


def _begins_with(trees: Sequence[Tree], others: Sequence[Tree]) -> bool:
    return trees[: len(others)] == others


def _values_of(trees: Sequence[Tree], leaves: NDArray[np.int32]) -> NDArray[np.floating[Any]]:
    return np.array([tree.nodes["leaf_value"][leaf] for tree, leaf in zip(trees, leaves, strict=True)])


def _leaves_of(
    trees: Sequence[Tree], row: NDArray[np.float32], cancelled: Callable[[], bool] | None
) -> NDArray[np.int32]:
    from workbench.ensembles.prediction import leaf_indices

    parts = [np.empty(0, np.int32)]
    for some in _in_stretches(trees):
        leave_if(cancelled)
        parts.append(leaf_indices(some, row[None, :])[0])
    return np.concatenate(parts)


def _in_stretches(trees: Sequence[Tree]) -> list[Sequence[Tree]]:
    """Cut trees into stretches of about MOST_NODES nodes."""
    stretch_of = [nodes // MOST_NODES for nodes in accumulate(tree.n_nodes for tree in trees)]
    cuts = [0, *(np.flatnonzero(np.diff(stretch_of)) + 1).tolist(), len(trees)]
    return [trees[begin:end] for begin, end in pairwise(cuts) if begin < end]


def _summed(
    ensemble: Ensemble, base: NDArray[np.float32], added: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Add leaf after leaf in their precision; return `RowGrowth.before` and `raw`.

    Up to the next round in which DART changed what the earlier ones count, sums go on from round to round.
    """
    raw = np.empty((len(added) + 1, added.shape[1]), added.dtype)
    raw[0] = base
    before = np.empty_like(raw[1:])
    weights, dropouts = np.ones(len(added), np.float32), {d.round: d for d in ensemble.dropouts}
    for number, stop in pairwise(sorted({1, *dropouts, len(added) + 1})):
        if number in dropouts:
            weights[dropouts[number].dropped - 1] *= dropouts[number].factor
        sums = _cumulated(base, added[: stop - 1] * weights[: stop - 1, None, None])
        raw[number:stop] = sums[number:]
        before[number - 1 : stop - 1] = sums[number - 1 : -1]
    return before, raw


def _averaged(
    base: NDArray[np.float32], values: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return `RowGrowth.added`, `before` and `raw` where round t moves the mean by its share, 1/t."""
    counts = np.arange(1, len(values) + 1, dtype=values.dtype)[:, None]
    sums = values[:, :, 0].cumsum(axis=0, dtype=values.dtype)
    raw = np.concatenate([base[None, :], base + sums / counts])
    before = base + (sums - values[:, :, 0]) / counts
    return values / counts[:, :, None], before, raw


def _cumulated(base: NDArray[np.float32], added: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums before the first round and after each, shape (rounds + 1, K)."""
    _, k, beside = added.shape
    steps = added.transpose(1, 0, 2).reshape(k, -1)
    sums = np.cumsum(np.concatenate([base[:, None], steps], axis=1), axis=1, dtype=base.dtype)
    return sums[:, ::beside].T


def _linked(ensemble: Ensemble, raw: NDArray[np.float32]) -> tuple[NDArray[np.float32], str]:
    from workbench.objectives.base import OBJECTIVES

    objective = OBJECTIVES.get(ensemble.objective)
    predictions = objective.transform(raw if ensemble.n_classes > 1 else raw[:, 0])
    return np.asarray(predictions).reshape(len(raw), -1), objective.link
