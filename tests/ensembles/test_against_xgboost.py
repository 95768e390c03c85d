"""Hold-out loss beside XGBoost's hist with the same parameters, on the tables that come with the program."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost

from tests.reference.tables import fitted
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.roles import guess_roles
from workbench.data.samples import sample
from workbench.ensembles.prediction import raw_predictions
from workbench.metrics.base import METRICS, measure
from workbench.objectives.base import OBJECTIVES
from workbench.parameters.methods import LOSSES

TABLES = (
    "bike_rentals", "breast_cancer", "concrete_strength", "crash_survival", "desert_rodents", "digits_8x8",
    "friedman_1", "fuel_economy", "nested_spheres", "seattle_weather",
)
XGBOOST_NAME = {
    "regression": "reg:squarederror", "binary": "binary:logistic", "multiclass": "multi:softprob",
}
PARAMS = {"learning_rate": 0.1, "max_depth": 4, "reg_lambda": 1.0, "min_child_weight": 1.0}
GAMMA = 0.05
ROUNDS = 40
SPLITS = {"breast_cancer": 30}  # others 6: the tables are small, one split alone says little


def splits(name):
    table = read_table(sample(name).path)
    roles = guess_roles(table)
    roles[sample(name).target] = "target"
    return [build_dataset(table, roles, seed=seed) for seed in range(SPLITS.get(name, 6))]


def our_raw(data):
    ensemble = fitted(data, rounds=ROUNDS, gamma=GAMMA, **PARAMS)
    return raw_predictions(ensemble, data.features[data.valid_rows])


def their_raw(data):
    kinds = ["c" if f.is_categorical else "q" for f in data.schema.features]
    train, valid = (
        xgboost.DMatrix(
            np.ascontiguousarray(data.features[rows]), data.target[rows], feature_types=kinds,
            weight=None if data.weight is None else data.weight[rows], enable_categorical=True,
        )
        for rows in (data.train_rows, data.valid_rows)
    )
    params = PARAMS | {
        "objective": XGBOOST_NAME[data.schema.task], "gamma": 2 * GAMMA, "tree_method": "hist",
        "max_bin": 254, "nthread": 1,
    }
    if data.schema.task == "multiclass":
        params["num_class"] = len(data.schema.class_labels)
    return xgboost.train(params, train, ROUNDS).predict(valid, output_margin=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_hold_out_loss(name):
    losses = []
    for data in splits(name):
        objective = OBJECTIVES.get(LOSSES[data.schema.task])
        metric = METRICS.get(objective.metrics[0])
        weight = None if data.weight is None else data.weight[data.valid_rows]
        target = data.target[data.valid_rows]
        raws = our_raw(data), their_raw(data)
        losses.append([measure(metric, objective, target, raw, weight) for raw in raws])
    ours, theirs = np.mean(losses, axis=0)
    assert ours < 1.01 * theirs, f"{ours:.5f} against {theirs:.5f}"
