"""By how much a metric gets worse where the values of a column are permuted among the rows (Breiman 2001)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.prediction import add_to_raw, raw_predictions
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble

    Score = Callable[[NDArray[np.float32]], float]


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
    ensemble: Ensemble, features: NDArray[np.float32], score: Score, *, higher_is_better: bool,
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
    raw = raw_predictions(ensemble, features, serial=True, offset=offset).astype(np.float32)
    baseline = score(raw)
    sign = 1.0 if higher_is_better else -1.0
    orders = list(_orders(len(features), repeats, seed))
    losses = np.zeros((ensemble.n_features, repeats))
    moved = features.copy(order="K")
    for column in _asked_columns(ensemble):
        for repeat, order in enumerate(orders):
            leave_if(cancelled)
            moved[:, column] = features[order, column]
            losses[column, repeat] = sign * (baseline - score(_again(ensemble, features, moved, column, raw)))
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


def _again(
    ensemble: Ensemble, features: NDArray[np.float32], moved: NDArray[np.float32], column: int,
    raw: NDArray[np.float32],
) -> NDArray[np.float32]:  # fmt: skip
    """Return the raw predictions with one column's values moved."""
    by_class = raw.reshape(len(raw), -1).T.astype(np.float64)
    if ensemble.is_linear:
        part, width = ensemble.linear[-1], slice(column, column + 1)
        both = [part.contributions(rows)[:, :, width] for rows in (features, moved)]
        by_class += (both[1] - both[0])[:, :, 0].T
    else:
        places = [place for place, tree in enumerate(ensemble.trees)
                  if (tree.nodes["feature"][~tree.is_leaf] == column).any()]
        trees, weights = [ensemble.trees[place] for place in places], ensemble.tree_weights[places]
        sums = np.zeros((2, *by_class.shape), np.float32)
        for rows, into in zip((features, moved), sums, strict=True):
            add_to_raw(trees, rows, into, weights)
        by_class += sums[1].astype(np.float64) - sums[0]
    return np.asarray(by_class.T.reshape(raw.shape).astype(np.float32))
