"""By how much a metric gets worse where the values of a column are permuted among the rows (Breiman 2001)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.ensembles.prediction import leaf_indices, raw_predictions
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble

    ScoreOf = Callable[[NDArray[np.float32]], float]

MOST_KEPT = 50_000_000  # leaves of rows


class Permuted(NamedTuple):
    """What permuting each column did.

    Attributes
    ----------
    baseline : float
        The metric of the rows as they are.
    losses : ndarray of float64, shape (d, repeats)
        How much worse it was each time; above 0 where the column helps.
    """

    baseline: float
    losses: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Over the repeats, shape (d,)."""
        return np.asarray(self.losses.mean(axis=1))

    @property
    def deviation(self) -> NDArray[np.float64]:
        """Standard deviation of the repeats, shape (d,)."""
        return np.asarray(self.losses.std(axis=1))


def permuted_losses(
    ensemble: Ensemble, features: NDArray[np.float32], score: ScoreOf, *, higher_is_better: bool,
    repeats: int = 5, seed: int = 0, offset: NDArray[np.float32] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Permuted:  # fmt: skip
    """Permute one column after the other, so many times; only trees that ask about it are walked again.

    The rows are permuted as scikit-learn's `permutation_importance` does for the same seed: for every column
    alike, and each time what was permuted before.

    Parameters
    ----------
    score : callable
        The metric of raw predictions.
    """
    sums = _Sums(ensemble, features, offset)
    baseline = score(sums.raw(features))
    sign = 1.0 if higher_is_better else -1.0
    orders = list(_orders(len(features), repeats, seed))
    losses = np.zeros((ensemble.n_features, repeats))
    moved = features.copy(order="K")
    for column in _asked_columns(ensemble):
        for repeat, order in enumerate(orders):
            leave_if(cancelled)
            moved[:, column] = features[order, column]
            losses[column, repeat] = sign * (baseline - score(sums.raw(moved, column)))
        moved[:, column] = features[:, column]
    return Permuted(baseline, losses)


def _orders(n: int, repeats: int, seed: int) -> Iterator[NDArray[np.int64]]:
    of_seed = np.random.RandomState(seed).randint(np.iinfo(np.int32).max + 1, dtype=np.int64)
    random, order, before = np.random.RandomState(of_seed), np.arange(n), np.arange(n)
    for _ in range(repeats):
        random.shuffle(order)
        before = before[order]
        yield before


def _asked_columns(ensemble: Ensemble) -> list[int]:
    """The columns that have a bearing on any prediction."""
    if ensemble.is_linear:
        return np.flatnonzero(ensemble.linear[-1].importance).tolist()
    asked = [np.unique(tree.nodes["feature"][~tree.is_leaf]) for tree in ensemble.trees]
    return np.unique(np.concatenate([np.empty(0, np.int64), *asked])).astype(int).tolist()


class _Sums:
    """What every leaf adds to every row: a few trees can be walked again, and all be added up as ever.

    Sums in another order would part rows that are alike, and some metrics count who is alike.
    """

    def __init__(
        self, ensemble: Ensemble, features: NDArray[np.float32], offset: NDArray[np.float32] | None
    ) -> None:
        self._ensemble, self._features, self._offset = ensemble, features, offset
        self._is_kept = not ensemble.is_linear and len(features) * len(ensemble.trees) <= MOST_KEPT
        self._added = self._of(range(len(ensemble.trees)), features) if self._is_kept else {}
        self._asking: dict[int, list[int]] = {}  # trees by the columns that they ask about
        for place, tree in enumerate(ensemble.trees):
            for column in np.unique(tree.nodes["feature"][~tree.is_leaf]).tolist():
                self._asking.setdefault(column, []).append(place)

    def raw(self, moved: NDArray[np.float32], column: int | None = None) -> NDArray[np.float32]:
        """Return the raw predictions of the rows with a column moved."""
        ensemble = self._ensemble
        if not self._is_kept:
            return raw_predictions(ensemble, moved, serial=True, offset=self._offset)
        asked = [] if column is None else self._asking.get(column, [])
        added = self._added | self._of(asked, moved)
        raw = np.repeat(ensemble.base_margin[:, None], len(moved), axis=1)
        if self._offset is not None:
            raw += self._offset
        for place, tree in enumerate(ensemble.trees):
            raw[tree.class_index] += added[place]
        return raw[0] if ensemble.n_classes == 1 else raw.T

    def _of(self, places: Iterable[int], rows: NDArray[np.float32]) -> dict[int, NDArray[np.floating[Any]]]:
        """Return what trees, by their places, add to rows."""
        ensemble, places = self._ensemble, list(places)
        leaves = leaf_indices([ensemble.trees[place] for place in places], rows)
        kind, added = ensemble.base_margin.dtype, {}
        for place, ends in zip(places, leaves.T, strict=True):
            values = ensemble.trees[place].nodes["leaf_value"] * ensemble.tree_weights[place]
            added[place] = values.astype(kind)[ends]
        return added
