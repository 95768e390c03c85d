"""Held-out loss on the tables that come with the program, beside the libraries: five folds, same parameters.

The same is also the least that a leaf must have: a hessian of 1, and one row; scikit-learn knows rows alone.

The rows are parted into folds several times, by other seeds. A figure is the mean over all folds, after ± the
deviation of the repetitions' means. Ours misses where it is more than 1 % worse than the best library, and
worse by more than two standard errors of the difference. Folds of one partition share their training rows, so
of each repetition the mean counts as one. That error says how much hangs on the partition. How much hangs on
the rows at hand is more: it is shown too, after Nadeau and Bengio (Inference for the generalization error,
2003), s · √(1/n + test/train rows) of the n differences fold by fold.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import log_loss, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits

from tests.benchmarks.machine import describe
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import sample
from workbench.ensembles.base import make_trainer
from workbench.ensembles.events import RoundFinished
from workbench.ensembles.prediction import raw_predictions
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.methods import LOSSES
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


def ours(method: str, hessian: str = "bound") -> Callable[..., NDArray[np.float64]]:
    """The workbench's booster; the hessian is that of softmax."""

    def predict(data: Dataset, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        params = TrainingParams(
            rounds=ROUNDS, max_depth=DEPTH, learning_rate=ETA, reg_lambda=LAMBDA, tree_method=method,
            threads=1, softmax_hessian=hessian,
        )
        split = replace(data, train_rows=train, valid_rows=np.empty(0, np.int64))
        events = list(make_trainer(split, params).rounds())
        trees = tuple(tree for e in events if isinstance(e, RoundFinished) for tree in e.trees)
        ensemble = events[0].ensemble.with_trees(trees)
        raw = raw_predictions(ensemble, data.features[test])
        return OBJECTIVES.get(LOSSES[data.schema.task]).transform(raw)

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
            "nthread": 1,
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
        "verbosity": -1, "num_threads": 1, "seed": 0, "min_data_in_leaf": 1,
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
    "ours": ours("hist"), "ours exact": ours("exact"), "ours diagonal": ours("hist", "diagonal"),
    "XGBoost hist": xgboost_by("hist"), "XGBoost exact": xgboost_by("exact"), "LightGBM": light_gbm,
    "scikit-learn": scikit_learn,
}


def loss_of(data: Dataset, test: NDArray[np.int64], predicted: NDArray[np.float64]) -> float:
    """RMSE, or log loss."""
    weight = None if data.weight is None else data.weight[test]
    if data.schema.task == "regression":
        return float(root_mean_squared_error(data.target[test], predicted, sample_weight=weight))
    p = predicted if predicted.ndim > 1 else np.column_stack([1 - predicted, predicted])
    p = p.astype(np.float64) / p.astype(np.float64).sum(axis=1, keepdims=True)
    return float(log_loss(data.target[test], p, sample_weight=weight, labels=np.arange(p.shape[1])))


def losses(name: str, repeats: int) -> dict[str, NDArray[np.float64]]:
    """Return the loss of each library on each fold, shape (repeats, FOLDS)."""
    data = load(name)
    kind = KFold if data.schema.task == "regression" else StratifiedKFold
    peers = {p: f for p, f in PEERS.items() if p != "ours diagonal" or data.schema.task == "multiclass"}
    found = {peer: np.empty((repeats, FOLDS)) for peer in peers}
    for seed in range(repeats):
        folds = kind(FOLDS, shuffle=True, random_state=seed).split(data.features, data.target)
        for fold, (train, test) in enumerate(folds):
            for peer, predict in peers.items():
                found[peer][seed, fold] = loss_of(data, test, predict(data, train, test))
    return found


@dataclass(frozen=True)
class Verdict:
    """How one of ours compares with the best library on a table; errors are shares of that one's loss."""

    best: str
    ratio: float
    of_partition: float
    of_rows: float

    @property
    def is_missed(self) -> bool:
        """Whether ours is worse than it may be."""
        return self.ratio > WORSE and self.ratio - 1.0 > 2.0 * self.of_partition


def verdict(found: dict[str, NDArray[np.float64]], own: str) -> Verdict:
    """Compare one of ours with the library of the least mean loss."""
    best = min((peer for peer in found if not peer.startswith("ours")), key=lambda p: found[p].mean())
    scale = found[best].mean()
    difference = (found[own] - found[best]) / scale
    of_partition = difference.mean(axis=1).std(ddof=1) / np.sqrt(len(difference))
    of_rows = difference.std(ddof=1) * np.sqrt(1.0 / difference.size + 1.0 / (FOLDS - 1))
    return Verdict(best, found[own].mean() / scale, float(of_partition), float(of_rows))


def row(name: str, found: dict[str, NDArray[np.float64]]) -> tuple[str, Verdict]:
    """Return a row of the table, and what it says of hist."""
    cells = [
        f"{found[peer].mean():.4g} ± {found[peer].mean(axis=1).std(ddof=1):.2g}" if peer in found else ""
        for peer in PEERS
    ]
    said = {own: verdict(found, own) for own in ("ours", "ours diagonal") if own in found}
    for v in said.values():
        mark = "**" if v.is_missed else ""
        cells.append(f"{mark}{v.ratio:.3f}{mark} ± {v.of_partition:.3f} ({v.of_rows:.3f}) of {v.best}")
    cells += [""] * (2 - len(said))
    return f"| {name} | {' | '.join(cells)} |", said["ours"]


def main(arguments: Sequence[str] = ()) -> None:
    """Print a row a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks tables", description=__doc__)
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; none is all")
    parser.add_argument("--repeats", type=int, default=5, help="partitions into folds, at least 2")
    parser.add_argument("--losses", type=Path, help="file for every single loss, as JSON lines")
    given = parser.parse_args(arguments)
    names = given.tables or TABLES
    print(*describe(), sep="\n")
    folds = f"{given.repeats} × {FOLDS} folds"
    print(f"{folds}, {ROUNDS} rounds, depth {DEPTH}, η {ETA}, λ {LAMBDA}; rmse or log loss")
    heads = ("table", *PEERS, "ours / best", "diagonal / best")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    missed = 0
    with threadpool_limits(1):
        for name in names:
            found = losses(name, given.repeats)
            text, said = row(name, found)
            missed += int(said.is_missed)
            print(text, flush=True)
            if given.losses is not None:
                with given.losses.open("a", encoding="utf-8") as lines:
                    json.dump({"table": name} | {p: v.tolist() for p, v in found.items()}, lines)
                    lines.write("\n")
    print(f"{missed} of {len(names)} tables are worse than the best by more than 1 % and two standard errors")
