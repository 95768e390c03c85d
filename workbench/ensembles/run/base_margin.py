"""The constant under the trees of a run: the raw prediction before the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.objectives.base import evaluated
from workbench.objectives.line_search import least_constant
from workbench.threads.row_blocks import weights_or_ones

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.ensembles.run.setup import RunSetup
    from workbench.objectives.base import Objective


def base_of_run(setup: RunSetup, data: Dataset) -> NDArray[np.floating[Any]]:
    """Return the base of the model that the run goes on from, or the best one for its training rows."""
    if setup.start is not None:
        return setup.start.base_margin
    weight = setup.weight_of(data, data.train_rows)
    return base_of(setup.objective, setup.n_outputs, data, weight, setup.params.base_score)


def base_of(
    objective: Objective,
    n_classes: int,
    data: Dataset,
    weight: NDArray[np.float64] | None,
    base_score: float | None = None,
) -> NDArray[np.float32]:
    """Return the constant under the trees, shape (K,): the best one, or what the parameters say of it.

    Parameters
    ----------
    weight : ndarray of float64, optional
        Of the training rows.
    """
    if data.offset is not None:
        return base_beside(objective, n_classes, data, weight, base_score)
    every = len(data.train_rows) == len(data.target)
    target = data.target if every else data.target[data.train_rows]
    return objective.base_margin(target, weight, n_classes, base_score)


def base_beside(
    objective: Objective,
    n_classes: int,
    data: Dataset,
    weight: NDArray[np.float64] | None,
    base_score: float | None,
) -> NDArray[np.float32]:
    """Return the best constant to add to the offsets: by Newton's steps, or the objective's own search.

    Parameters
    ----------
    weight : ndarray of float64, optional
        Of the training rows.
    base_score : float, optional
        What the parameters say of it.
    """
    rows = data.train_rows
    target, weight = data.target[rows], weights_or_ones(weight, len(rows))
    if base_score is not None:
        return objective.base_margin(target, weight, 0, base_score)
    assert data.offset is not None
    own, objective = data.offset[rows], objective.of_constants()
    if objective.searches_leaves:
        outputs = (objective.of_output(k) for k in range(n_classes))
        return np.array([output.leaf_weight(target - own, weight) for output in outputs], np.float32)

    def sums(base: float) -> tuple[float, float, float]:
        with np.errstate(over="ignore"):
            g, h, loss = evaluated(objective, target, own + np.float32(base), weight)
        return loss, float(g.sum()), float(h.sum())

    alone = float(objective.base_margin(target, weight, n_classes)[0])
    mean = float(np.average(own, weights=weight)) if weight.any() else 0.0
    return np.array([least_constant(sums, (0.0, alone - mean))], np.float32)
