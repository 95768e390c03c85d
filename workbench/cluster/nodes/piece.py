"""Rows of a run as they lie on a worker, replayed to any of its rounds; used there."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.class_weights import class_weights
from workbench.ensembles.prediction import add_to_raw, leaf_indices
from workbench.ensembles.run.objective import objective_of_run
from workbench.errors import leave_if
from workbench.explain.tree_rows import leaves_under
from workbench.objectives.base import gradients

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

AT_ONCE = 16  # trees that are added before it is asked whether to go on


@dataclass(frozen=True)
class TrainedThere:
    """What a run is, but for its trees.

    Attributes
    ----------
    schema : DataSchema
    objective : str
        Its own name, not "auto".
    params : TrainingParams
        As started.
    base : ndarray of float32, shape (K,)
        Raw predictions under the trees.
    """

    schema: DataSchema
    objective: str
    params: TrainingParams
    base: NDArray[np.float32]


class TreesThere:
    """The trees of a run that a worker knows, and what they count."""

    def __init__(self) -> None:
        self.trees: list[Tree] = []
        self.weights = np.empty(0, np.float32)

    def __len__(self) -> int:
        return len(self.trees)

    def add(self, first: int, trees: Sequence[Tree], weights: NDArray[np.floating]) -> bool:
        """Take in trees from the place `first` on; return False where some before them are missing."""
        known = len(self.trees)
        if first > known:
            return False
        self.trees += trees[known - first :]
        self.weights = np.append(self.weights, weights[known - first :].astype(np.float32))
        return True


class PlaceThere(NamedTuple):
    """A node of a tree, which so many trees were grown before: those of earlier rounds."""

    before: int
    tree: Tree
    node: int


class Passing(NamedTuple):
    """Rows of a piece that pass a node.

    Attributes
    ----------
    rows : ndarray of int64
        Their places in the piece.
    leaves : ndarray of int32
        Where each ends.
    gradients, hessians : ndarray of float64
        Of the tree's class, before its round, times the weight.
    """

    rows: NDArray[np.int64]
    leaves: NDArray[np.int32]
    gradients: NDArray[np.float64]
    hessians: NDArray[np.float64]

    def under(self, tree: Tree, node: int) -> Passing:
        """Return those of the rows that pass a node."""
        chosen = leaves_under(tree, node)[self.leaves]
        return Passing(
            self.rows[chosen], self.leaves[chosen], self.gradients[chosen], self.hessians[chosen]
        )


class RowPiece:
    """A partition's rows that train, or those held out.

    Attributes
    ----------
    features : ndarray of float32, shape (n, d)
    target : ndarray of float64, shape (n,)
    weight : ndarray of float64, shape (n,), or None
        With those of the classes.
    is_held_out : bool
    run : TrainedThere
    """

    def __init__(self, part: Mapping[str, NDArray[Any]], run: TrainedThere, *, is_held_out: bool) -> None:
        self.features, self.run, self.is_held_out = part["data"], run, is_held_out
        self.target = part["label"].astype(np.float64)
        weight = part.get("weight")
        by_class = class_weights(run.schema, run.params)
        self.weight = None if weight is None else weight.astype(np.float64)
        if by_class is not None:
            of_rows = by_class[self.target.astype(np.int64)]
            self.weight = of_rows if self.weight is None else self.weight * of_rows
        self._objective = objective_of_run(run.objective, run, run.params)
        self._raw: tuple[int, NDArray[np.float32]] | None = None
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.target)

    def raw(self, grown: TreesThere, n_trees: int, cancelled: Callable[[], bool]) -> NDArray[np.float32]:
        """Return the raw predictions by the first trees, shape (K, n); those asked for last are kept."""
        with self._lock:
            done, raw = self._raw or (n_trees + 1, None)
            if raw is None or done > n_trees:
                done, raw = 0, np.repeat(self.run.base.astype(np.float32)[:, None], len(self), axis=1)
            while done < n_trees:
                leave_if(cancelled)
                some = slice(done, min(done + AT_ONCE, n_trees))
                raw = raw.copy() if self._raw is not None and raw is self._raw[1] else raw
                add_to_raw(grown.trees[some], self.features, raw, grown.weights[some])
                done = some.stop
            self._raw = done, raw
            return raw

    def passing(self, grown: TreesThere, place: PlaceThere, cancelled: Callable[[], bool]) -> Passing:
        """Return the rows that pass a node."""
        leaves = leaf_indices((place.tree,), self.features)[:, 0]
        rows = np.flatnonzero(leaves_under(place.tree, place.node)[leaves])
        raw = self.raw(grown, place.before, cancelled)[:, rows]
        if not len(rows):
            return Passing(rows, leaves[rows], np.empty(0), np.empty(0))
        weight = None if self.weight is None else self.weight[rows]
        g, h = gradients(self._objective, self.target[rows], np.ascontiguousarray(raw.T), weight)
        k = place.tree.class_index
        return Passing(rows, leaves[rows], g.T[k].copy(), h.T[k].copy())
