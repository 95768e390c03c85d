"""Trees that are laid out for walking once, though what they count changes from round to round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.flat_trees import COLUMN, flatten
from workbench.ensembles.packed_trees import N_WORDS, VALUE, pack
from workbench.ensembles.prediction import LEAST_ROWS_A_THREAD, add_trees, rows_of
from workbench.threads.parallel import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.flat_trees import FlatTrees
    from workbench.ensembles.packed_trees import PackedTrees
    from workbench.trees.tree import Tree

TREES_TOGETHER = 32  # are laid out as one


class _TreesTogether:
    """Some trees as they lie, and where their leaves are."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._flat = flatten(trees)
        self._packed = pack(trees, self._flat)
        self._leaves = np.flatnonzero(self._flat.questions[:, COLUMN] < 0)
        self._values = self._flat.values[self._leaves]
        self._trees = np.searchsorted(self._flat.roots, self._leaves, side="right") - 1

    def weighed(self, weights: NDArray[np.float32]) -> tuple[FlatTrees, PackedTrees]:
        """Return the trees with leaves that hold what they count; valid until the next call."""
        values = self._values * weights[self._trees]
        self._flat.values[self._leaves] = values
        self._packed.values[int(N_WORDS) * self._leaves + int(VALUE)] = values
        return self._flat, self._packed


class WeighedTrees:
    """Trees to which more are added, and whose leaves are added up under any weights."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        self._trees = list(trees)
        self._whole: list[_TreesTogether] = []

    def __iter__(self) -> Iterator[Tree]:
        return iter(self._trees)

    def __len__(self) -> int:
        return len(self._trees)

    def append(self, trees: Iterable[Tree]) -> None:
        """Add trees at the end."""
        self._trees += trees

    def add_to(
        self,
        raw: NDArray[np.float32],
        features: NDArray[np.float32],
        weights: NDArray[np.float32],
        parts: int,
    ) -> None:
        """Add all leaves, as they count, to raw predictions, as `raw_predictions` does.

        Parameters
        ----------
        raw : ndarray of float32, shape (K, n)
        features : ndarray of float32, shape (n, d)
        weights : ndarray of float32, shape (n_trees,)
            Where one is 0, nothing changes.
        parts : int
            Threads.
        """
        rows = rows_of(features)
        for number, first in enumerate(range(0, len(self._trees), TREES_TOGETHER)):
            flat, packed = self._together(number).weighed(weights[first : first + TREES_TOGETHER])
            in_parts(parts, len(features), LEAST_ROWS_A_THREAD, add_trees, rows, flat, packed, raw)

    def _together(self, number: int) -> _TreesTogether:
        if number < len(self._whole):
            return self._whole[number]
        made = _TreesTogether(self._trees[number * TREES_TOGETHER : (number + 1) * TREES_TOGETHER])
        if (number + 1) * TREES_TOGETHER <= len(self._trees):
            self._whole.append(made)
        return made
