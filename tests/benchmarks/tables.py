"""Held-out loss on the tables that come with the program, beside the libraries: five folds, same parameters.

The same is also the least that a leaf must have: a hessian of 1, and one row; scikit-learn knows rows alone.

A library's figure is its mean over the folds. Ours misses where it is more than 1 % worse than the best of
them, and the fold by fold difference to it is larger than two of its standard errors.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

from tests.benchmarks.machine import describe
from workbench.data.dataset import build_dataset
from workbench.data.readers.base import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import sample
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.newton_boosting import NewtonBoosting
from workbench.ensembles.prediction import raw_predictions
from workbench.objectives.base import DEFAULT_OF_TASK, OBJECTIVES
from workbench.parameters.training import TrainingParams

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset

TABLES = (
    "bike_rentals", "breast_cancer", "concrete_strength", "crash_survival", "desert_rodents", "digits_8x8",
    "fuel_economy", "heart_disease", "penguins", "seattle_weather",
)
FOLDS, ROUNDS, DEPTH, ETA, LAMBDA = 5, 100, 6, 0.1, 1.0
WORSE = 1.01


def load(name: str) -> Dataset:
    """A shipped table with the target that it comes with."""
    table = read_table(sample(name).path)
    roles = guess_roles(table)
    roles[sample(name).target] = "target"
    return build_dataset(table, roles, valid_fraction=0.0)


def kinds(data: Dataset) -> list[bool]:
    """Which columns hold categories."""
    return [feature.is_categorical for feature in data.schema.features]


def ours(method: str) -> Callable[..., NDArray[np.float64]]:
    """The workbench's booster."""

    def predict(data: Dataset, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        params = TrainingParams(
            rounds=ROUNDS, max_depth=DEPTH, learning_rate=ETA, reg_lambda=LAMBDA, tree_method=method,
            threads=2,
        )
        split = replace(data, train_rows=train, valid_rows=np.empty(0, np.int64))
        events = list(NewtonBoosting(split, params).rounds())
        trees = tuple(tree for e in events if isinstance(e, RoundFinished) for tree in e.trees)
        ensemble = events[0].ensemble.with_trees(trees)
        raw = raw_predictions(ensemble, data.features[test])
        return OBJECTIVES.get(DEFAULT_OF_TASK[data.schema.task]).transform(raw)

    return predict


def xgboost_by(method: str) -> Callable[..., NDArray[np.float64]]:
    """XGBoost; its exact search takes codes for numbers."""

    def predict(data: Dataset, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        task = data.schema.task
        types = ["c" if c and method != "exact" else "q" for c in kinds(data)]

        def table(rows: NDArray[np.int64]) -> Any:
            return xgboost.DMatrix(
                np.ascontiguousarray(data.features[rows]), data.target[rows], feature_types=types,
                weight=None if data.weight is None else data.weight[rows],
                enable_categorical=method != "exact",
            )

        objective = {
            "regression": "reg:squarederror", "binary": "binary:logistic", "multiclass": "multi:softprob",
        }[task]
        params = {
            "objective": objective, "tree_method": method, "max_depth": DEPTH, "eta": ETA, "lambda": LAMBDA,
            "nthread": 2,
        }
        if task == "multiclass":
            params["num_class"] = len(data.schema.class_labels)
        return xgboost.train(params, table(train), ROUNDS).predict(table(test))

    return predict


def light_gbm(data: Dataset, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
    """LightGBM with as many leaves as the depth allows."""
    task = data.schema.task
    params = {
        "objective": {"regression": "regression", "binary": "binary", "multiclass": "multiclass"}[task],
        "max_depth": DEPTH, "num_leaves": 2**DEPTH, "learning_rate": ETA, "lambda_l2": LAMBDA,
        "verbosity": -1, "num_threads": 2, "seed": 0, "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 1.0,
    }
    if task == "multiclass":
        params["num_class"] = len(data.schema.class_labels)
    table = lightgbm.Dataset(
        data.features[train], data.target[train],
        weight=None if data.weight is None else data.weight[train],
        categorical_feature=[i for i, c in enumerate(kinds(data)) if c] or "auto",
    )
    return lightgbm.train(params, table, ROUNDS).predict(data.features[test])


def scikit_learn(data: Dataset, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
    """scikit-learn's histogram booster; columns of more than 255 categories stand as numbers."""
    few = [c and len(f.categories) <= 255 for c, f in zip(kinds(data), data.schema.features, strict=True)]
    regression = data.schema.task == "regression"
    kind = HistGradientBoostingRegressor if regression else HistGradientBoostingClassifier
    model = kind(
        max_iter=ROUNDS, max_depth=DEPTH, max_leaf_nodes=None, learning_rate=ETA, l2_regularization=LAMBDA,
        early_stopping=False, categorical_features=few, random_state=0, min_samples_leaf=1,
    )
    weight = None if data.weight is None else data.weight[train]
    model.fit(data.features[train], data.target[train], weight)
    return model.predict(data.features[test]) if regression else model.predict_proba(data.features[test])


PEERS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "ours": ours("hist"), "ours exact": ours("exact"), "XGBoost hist": xgboost_by("hist"),
    "XGBoost exact": xgboost_by("exact"), "LightGBM": light_gbm, "scikit-learn": scikit_learn,
}


def loss_of(data: Dataset, test: NDArray[np.int64], predicted: NDArray[np.float64]) -> float:
    """RMSE, or log loss."""
    weight = None if data.weight is None else data.weight[test]
    if data.schema.task == "regression":
        return float(root_mean_squared_error(data.target[test], predicted, sample_weight=weight))
    p = predicted if predicted.ndim > 1 else np.column_stack([1 - predicted, predicted])
    p = p.astype(np.float64) / p.astype(np.float64).sum(axis=1, keepdims=True)
    return float(log_loss(data.target[test], p, sample_weight=weight, labels=np.arange(p.shape[1])))


def losses(name: str) -> dict[str, NDArray[np.float64]]:
    """Return the loss of each library on each fold."""
    data = load(name)
    regression = data.schema.task == "regression"
    folds = KFold(FOLDS, shuffle=True, random_state=0) if regression else StratifiedKFold(
        FOLDS, shuffle=True, random_state=0
    )
    found: dict[str, list[float]] = {peer: [] for peer in PEERS}
    for train, test in folds.split(data.features, data.target):
        for peer, predict in PEERS.items():
            found[peer].append(loss_of(data, test, predict(data, train, test)))
    return {peer: np.array(values) for peer, values in found.items()}


def main(arguments: Sequence[str] = ()) -> None:
    """Print a row a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks tables", description=__doc__)
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; none is all")
    names = parser.parse_args(arguments).tables or TABLES
    print(*describe(), sep="\n")
    print(f"{FOLDS} folds, {ROUNDS} rounds, depth {DEPTH}, η {ETA}, λ {LAMBDA}; rmse or log loss")
    print("| table | " + " | ".join(PEERS) + " | ours / best | |\n" + "|---" * (len(PEERS) + 3) + "|")
    missed = 0
    for name in names:
        found = losses(name)
        theirs = [peer for peer in PEERS if not peer.startswith("ours")]
        best = min(theirs, key=lambda peer: found[peer].mean())
        difference = found["ours"] - found[best]
        ratio = found["ours"].mean() / found[best].mean()
        is_missed = ratio > WORSE and difference.mean() > 2 * difference.std(ddof=1) / np.sqrt(FOLDS)
        missed += int(is_missed)
        cells = [f"{values.mean():.4g} ± {values.std(ddof=1):.2g}" for values in found.values()]
        verdict = f"{ratio:.3f} of {best} | {'!' if is_missed else ''}"
        print(f"| {name} | {' | '.join(cells)} | {verdict} |", flush=True)
    print(f"{missed} of {len(names)} tables are worse than the best by more than 1 % and its spread")
