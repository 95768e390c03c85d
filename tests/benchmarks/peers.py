"""Each library fitting a workload through its own fast public entry: array in memory to finished model."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import catboost
import lightgbm
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import workbench

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.workloads import Sample, Workload

    Fit = Callable[[Workload, Sample, int], Any]



class Unavailable(Exception):
    """What this workload needs does not exist in this library."""


def our_params(load: Workload, threads: int) -> workbench.TrainingParams:
    """What the workbench is told for a workload."""
    wanted: dict[str, Any] = {
        "objective": load.objective, "rounds": load.rounds, "max_depth": load.depth,
        "learning_rate": load.learning_rate, "reg_lambda": 1.0, "min_child_weight": 1.0, "max_bin": 255,
        "subsample": load.subsample, "colsample_bytree": load.colsample, "threads": threads,
    }
    if load.leaves:
        wanted |= {"grow_policy": "best_gain", "max_leaves": load.leaves}
    if load.exact:
        wanted["tree_method"] = "exact"
    absent = wanted.keys() - {field.name for field in fields(workbench.TrainingParams)}
    if absent:
        raise Unavailable(f"TrainingParams has no {', '.join(sorted(absent))} yet")
    return workbench.TrainingParams(**wanted)


def ours(load: Workload, data: Sample, threads: int) -> Any:
    """The workbench's booster; it measures its training metrics every round, as always."""
    params = our_params(load, threads)
    return workbench.fit(
        data.x, data.y, weight=data.weight, categories=load.category_columns, params=params
    )


def light_gbm(load: Workload, data: Sample, threads: int, **extra: Any) -> Any:
    """LightGBM with as many leaves as the depth allows."""
    names = {"logistic": "binary", "squared": "regression", "softmax": "multiclass"}
    params = {
        "objective": names[load.objective], "max_depth": load.depth,
        "num_leaves": load.leaves or 2**load.depth, "learning_rate": load.learning_rate, "lambda_l2": 1.0,
        "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 1.0, "max_bin": 255, "num_threads": threads,
        "verbosity": -1,
    }
    if load.classes:
        params["num_class"] = load.classes
    if load.subsample < 1.0:
        params |= {"bagging_fraction": load.subsample, "bagging_freq": 1}
    if load.colsample < 1.0:
        params["feature_fraction"] = load.colsample
    table = lightgbm.Dataset(
        data.x, data.y, weight=data.weight, categorical_feature=load.category_columns or "auto"
    )
    return lightgbm.train(params | extra, table, load.rounds)


def light_gbm_quantised(load: Workload, data: Sample, threads: int) -> Any:
    """LightGBM with gradients of a few bits."""
    return light_gbm(load, data, threads, use_quantized_grad=True)


def xgboost_hist(load: Workload, data: Sample, threads: int) -> Any:
    """XGBoost with `tree_method="hist"`."""
    table = xgboost.QuantileDMatrix(
        data.x, data.y, weight=data.weight, max_bin=255, nthread=threads, **_kinds(load)
    )
    params = _xgboost_params(load, threads) | {"tree_method": "hist", "max_bin": 255}
    if load.leaves:
        params |= {"grow_policy": "lossguide", "max_leaves": load.leaves}
    return xgboost.train(params, table, load.rounds)


def xgboost_exact(load: Workload, data: Sample, threads: int) -> Any:
    """XGBoost with `tree_method="exact"`."""
    table = xgboost.DMatrix(data.x, data.y, weight=data.weight, nthread=threads)
    return xgboost.train(_xgboost_params(load, threads) | {"tree_method": "exact"}, table, load.rounds)


def _xgboost_params(load: Workload, threads: int) -> dict[str, Any]:
    names = {"logistic": "binary:logistic", "squared": "reg:squarederror", "softmax": "multi:softprob"}
    params = {
        "objective": names[load.objective], "max_depth": load.depth, "eta": load.learning_rate, "lambda": 1.0,
        "min_child_weight": 1.0, "subsample": load.subsample, "colsample_bytree": load.colsample,
        "nthread": threads, "verbosity": 0,
    }
    return params | ({"num_class": load.classes} if load.classes else {})


def _kinds(load: Workload) -> dict[str, Any]:
    if not load.categories:
        return {}
    kinds = ["q"] * (load.columns - load.categories) + ["c"] * load.categories
    return {"feature_types": kinds, "enable_categorical": True}


def scikit_learn(load: Workload, data: Sample, threads: int) -> Any:
    """scikit-learn's histogram booster; it has no least hessian of a leaf, and obeys `limited` alone."""
    kind = HistGradientBoostingRegressor if load.objective == "squared" else HistGradientBoostingClassifier
    model = kind(
        max_iter=load.rounds, max_depth=load.depth, max_leaf_nodes=load.leaves or None, max_bins=255,
        learning_rate=load.learning_rate, l2_regularization=1.0, min_samples_leaf=1, early_stopping=False,
    )
    return model.fit(data.x, data.y)


def cat_boost(load: Workload, data: Sample, threads: int) -> Any:
    """CatBoost growing trees like ours: no symmetry, no order, no bootstrap, no noise, one Newton step."""
    kind = catboost.CatBoostRegressor if load.objective == "squared" else catboost.CatBoostClassifier
    loss = {"logistic": "Logloss", "squared": "RMSE", "softmax": "MultiClass"}
    policy = {"grow_policy": "Lossguide", "max_leaves": load.leaves} if load.leaves else \
        {"grow_policy": "Depthwise"}
    model = kind(
        loss_function=loss[load.objective], iterations=load.rounds, depth=load.depth,
        learning_rate=load.learning_rate, l2_leaf_reg=1.0, border_count=254, min_data_in_leaf=1,
        boosting_type="Plain", bootstrap_type="No", random_strength=0.0, leaf_estimation_iterations=1,
        metric_period=load.rounds, thread_count=threads, logging_level="Silent", allow_writing_files=False,
        **policy,
    )
    return model.fit(data.x, data.y)


PEERS: dict[str, Fit] = {
    "LightGBM": light_gbm,
    "LightGBM quantised": light_gbm_quantised,
    "XGBoost hist": xgboost_hist,
    "scikit-learn": scikit_learn,
    "CatBoost": cat_boost,
    "XGBoost exact": xgboost_exact,
}
