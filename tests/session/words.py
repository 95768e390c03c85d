"""What a trainer might say, made by hand."""

from __future__ import annotations

import numpy as np

from workbench.ensembles.ensemble import Ensemble
from workbench.ensembles.events import RoundFinished, TrainingStarted
from workbench.trees.tree import NODE_DTYPE, Tree


def stump(weight=0.5):
    """A tree of one split, `x0 < 0.5`."""
    nodes = np.zeros(3, NODE_DTYPE)
    nodes["feature"], nodes["threshold"] = [0, -1, -1], [0.5, np.nan, np.nan]
    nodes["left"], nodes["right"], nodes["parent"] = [1, -1, -1], [2, -1, -1], [-1, 0, 0]
    nodes["depth"], nodes["category"], nodes["count"] = [0, 1, 1], -1, [10, 4, 6]
    nodes["weight"], nodes["leaf_value"] = [0, weight, -weight], [0, weight, -weight]
    nodes["sum_gradient"], nodes["sum_hessian"], nodes["gain"] = [0.0, -2, 3], [10, 4, 6], [1.0, 0, 0]
    return Tree(nodes, np.zeros(4, np.int32), np.zeros(0, np.int32))


def started(params):
    """The first word of a run."""
    ensemble = Ensemble("squared", 1, 1, np.zeros(1, np.float32))
    return TrainingStarted(ensemble, params, ("rmse",), "rmse", 10, 0, {"rmse": 2.0}, {}, 200.0)


def round_finished(number, params):
    """One round with made-up figures."""
    return RoundFinished(
        round=number, trees=(stump(),), train={"rmse": 1 / number}, valid={}, loss=100 / number, omega=0.1,
        omega_leaves=0.0, omega_weights=0.1, structure_score=-1.0, gain=1.0, leaves=2, depth=1,
        promised=-1.0, delivered=-0.9, params=params, seconds=0.01, best_round=number,
    )
