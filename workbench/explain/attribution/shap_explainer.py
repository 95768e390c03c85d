"""What each column adds to a row's raw prediction: SHAP values of an ensemble.

A tree's expectation for a set S of known columns follows the row's answer where the split asks a column in S.
Elsewhere it weighs both children by their share of the node ("path-dependent"), or, against a background,
follows the answer of each background row ("interventional"). The SHAP value of a column is its mean gain in
expectation over all orders in which columns become known (Lundberg et al. 2018, Consistent Individualized
Feature Attribution for Tree Ensembles). A linear model adds β(x − mean).
"""

from __future__ import annotations

from copy import copy
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.flat_trees import COLUMN, flatten
from workbench.ensembles.prediction import check_linear, leaf_indices, rows_of
from workbench.errors import WorkbenchError, leave_if
from workbench.explain.attribution.against_background import MOST_COLUMNS, add_against, chances
from workbench.explain.attribution.interactions import add_interactions, add_partners
from workbench.explain.attribution.interactions_against import interactions_against
from workbench.explain.attribution.tree_shap import add_shap
from workbench.explain.attribution.walks import covers_of, walks_of
from workbench.memory import SHARE, free_bytes, in_megabytes
from workbench.threads.parallel import in_parts, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.attribution.walks import TreeWalks, Weighing

LEAST_ROWS_A_THREAD = 50
CHUNK_ROWS = 4096  # between two looks whether to stop
BLOCK_BYTES = 400_000  # of what a block of rows works on, so that it stays in the cache
BLOCKS = (64, 32, 16, 8)
MOST_BACKGROUND = 100_000
ONE_OF_ALL = "A round of a linear model takes the place of the one before; it adds none."


