"""The learner section of XGBoost's file, made from a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.float_text import scalar_text, shortest
from workbench.formats.own.document import check_categories, check_trees
from workbench.formats.xgboost.categories import category_container
from workbench.formats.xgboost.names import accepted_names
from workbench.formats.xgboost.objectives import by_own_name
from workbench.formats.xgboost.trees import xgboost_trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.model import Model
    from workbench.formats.xgboost.objectives import XGBoostObjective
    from workbench.trees.tree import Nodes


def leading_trees(ensemble: Ensemble) -> int:
    """Return how many single-leaf trees stand before ours to say the intercept exactly.

    XGBoost starts from `base_score`, which for probabilities goes through a logarithm, and adds the
    leaves one by one in float32. Started from 0, the first leaf gives the intercept bit for bit. So too under
    DART, where its `inplace_predict` adds the score to each leaf and takes it away again.
    """
    if _says_base(ensemble) or not ensemble.base_margin.any():
        return 0
    return ensemble.n_classes * ensemble.parallel_of(1)


def learner_section(model: Model, nodes: Nodes) -> dict[str, Any]:
    """Return XGBoost's `learner` object, with empty attributes; `nodes` are those of its trees, joined."""
    ensemble, schema = model.ensemble, model.schema
    objective = by_own_name(ensemble.objective)
    _check(model, objective)
    return {
        "attributes": {},
        "feature_names": accepted_names(schema.names),
        "feature_types": ["c" if f.is_categorical else "q" for f in schema.features],
        "gradient_booster": _booster(model, nodes),
        "learner_model_param": {
            "base_score": _base_score(ensemble, objective),
            "boost_from_average": "0",
            "num_class": str(ensemble.n_classes) if objective.counts_classes else "0",
            "num_feature": str(ensemble.n_features),
            "num_target": str(ensemble.n_classes if objective.several else 1),
        },
        "objective": objective.record(ensemble.n_classes, model.params),
    }


def is_weighed(ensemble: Ensemble) -> bool:
    """Whether some trees count less than others, which only XGBoost's booster `dart` can say."""
    return bool((ensemble.tree_weights != 1).any())


def _booster(model: Model, nodes: Nodes) -> dict[str, Any]:
    trees = {"model": _trees(model, nodes), "name": "gbtree"}
    if not is_weighed(model.ensemble):
        return trees
    lead = np.ones(leading_trees(model.ensemble), np.float32)
    weights = np.concatenate([lead, model.ensemble.tree_weights])
    return {"gbtree": trees, "name": "dart", "weight_drop": shortest(weights)}


def _trees(model: Model, nodes: Nodes) -> dict[str, Any]:
    ensemble = model.ensemble
    lead = leading_trees(ensemble)
    factor = np.float32(by_own_name(ensemble.objective).factor)
    intercepts = factor * _intercepts(ensemble, lead)
    trees = xgboost_trees(ensemble.trees, nodes, ensemble.n_features, factor, intercepts)
    return {
        "cats": category_container(model.schema.features),
        "gbtree_model_param": {
            "num_parallel_tree": str(ensemble.parallel_of(ensemble.rounds)), "num_trees": str(len(trees)),
        },
        "iteration_indptr": [*([0] if lead else []), *(lead + ensemble.round_begins).tolist()],
        "tree_info": [
            *(i // ensemble.parallel_of(1) for i in range(lead)),
            *(tree.class_index for tree in ensemble.trees),
        ],
        "trees": trees,
    }


def _intercepts(ensemble: Ensemble, lead: int) -> NDArray[np.float32]:
    """Return the leaves of the leading trees: of those that stand side by side the first has it all."""
    values = np.zeros((ensemble.n_classes, ensemble.parallel_of(1)), np.float32)
    values[:, 0] = ensemble.base_margin
    return values.reshape(-1)[:lead]


def _base_score(ensemble: Ensemble, objective: XGBoostObjective) -> str:
    return scalar_text(ensemble.base_margin[0]) if _says_base(ensemble) else objective.neutral


def _says_base(ensemble: Ensemble) -> bool:
    """Whether `base_score` says the intercept; XGBoost leaves it out where rows have margins of their own."""
    is_raw = by_own_name(ensemble.objective).scale_is_raw
    return is_raw and ensemble.n_classes == 1 and not ensemble.has_offset and not is_weighed(ensemble)


def _check(model: Model, objective: XGBoostObjective) -> None:
    ensemble, schema = model.ensemble, model.schema
    if len(schema.features) != ensemble.n_features or len(ensemble.base_margin) != ensemble.n_classes:
        raise WorkbenchError("The model's columns or classes do not fit its trees; it cannot be exported.")
    if not (objective.counts_classes or objective.several) and ensemble.n_classes != 1:
        raise WorkbenchError(f"A model for '{ensemble.objective}' has one raw prediction a row, not several.")
    check_trees(ensemble.trees, ensemble.n_classes, ensemble.parallel_by_round or ensemble.n_parallel)
    check_categories(ensemble.trees, schema)
