"""How a single tree is pruned: its error against α and leaves, and what cross-validation says of each.

For every α of the path the tree is cut back as `ccp_alpha` would; the error of rows that a fold held out is
taken at the geometric mean of neighbouring α, which stands for all between them (Breiman et al. 1984).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.ensembles.impurity.grown_alone import growing_rows
from workbench.ensembles.impurity.pruning import steps_of
from workbench.ensembles.impurity.shape import shape_of
from workbench.errors import Cancelled, WorkbenchError, leave_if
from workbench.trees.by_node.grower import grow
from workbench.trees.cost_complexity import cut_back

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.impurity.grown_alone import GrowingRows
    from workbench.parameters.training import TrainingParams
    from workbench.trees.by_node.grower import GrownTrees
    from workbench.trees.cost_complexity import PruningSteps

MOST_ALPHAS = 200  # at which rows are held out; of more, those of about evenly many leaves
FOLDS = 10


@dataclass(frozen=True, eq=False)
class PruningPath:
    """A tree cut back step by step, by ascending α.

    Attributes
    ----------
    alphas, impurities, leaves : ndarray, shape (m,)
        From which α each tree is the best, R of its leaves, and how many it has. Each α stands once.
    cut : tuple of ndarray of int64
        The nodes of the whole tree that become leaves with each.
    error, deviation : ndarray of float64, shape (m,)
        Mean over the folds of the error of held-out rows (misclassified share, or mean square), and its
        standard error; NaN where a tree was left out of many.
    best, one_deviation : int
        Places of the least error, and of the smallest tree within one standard error of it.
    """

    alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]
    leaves: NDArray[np.int64]
    cut: tuple[NDArray[np.int64], ...]
    error: NDArray[np.float64]
    deviation: NDArray[np.float64]
    best: int
    one_deviation: int


def pruning_path(
    data: Dataset,
    params: TrainingParams,
    folds: int = FOLDS,
    cancelled: Callable[[], bool] | None = None,
) -> PruningPath:
    """Return the pruning path of the tree that `cart` grows on the training rows; from any thread.

    Parameters
    ----------
    params : TrainingParams
        Of the method cart; their `ccp_alpha` does not matter. The folds follow from the seed.
    folds : int
        Parts of the rows, of which each is held out once; 0 for no cross-validation.

    Raises
    ------
    Cancelled
    """
    rows = growing_rows(data, params, 1, cancelled)
    whole = _grown(rows, params, rows.weight)
    steps = steps_of(whole, rows.target, rows.weight, params.criterion)
    last = np.append(np.flatnonzero(np.diff(steps.alphas) > 0), len(steps.alphas) - 1)
    alphas, leaves = steps.alphas[last], steps.leaves[last]
    error = deviation = np.full(len(last), np.nan)
    if folds:
        error, deviation = _validated(rows, params, alphas, leaves, folds, cancelled)
    best, one = _chosen(error, deviation)
    first = np.append(0, last[:-1] + 1)
    cut = [steps.cut[max(begin, 1) : end + 1] for begin, end in zip(first, last, strict=True)]
    return PruningPath(
        alphas, steps.impurities[last], leaves, tuple(cut), error, deviation, best, one
    )


def _grown(rows: GrowingRows, params: TrainingParams, weight: NDArray[np.float64]) -> GrownTrees:
    growing = shape_of(params, len(rows.allowed))
    grown = grow(rows.columns, rows.target, weight, growing, rows.allowed, params.seed)
    if grown is None:
        raise Cancelled
    return grown


def _validated(
    rows: GrowingRows,
    params: TrainingParams,
    alphas: NDArray[np.float64],
    leaves: NDArray[np.int64],
    folds: int,
    cancelled: Callable[[], bool] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and standard error over the folds of the error of held-out rows, for each α."""
    n = len(rows.weight)
    if not 2 <= folds <= n:
        raise WorkbenchError(f"There are {n} training rows for {folds} folds; take from 2 to {n}.")
    fold_of = np.random.default_rng(params.seed).permutation(n) % folds
    taken = _spread(leaves)
    between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)[taken]
    errors = np.empty((folds, len(taken)))
    for fold in range(folds):
        held_out = fold_of == fold
        weight = np.where(held_out, 0.0, rows.weight)
        grown = _grown(rows, params, weight)
        steps = steps_of(grown, rows.target, weight, params.criterion)
        for place, alpha in enumerate(between):
            leave_if(cancelled)
            errors[fold, place] = _error_at(rows, grown, steps, float(alpha), held_out)
    error, deviation = np.full(len(alphas), np.nan), np.full(len(alphas), np.nan)
    error[taken] = errors.mean(axis=0)
    deviation[taken] = errors.std(axis=0, ddof=1) / np.sqrt(folds)
    return error, deviation


def _spread(leaves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of at most MOST_ALPHAS trees, small ones rather than large ones."""
    if len(leaves) <= MOST_ALPHAS:
        return np.arange(len(leaves))
    wanted = np.geomspace(1, leaves[0], MOST_ALPHAS)
    places = np.searchsorted(-leaves, -wanted)
    return np.unique(np.append(np.minimum(places, len(leaves) - 1), 0))


def _error_at(
    rows: GrowingRows,
    grown: GrownTrees,
    steps: PruningSteps,
    alpha: float,
    held_out: NDArray[np.bool_],
) -> float:
    """Return the error of the held-out rows in the tree that is cut back for an α."""
    trees, place = cut_back(grown.trees, steps.cut_at(alpha))
    leaves, weight = place[grown.leaves[held_out]], rows.weight[held_out]
    if not weight.any():
        return float("nan")
    shares = np.array([tree.nodes["weight"][leaves] for tree in trees])
    target = rows.target
    if not target.n_classes:
        return float(np.average((target.numbers[held_out] + target.middle - shares[0]) ** 2, weights=weight))
    if target.n_classes == 2:
        wrong = (shares[0] > 0.5) != (target.numbers[held_out] > 0.5)
    else:
        wrong = shares.argmax(axis=0) != target.labels[held_out]
    return float(np.average(wrong, weights=weight))


def _chosen(error: NDArray[np.float64], deviation: NDArray[np.float64]) -> tuple[int, int]:
    """Return the places of the least error, of equals the smallest tree, and of one standard error."""
    if np.isnan(error).all():
        return 0, 0
    least = float(np.nanmin(error))
    best = int(np.flatnonzero(error == least)[-1])
    return best, int(np.flatnonzero(error <= least + deviation[best])[-1])