class ShapExplainer:
    """Explains the rows of one ensemble.

    Attributes
    ----------
    base : ndarray of float64, shape (K,)
        Mean raw prediction by the shares of the nodes, or over the background; with a row's contributions
        its raw prediction.

    Parameters
    ----------
    by : {"hessian", "rows"}, optional
        What the nodes weigh; by default H, and rows where H is unknown.
    background : ndarray of float32, shape (m, d), optional
        Rows whose values stand for those that are not known, in place of what nodes weigh.

    Raises
    ------
    WorkbenchError
        Where what nodes weigh is not known, or paths ask for too many columns against a background.
    """

    def __init__(
        self, ensemble: Ensemble, by: Weighing | None = None, background: NDArray[np.float32] | None = None
    ) -> None:
        self._ensemble = ensemble
        self._flat = flatten(ensemble.trees, ensemble.tree_weights, np.float64)
        self._background = background
        if background is None:
            self._covers = covers_of(ensemble.trees, by)
        else:
            self._covers = np.ones(len(self._flat.values))
        self._classes = np.array([tree.class_index for tree in ensemble.trees], np.int64)
        self._walks = walks_of(self._flat, self._covers, self._classes)
        self._linear = np.zeros((ensemble.n_classes, ensemble.n_features))
        if background is None:
            self.base = ensemble.base_margin.astype(np.float64)
            np.add.at(self.base, self._leaf_slots(self._walks), self._leaf_means)
        else:
            self._check_background(background)
            self.base = self._mean_of(background)

    # --- what is asked ----------------------------------------------------------------------

    def contributions(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return the SHAP values of rows, shape (n, K, d): with `base` they add up to the raw predictions."""
        shares = self._shares(self._walks, self._ensemble.n_classes, features, serial, threads, cancelled)
        if self._ensemble.is_linear:
            check_linear(self._ensemble.linear[-1], features)
            shares += self._ensemble.linear[-1].contributions(features) - self._linear
        return shares

    def interactions(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return SHAP interaction values, shape (n, K, d + 1, d + 1); rows of them add up to SHAP values.

        The last row and column belong to the base. Raises WorkbenchError where there is no memory for them.
        """
        n, k, d = len(features), self._ensemble.n_classes, self._ensemble.n_features
        _ask_for(8 * n * k * (d + 1) ** 2, n)
        pairs = np.zeros((n, k, d + 1, d + 1))
        every = self.contributions(features, serial=serial, threads=threads, cancelled=cancelled)
        if self._background is None:
            self._add_interactions(features, pairs, serial, threads, cancelled)
        else:
            asked = np.unique(self._flat.questions[:, COLUMN])
            interactions_against(
                partial(self._against, serial, threads), features[:, :d], self._background[:, :d],
                asked[asked >= 0].tolist(), pairs, cancelled,
            )
        places = np.arange(d)
        pairs[:, :, places, places] = every - pairs[:, :, :-1, :-1].sum(axis=3)
        pairs[:, :, d, d] = self.base
        return pairs

    def _add_interactions(
        self, features: NDArray[np.float32], pairs: NDArray[np.float64], serial: bool, threads: int,
        cancelled: Callable[[], bool] | None,
    ) -> None:  # fmt: skip
        """Add what the nodes weigh for."""
        n, d = len(features), self._ensemble.n_features
        block = _block_rows(8 * (self._walks.deepest + 1) * self._walks.points.shape[1] + 4 * d)
        for chunk in _chunks(n, cancelled):
            rows = features[chunk]
            parts = 1 if serial else thread_count(threads, len(rows), LEAST_ROWS_A_THREAD)
            in_parts(parts, len(rows), LEAST_ROWS_A_THREAD, add_interactions, rows_of(rows), self._flat,
                     self._walks, np.int64(block), pairs[chunk])

    def _against(
        self, serial: bool, threads: int, features: NDArray[np.float32], background: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the SHAP values of the trees against other rows."""
        other = copy(self)
        other._background = background
        return other._shares(self._walks, self._ensemble.n_classes, features, serial, threads, None)

    def partners(
        self, features: NDArray[np.float32], column: int, cancelled: Callable[[], bool] | None = None
    ) -> NDArray[np.float64]:
        """Return the interaction values of one column with each other, shape (n, d), summed over outputs.

        By what the nodes weigh, on the calling thread.
        """
        n, d = len(features), self._ensemble.n_features
        found = np.zeros((n, d))
        if self._background is not None or not len(self._flat.classes):
            return found
        asking = [t for t, tree in enumerate(self._ensemble.trees) if (tree.nodes["feature"] == column).any()]
        trees = [self._ensemble.trees[t] for t in asking]
        flat = flatten(trees, self._ensemble.tree_weights[asking], np.float64)
        covers = [self._covers[begin:end] for begin, end in pairwise(self._flat.roots.tolist())]
        kept = np.concatenate([np.empty(0), *(covers[t] for t in asking)])
        walks = walks_of(flat, kept, np.zeros(len(trees), np.int64))
        block = np.int64(_block_rows(8 * (walks.deepest + 1) * walks.points.shape[1] + 4 * d))
        for chunk in _chunks(n, cancelled):
            add_partners(0, 1, rows_of(features[chunk]), flat, walks, block, np.int64(column), found[chunk])
        return found

    def by_round(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return what each round adds, as it counts in the end, shape (n, rounds + 1, K, d + 1).

        Round 0 is the base before the first tree. The last of each is its part of the base; summed over the
        rounds they are `contributions` and `base`.

        Raises
        ------
        WorkbenchError
            Of a linear model, whose rounds each stand for all, and where there is no memory.
        """
        ensemble = self._ensemble
        if ensemble.is_linear:
            raise WorkbenchError(ONE_OF_ALL)
        k = ensemble.n_classes
        rounds = ensemble.by_tree(np.arange(1, ensemble.rounds + 1))
        n_slots = (ensemble.rounds + 1) * k
        found = self._apart(rounds * k + self._classes, n_slots, features, serial, threads, cancelled)
        found[:, :k, -1] += ensemble.base_margin
        return found.reshape(len(features), ensemble.rounds + 1, k, -1)

    def by_tree(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0,
        cancelled: Callable[[], bool] | None = None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return what each tree adds to its output, as it counts in the end, shape (n, trees, d + 1).

        The last of each is the tree's part of the base: with the base margin the trees of an output add up to
        `contributions` and `base`. Raises WorkbenchError as `by_round` does.
        """
        if self._ensemble.is_linear:
            raise WorkbenchError(ONE_OF_ALL)
        trees = len(self._classes)
        return self._apart(np.arange(trees), trees, features, serial, threads, cancelled)

    def by_round_and_last_trees(
        self, features: NDArray[np.float32], *, serial: bool = False, threads: int = 0,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
        """Return `by_round`, and what `by_tree` says of the trees of the last round, from one walk."""
        ensemble, k = self._ensemble, self._ensemble.n_classes
        if ensemble.is_linear:
            raise WorkbenchError(ONE_OF_ALL)
        before = max(ensemble.rounds - 1, 0)
        begin, n_slots = int(ensemble.round_begins[before]), (before + 1) * k
        slots = ensemble.by_tree(np.arange(1, ensemble.rounds + 1)) * k + self._classes
        last = np.arange(len(slots) - begin)
        slots[begin:] = n_slots + last
        found = self._apart(slots, n_slots + len(last), features, serial, threads, cancelled)
        found[:, :k, -1] += ensemble.base_margin
        rounds = np.zeros((len(features), ensemble.rounds + 1, k, found.shape[-1]))
        rounds[:, : before + 1] = found[:, :n_slots].reshape(len(features), before + 1, k, -1)
        trees = found[:, n_slots:]
        for of_class, tree in zip(self._classes[begin:].tolist(), last.tolist(), strict=True):
            rounds[:, -1, of_class] += trees[:, tree]
        return rounds, trees

    # --- how ------------------------------------------------------------------------------

    def _apart(
        self, slots: NDArray[np.int64], n_slots: int, features: NDArray[np.float32], serial: bool,
        threads: int, cancelled: Callable[[], bool] | None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return what the trees of each slot add, shape (n, n_slots, d + 1); the last is their base."""
        n, d = len(features), self._ensemble.n_features
        _ask_for(16 * n * n_slots * (d + 1), n)
        walks = walks_of(self._flat, self._covers, slots)
        found = np.zeros((n, n_slots, d + 1))
        found[:, :, :d] = self._shares(walks, n_slots, features, serial, threads, cancelled)
        bases = np.zeros(n_slots)
        if self._background is None:
            np.add.at(bases, self._leaf_slots(walks), self._leaf_means)
        else:
            leaves = self._flat.roots[:-1] + leaf_indices(self._ensemble.trees, self._background)
            np.add.at(bases, slots, self._flat.values[leaves].mean(axis=0))
        found[:, :, d] = bases
        return found

    def _shares(
        self, walks: TreeWalks, n_slots: int, features: NDArray[np.float32], serial: bool, threads: int,
        cancelled: Callable[[], bool] | None,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return the SHAP values of the trees, added up slot by slot."""
        n, d = len(features), self._ensemble.n_features
        if features.shape[1] < d:
            raise WorkbenchError(f"The rows have {features.shape[1]} columns, and the model has {d}.")
        features = features[:, :d]
        shares = np.zeros((n, n_slots, d))
        if not len(self._flat.classes):
            return shares
        size = 16 * (walks.deepest + 1) * walks.points.shape[1] + 12 * d + walks.largest
        block = np.int64(_block_rows(size))
        for chunk in _chunks(n, cancelled):
            rows, found = features[chunk], shares[chunk]
            parts = 1 if serial else thread_count(threads, len(rows), LEAST_ROWS_A_THREAD)
            if self._background is None:
                in_parts(parts, len(rows), LEAST_ROWS_A_THREAD, add_shap, rows_of(rows), self._flat, walks,
                         block, found)
            else:
                in_parts(parts, len(rows), LEAST_ROWS_A_THREAD, add_against, rows_of(rows),
                         rows_of(self._background), self._flat, walks, chances(walks.deepest + 1), found)
        return shares

    @property
    def _is_leaf(self) -> NDArray[np.bool_]:
        return np.asarray(self._flat.questions[:, COLUMN] < 0)

    @property
    def _leaf_means(self) -> NDArray[np.float64]:
        """What each leaf adds to the mean."""
        leaves = self._is_leaf
        return np.asarray(self._flat.values[leaves] * self._walks.reaches[leaves])

    def _leaf_slots(self, walks: TreeWalks) -> NDArray[np.int64]:
        """The slot of each leaf."""
        return np.asarray(np.repeat(walks.slots, np.diff(self._flat.roots))[self._is_leaf])

    def _check_background(self, background: NDArray[np.float32]) -> None:
        if not 0 < len(background) <= MOST_BACKGROUND:
            raise WorkbenchError(
                f"A background has 1 to {MOST_BACKGROUND:,} rows, and this one has {len(background):,}."
            )
        deepest = 2 * int(self._walks.n_points.max(initial=0))
        if deepest > MOST_COLUMNS:
            raise WorkbenchError(
                f"The trees ask for more than {MOST_COLUMNS} columns on one path, too many for a background."
            )

    def _mean_of(self, background: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the mean raw prediction of the background, and remember what its columns weigh."""
        ensemble = self._ensemble
        base: NDArray[np.float64] = ensemble.base_margin.astype(np.float64)
        if len(ensemble.trees):
            leaves = self._flat.roots[:-1] + leaf_indices(ensemble.trees, background)
            np.add.at(base, self._classes, self._flat.values[leaves].mean(axis=0))
        if ensemble.is_linear:
            self._linear = ensemble.linear[-1].contributions(background).mean(axis=0)
            base += self._linear.sum(axis=1)
        return base


def _chunks(n: int, cancelled: Callable[[], bool] | None) -> Iterator[slice]:
    for first in range(0, n, CHUNK_ROWS):
        leave_if(cancelled)
        yield slice(first, first + CHUNK_ROWS)


def _block_rows(size: int) -> int:
    """Return how many rows, of so many bytes each, are worked on at once."""
    return next((rows for rows in BLOCKS if rows * size <= BLOCK_BYTES), BLOCKS[-1])


def _ask_for(wanted: int, n_rows: int) -> None:
    free = free_bytes()
    if free is not None and wanted > SHARE * free:
        raise WorkbenchError(
            f"The answer for {n_rows:,} rows takes {in_megabytes(wanted)} of memory, and "
            f"{in_megabytes(SHARE * free)} are free. Ask for fewer rows."
        )
