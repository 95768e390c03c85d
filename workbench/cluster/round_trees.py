"""The trees of a round, as rank 0 sends them: a slice of XGBoost's model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.formats.bytes.float_text import parse_scalars
from workbench.formats.bytes.ubjson import parse_ubjson
from workbench.formats.xgboost.grown_tree import grown_tree
from workbench.formats.xgboost.objectives import by_own_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.parameters.training import TrainingParams
    from workbench.trees.tree import Tree


def learner_of(message: bytes) -> Any:
    """Return the learner section of a slice."""
    return parse_ubjson(message)["learner"]


def base_of(learner: Any, objective: str, n_outputs: int) -> NDArray[np.float32]:
    """Return the raw predictions under the trees, shape (K,)."""
    scores = parse_scalars(str(learner["learner_model_param"]["base_score"]))
    margins = [by_own_name(objective).margin(float(score)) for score in scores]
    return np.array(np.broadcast_to(np.array(margins, np.float32), (n_outputs,)))


def trees_of(
    learner: Any, like: Ensemble, params: TrainingParams, number: int, *, rows_are_hessian: bool
) -> tuple[Tree, ...]:
    """Return the trees of round `number`, from 1; `like` is the model that they are added to."""
    model = learner["gradient_booster"]["model"]
    eta = params.learning_rate * params.learning_rate_decay ** (number - 1) / params.num_parallel_tree
    found = [
        grown_tree(record, like.n_features, int(k), params, eta, rows_are_hessian=rows_are_hessian)
        for record, k in zip(model["trees"], model["tree_info"], strict=True)
    ]
    return tuple(sorted(found, key=lambda tree: tree.class_index))
