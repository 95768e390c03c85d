"""What a model says over one or two of its columns: exact cells between the thresholds of its trees.

A linear model is told on an even grid.

The others stand as in given rows, over which predictions are averaged (partial dependence, Friedman 2001).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.prediction import raw_predictions
from workbench.errors import leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.trees.tree import Tree

MOST_CELLS = 40_000
SMOOTH_CELLS = 240  # along an axis, of a linear model, which has no thresholds
MOST_AVERAGED = 4_000  # cells, where each stands for many rows


@dataclass(frozen=True, eq=False)
class ModelCells:
    """A prediction that is the same all over each cell.

    Attributes
    ----------
    x : ndarray of float64, shape (n_x + 1,)
        Edges, ascending.
    y : ndarray of float64, shape (n_y + 1,)
        The same; of one variable two edges without meaning.
    values : ndarray of float64, shape (K, n_y, n_x)
        On the output scale; K is 1 for numbers and two classes.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    values: NDArray[np.float64]


def thresholds_of(trees: Sequence[Tree], column: int) -> NDArray[np.float64]:
    """Return where trees part a column of numbers, ascending, each once."""
    if not trees:
        return np.empty(0)
    fields = "feature", "threshold"
    feature, threshold = (np.concatenate([tree.nodes[field] for tree in trees]) for field in fields)
    found = threshold[feature == column].astype(np.float64)
    return np.unique(found[np.isfinite(found)])


def edges_of(
    trees: Sequence[Tree], column: int, limits: tuple[float, float], most: int
) -> NDArray[np.float64]:
    """Return the edges of cells within limits: the thresholds, or an even grid where they are too many."""
    low, high = limits
    inner = thresholds_of(trees, column)
    inner = inner[(inner > low) & (inner < high)]
    if len(inner) + 1 > most:
        return np.linspace(low, high, most + 1)
    return np.concatenate([[low], inner, [high]])


def cells_of(
    ensemble: Ensemble,
    transform: Callable[[NDArray[np.floating[Any]]], NDArray[np.floating[Any]]],
    columns: Sequence[int],
    limits: Sequence[tuple[float, float]],
    others: NDArray[np.float32],
    cancelled: Callable[[], bool] | None = None,
) -> ModelCells:
    """Return the prediction over one or two columns; serial, from any thread.

    Parameters
    ----------
    transform : callable
        Raw predictions to what is shown: an objective's.
    columns : sequence of int
        Of the matrix: one, or two.
    limits : sequence of pairs
        Of each of them.
    others : ndarray of float32, shape (m, d)
        Rows that tell where the other columns stand.
    """
    budget = MOST_CELLS if len(others) == 1 else MOST_AVERAGED
    most = budget if len(columns) == 1 else int(np.sqrt(budget))
    if ensemble.is_linear:
        edges = [np.linspace(*span, min(most, SMOOTH_CELLS) + 1) for span in limits]
    else:
        edges = [edges_of(ensemble.trees, c, span, most) for c, span in zip(columns, limits, strict=True)]
    middles = [((e[:-1] + e[1:]) / 2).astype(np.float32) for e in edges]
    across = middles[0]
    down = middles[1] if len(middles) > 1 else np.zeros(1, np.float32)
    n = len(across) * len(down)
    places = np.empty((n, others.shape[1]), np.float32, order="F")
    total = np.zeros((n, ensemble.n_classes))
    for row in others:
        leave_if(cancelled)
        places[:] = row
        places[:, columns[0]] = np.tile(across, len(down))
        if len(columns) > 1:
            places[:, columns[1]] = np.repeat(down, len(across))
        raw = raw_predictions(ensemble, places, serial=True)
        total += np.reshape(transform(raw), total.shape)
    values = (total / len(others)).T.reshape(ensemble.n_classes, len(down), len(across))
    return ModelCells(edges[0], edges[1] if len(edges) > 1 else np.array([0.0, 1.0]), values)
