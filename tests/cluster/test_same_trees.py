"""What a cluster grows is what XGBoost grows, tree for tree."""

from __future__ import annotations

import pytest
from distributed.utils import offload

from tests.cluster.runs import (
    Few,
    assert_same_trees,
    dataset,
    rounds_of,
    run_of,
    trees_of,
    xgboost_alone,
    xgboost_on_dask,
)
from workbench.cluster.connection import connect
from workbench.cluster.where import Where
from workbench.parameters.training import TrainingParams

# Table, target, parameters. Missing values in crash_survival, penguins and heart_disease; categories in most.
RECORDED = {
    "plain": ("concrete_strength", "compressive_strength", {}),
    "penalties": ("heart_disease", "disease", {"reg_lambda": 3.0, "reg_alpha": 0.5, "gamma": 0.4}),
    "deep": ("friedman_1", "y", {"max_depth": 9, "min_child_weight": 4.0, "learning_rate": 0.3}),
    "classes": ("penguins", "species", {"max_depth": 3}),
    "leafwise": ("bike_rentals", "bikers", {"grow_policy": "best_gain", "max_leaves": 12, "max_depth": 0}),
    "few bins": ("concrete_strength", "compressive_strength", {"max_bin": 16}),
    "drawn": ("crash_survival", "outcome", {"subsample": 0.7, "colsample_bytree": 0.6, "seed": 5}),
    "approx": ("concrete_strength", "compressive_strength", {"tree_method": "approx", "max_depth": 4}),
    "forest": ("heart_disease", "disease", {"num_parallel_tree": 3, "subsample": 0.6, "seed": 2}),
    "order": ("concrete_strength", "compressive_strength", {"monotone_constraints": "cement: 1, water: -1"}),
    "counts": ("bike_rentals", "bikers", {"objective": "poisson", "max_delta_step": 0.7}),
    "partitions": ("fuel_economy", "combined_mpg", {"max_cat_to_onehot": 1, "base_score": 20.0}),
}


def case(name, rounds=4):
    table, target, values = RECORDED[name]
    params = TrainingParams(rounds=rounds, **values)
    return dataset(table, target, params), params


def grown(data, params, connection):
    return [tree for event in rounds_of(run_of(data, params, connection).rounds()) for tree in event.trees]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.sampled) for name in RECORDED])
def test_one_worker_is_xgboost_itself(name, few):
    data, params = case(name)
    wanted = trees_of(xgboost_alone(data, params), data.features.shape[1])
    assert_same_trees(grown(data, params, few(1)), wanted)


@pytest.fixture(scope="module")
def four_workers():
    with connect(Where(workers=4, threads=1, memory="2GB")) as connection:
        connection.client.sync(offload, int)
        yield connection


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("name", RECORDED)
def test_several_workers_are_xgboost_dask(name, workers, four_workers):
    data, params = case(name)
    connection = Few(four_workers, workers)
    wanted = trees_of(xgboost_on_dask(data, params, connection), data.features.shape[1])
    assert_same_trees(grown(data, params, connection), wanted)
