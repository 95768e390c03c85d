"""What trees on bootstrap samples say of the rows that they did not draw: predictions, and importance.

The importance of a column is by how much the error of these rows rises, tree by tree, when its values are
permuted among them (Breiman 2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.ensembles.class_weights import class_weights, row_weights
from workbench.ensembles.impurity.drawn_weights import draw_counts
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError, leave_if
from workbench.threads.row_blocks import weights_or_ones

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree

NONE_LEFT_OUT = (
    "No tree left a training row out. Train with bootstrap, or with a row share below 1, by the method "
    "forest, extra_trees or bagging."
)


class PermutedImportance(NamedTuple):
    """By how much permuting a column raises the error of rows left out.

    Attributes
    ----------
    rise : ndarray of float64, shape (d,)
        Mean over the trees: of the misclassified share, or of the mean square.
    deviation : ndarray of float64, shape (d,)
        Its standard error.
    """

    rise: NDArray[np.float64]
    deviation: NDArray[np.float64]


def out_of_bag_predictions(
    data: Dataset,
    ensemble: Ensemble,
    params: TrainingParams,
    cancelled: Callable[[], bool] | None = None,
) -> NDArray[np.float64]:
    """Return the mean, for each training row, of the trees that did not draw it, shape (K, n); else NaN.

    Parameters
    ----------
    data : Dataset
        That the ensemble was trained on, with the same training rows.
    """
    rows = data.train_rows
    sums, n_trees = np.zeros((ensemble.n_classes, len(rows))), np.zeros(len(rows))
    for number, drawn_by, trees in _rounds(ensemble, params):
        leave_if(cancelled)
        out = np.flatnonzero(draw_counts(drawn_by, number, len(rows)) == 0.0)
        leaves = leaf_indices(trees[:1], data.features[rows[out]])[:, 0]
        for k, tree in enumerate(trees):
            sums[k, out] += tree.nodes["leaf_value"][leaves]
        n_trees[out] += 1
    if not n_trees.any():
        raise WorkbenchError(NONE_LEFT_OUT)
    mean = np.divide(sums, n_trees, out=np.full(sums.shape, np.nan), where=n_trees > 0)
    return mean if data.offset is None else mean + data.offset[rows]


def permuted_importance(
    data: Dataset,
    ensemble: Ensemble,
    params: TrainingParams,
    cancelled: Callable[[], bool] | None = None,
) -> PermutedImportance:
    """Return how much each column matters to rows left out; what is permuted follows from the seed.

    Parameters
    ----------
    data : Dataset
        That the ensemble was trained on, with the same training rows.
    """
    rows, d = data.train_rows, ensemble.n_features
    weight = weights_or_ones(row_weights(data, class_weights(data.schema, params), rows), len(rows))
    target = data.target[rows] if data.offset is None else data.target[rows] - data.offset[rows]
    rises = []
    for number, drawn_by, trees in _rounds(ensemble, params):
        out = np.flatnonzero((draw_counts(drawn_by, number, len(rows)) == 0.0) & (weight > 0.0))
        if not len(out):
            continue
        features, rise = np.asfortranarray(data.features[rows[out]]), np.zeros(d)
        generator = np.random.default_rng((params.seed, number))
        is_class = data.schema.task != "regression"
        before = _error(trees, features, target[out], weight[out], is_class)
        for column in np.unique(trees[0].nodes["feature"]).tolist():
            leave_if(cancelled)
            if column < 0:
                continue
            own = features[:, column].copy()
            features[:, column] = own[generator.permutation(len(out))]
            rise[column] = _error(trees, features, target[out], weight[out], is_class) - before
            features[:, column] = own
        rises.append(rise)
    if not rises:
        raise WorkbenchError(NONE_LEFT_OUT)
    found = np.array(rises)
    deviation = found.std(axis=0, ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.full(d, np.nan)
    return PermutedImportance(found.mean(axis=0), deviation)


def _rounds(
    ensemble: Ensemble, params: TrainingParams
) -> Iterator[tuple[int, TrainingParams, tuple[Tree, ...]]]:
    for number, drawn_by in enumerate(ensemble.drawn_by or (params,) * ensemble.rounds, start=1):
        yield number, drawn_by, ensemble.trees_of(number)


def _error(
    trees: tuple[Tree, ...],
    features: NDArray[np.float32],
    target: NDArray[np.float64],
    weight: NDArray[np.float64],
    is_class: bool,
) -> float:
    """Return the misclassified share of rows in a tree, or their mean square."""
    leaves = leaf_indices(trees[:1], features)[:, 0]
    values = np.array([tree.nodes["leaf_value"][leaves] for tree in trees], np.float64)
    if not is_class:
        return float(np.average((target - values[0]) ** 2, weights=weight))
    likeliest = values.argmax(axis=0) if len(trees) > 1 else values[0] > 0.5
    return float(np.average(likeliest != target, weights=weight))
