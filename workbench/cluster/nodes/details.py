"""How a column is spread over the rows of a node, and the first of these rows themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.explain.spread import thinned
from workbench.explain.tree_rows import leaves_under

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.cluster.nodes.piece import Passing, PlaceThere, RowPiece, TreesThere


class SpreadThere(NamedTuple):
    """A column over the training rows of a node.

    Attributes
    ----------
    sides : tuple of three ndarray of int64, shape (2, bins)
        Rows that go left, and right, by bin of the value, of g and of h; of categories by code, those that
        are missing last.
    rugs : dict of int to ndarray of float32
        Some of the values by class, ascending; under −1 of numbers to predict.
    classes : ndarray of int64
        Rows with a value by class; none of numbers to predict.
    """

    sides: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
    rugs: dict[int, NDArray[np.float32]]
    classes: NDArray[np.int64]


@dataclass(frozen=True)
class SpreadColumn:
    """Asks how a column is spread.

    Attributes
    ----------
    place : PlaceThere
    column : int
    edges : tuple of three ndarray of float64
        Of the bins of values, g and h; none of values that are categories.
    n_codes : int
        Of these.
    """

    place: PlaceThere
    column: int
    edges: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
    n_codes: int

    def of(self, piece: RowPiece, grown: TreesThere, cancelled: Callable[[], bool]) -> SpreadThere | None:
        """Return the spread of a piece that trains."""
        if piece.is_held_out:
            return None
        passing = piece.passing(grown, self.place, cancelled)
        values = piece.features[passing.rows, self.column]
        yes, missing = goes_left(self.place, passing), np.isnan(values)
        if self.n_codes:
            codes = np.where(
                missing, self.n_codes, np.minimum(np.where(missing, 0, values), self.n_codes - 1)
            )
            of_values = np.stack(
                [
                    np.bincount(codes[part].astype(np.int64), minlength=self.n_codes + 1)
                    for part in (yes, ~yes)
                ]
            )
        else:
            of_values = _sides(values[~missing].astype(np.float64), yes[~missing], self.edges[0])
        sides = (
            of_values,
            _sides(passing.gradients, yes, self.edges[1]),
            _sides(passing.hessians, yes, self.edges[2]),
        )
        present, n_classes = values[~missing], len(piece.run.schema.class_labels)
        if not n_classes:
            return SpreadThere(sides, {-1: thinned(present)}, np.empty(0, np.int64))
        classes = piece.target[passing.rows][~missing].astype(np.int64)
        rugs = {int(k): thinned(present[classes == k]) for k in np.unique(classes)}
        return SpreadThere(sides, rugs, np.bincount(classes, minlength=n_classes))

    def together(self, parts: Sequence[SpreadThere]) -> SpreadThere:
        """Add spreads up."""
        rugs: dict[int, list[NDArray[np.float32]]] = {}
        for part in parts:
            for k, values in part.rugs.items():
                rugs.setdefault(k, []).append(values)
        values_, g, h = (np.asarray(sum(part.sides[which] for part in parts), np.int64) for which in range(3))
        return SpreadThere(
            (values_, g, h),
            {k: thinned(np.concatenate(some)) for k, some in rugs.items()},
            np.asarray(sum(part.classes for part in parts), np.int64),
        )


def goes_left(place: PlaceThere, passing: Passing) -> NDArray[np.bool_]:
    """Return which rows of a node go left; none in a leaf."""
    if place.tree.is_leaf[place.node]:
        return np.zeros(len(passing.rows), np.bool_)
    below = leaves_under(place.tree, int(place.tree.nodes["left"][place.node]))
    return np.asarray(below[passing.leaves])


def _sides(
    values: NDArray[np.float64], yes: NDArray[np.bool_], edges: NDArray[np.float64]
) -> NDArray[np.int64]:
    return np.stack([np.histogram(values[part], edges)[0] for part in (yes, ~yes)])


class ListedThere(NamedTuple):
    """Some rows of a node, those that train first; every array has one entry a row.

    Attributes
    ----------
    features : ndarray of float32, shape (n, d)
    target, weight : ndarray of float64
        `weight` is NaN where all are 1.
    is_held_out : ndarray of bool
    raw, added : ndarray of float32
        Before the round, and what the leaf adds.
    gradients, hessians : ndarray of float64
    """

    features: NDArray[np.float32]
    target: NDArray[np.float64]
    weight: NDArray[np.float64]
    is_held_out: NDArray[np.bool_]
    raw: NDArray[np.float32]
    added: NDArray[np.float32]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]


@dataclass(frozen=True)
class FirstRowsOfNode:
    """Asks for at most so many rows of a node that train, and of those held out."""

    place: PlaceThere
    most_train: int
    most_valid: int

    def of(self, piece: RowPiece, grown: TreesThere, cancelled: Callable[[], bool]) -> ListedThere:
        """Return the first ones of a piece."""
        passing = piece.passing(grown, self.place, cancelled)
        some = slice(self.most_valid if piece.is_held_out else self.most_train)
        rows, tree = passing.rows[some], self.place.tree
        raw = piece.raw(grown, self.place.before, cancelled)
        weight = np.full(len(rows), np.nan) if piece.weight is None else piece.weight[rows]
        return ListedThere(
            piece.features[rows],
            piece.target[rows],
            weight,
            np.full(len(rows), piece.is_held_out),
            raw[tree.class_index, rows],
            tree.nodes["leaf_value"][passing.leaves[some]].astype(np.float32),
            passing.gradients[some],
            passing.hessians[some],
        )

    def together(self, parts: Sequence[ListedThere]) -> ListedThere:
        """Return the first rows of all."""
        every = ListedThere(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))
        train = np.flatnonzero(~every.is_held_out)[: self.most_train]
        valid = np.flatnonzero(every.is_held_out)[: self.most_valid]
        kept = np.concatenate([train, valid])
        return ListedThere(*(field[kept] for field in every))
