"""A model that training goes on from, as XGBoost on the workers takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import scalar_text
from workbench.formats.bytes.number_lists import json_text
from workbench.formats.xgboost.json import XGBOOST_VERSION
from workbench.formats.xgboost.objectives import by_own_name
from workbench.formats.xgboost.trees import xgboost_trees
from workbench.trees.joined_nodes import joined_nodes

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.xgboost.objectives import XGBoostObjective
    from workbench.parameters.training import TrainingParams

NEAR = 64  # neighbours of a base score that are tried


def start_document(ensemble: Ensemble, schema: DataSchema, params: TrainingParams) -> bytes:
    """Return XGBoost's JSON of a model whose every tree stands at its own round.

    A model file may say the base by trees that lead; here rounds must count the same on both sides, so the
    base score says it. How many trees stand side by side is said of the rounds to come.
    """
    objective = by_own_name(ensemble.objective)
    trees = xgboost_trees(ensemble.trees, joined_nodes(ensemble.trees), ensemble.n_features)
    model = {
        "cats": {"enc": [], "feature_segments": [], "sorted_idx": []},
        "gbtree_model_param": {
            "num_parallel_tree": str(params.num_parallel_tree), "num_trees": str(len(trees)),
        },
        "iteration_indptr": ensemble.round_begins.tolist(),
        "tree_info": [tree.class_index for tree in ensemble.trees],
        "trees": trees,
    }
    learner: dict[str, Any] = {
        "attributes": {}, "feature_names": [],
        "feature_types": ["c" if feature.is_categorical else "q" for feature in schema.features],
        "gradient_booster": {"model": model, "name": "gbtree"},
        "learner_model_param": {
            "base_score": _base_score(ensemble, objective), "boost_from_average": "1",
            "num_class": str(ensemble.n_classes) if objective.counts_classes else "0",
            "num_feature": str(ensemble.n_features), "num_target": "1",
        },
        "objective": objective.record(ensemble.n_classes, params),
    }
    return json_text({"learner": learner, "version": XGBOOST_VERSION}).encode()


def _base_score(ensemble: Ensemble, objective: XGBoostObjective) -> str:
    margins = ensemble.base_margin.astype(np.float32)
    return f"[{','.join(scalar_text(_score(float(margin), objective)) for margin in margins)}]"


def _score(margin: float, objective: XGBoostObjective) -> np.float32:
    """Return the base score from which XGBoost derives exactly this margin."""
    if objective.link == "identity":
        return np.float32(margin)
    near = np.float32(1.0 / (1.0 + np.exp(-margin)) if objective.link == "logit" else np.exp(margin))
    low = high = near
    for _ in range(NEAR):
        for score in (low, high):
            if objective.margin(float(score)) == np.float32(margin):
                return np.float32(score)
        low, high = np.nextafter(low, np.float32(-np.inf)), np.nextafter(high, np.float32(np.inf))
    raise WorkbenchError(
        f"The model to go on from starts at the raw prediction {margin:g}, which XGBoost cannot say. Train "
        "it on the cluster from its first round."
    )
