"""What a run's parameters are to XGBoost; γ is doubled on the way, as its gain lacks the ½."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema
    from workbench.parameters.training import TrainingParams

OBJECTIVES = {
    "squared": "reg:squarederror",
    "logistic": "binary:logistic",
    "softmax": "multi:softprob",
    "poisson": "count:poisson",
    "gamma": "reg:gamma",
    "tweedie": "reg:tweedie",
}
# What XGBoost calls the figure that a metric of ours follows from; names of parameters are filled in.
METRICS = {
    **{name: name for name in ("rmse", "mae", "mape", "logloss", "error", "auc", "merror", "mlogloss")},
    "pr_auc": "aucpr", "r2": "rmse", "poisson_deviance": "poisson-nloglik",
    "gamma_deviance": "gamma-deviance", "tweedie_deviance": "tweedie-nloglik@{power}",
}
GROWTH = {"depth": "depthwise", "best_gain": "lossguide"}
# Those that are the same number in both.
SAME = (
    "reg_lambda", "reg_alpha", "max_depth", "max_leaves", "min_child_weight", "max_delta_step", "subsample",
    "colsample_bytree", "colsample_bylevel", "colsample_bynode", "max_cat_to_onehot",
)  # fmt: skip


def live_params(params: TrainingParams, number: int) -> dict[str, Any]:
    """Return what may change with round `number`, from 1, as XGBoost calls it."""
    eta = params.learning_rate * params.learning_rate_decay ** (number - 1)
    values = {name: getattr(params, name) for name in SAME}
    return values | {
        "learning_rate": eta, "gamma": 2.0 * params.gamma, "grow_policy": GROWTH[params.grow_policy],
    }


def learner_params(
    params: TrainingParams, objective: str, schema: DataSchema, metrics: Sequence[str], number: int = 1
) -> dict[str, Any]:
    """Return the parameters that a training begins with whose first round is `number`.

    `metrics` are XGBoost's names.
    """
    values = live_params(params, number) | {
        "objective": OBJECTIVES[objective], "tree_method": params.tree_method, "max_bin": params.max_bin,
        "num_parallel_tree": params.num_parallel_tree, "seed": params.seed, "eval_metric": list(metrics),
    }
    if objective == "softmax":
        values["num_class"] = len(schema.class_labels)
    if objective == "tweedie":
        values["tweedie_variance_power"] = params.tweedie_variance_power
    if params.base_score is not None:
        values["base_score"] = params.base_score
    if params.scale_pos_weight != 1.0:
        values["scale_pos_weight"] = params.scale_pos_weight
    if params.monotone_constraints:
        wanted = dict(params.monotone_constraints)
        values["monotone_constraints"] = tuple(int(wanted.get(name, 0)) for name in schema.names)
    if params.interaction_constraints:
        places = {name: place for place, name in enumerate(schema.names)}
        sets = [[places[name] for name in together] for together in params.interaction_constraints]
        values["interaction_constraints"] = sets
    return values
