"""Runs whose columns have more cuts than a byte can tell apart, beside exact search and XGBoost."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost

import workbench
from tests.ensembles.test_exact_parity import numbers_of
from tests.reference import naive_tree
from tests.reference.tables import fitted
from workbench.given import make_dataset

FINE_TABLES = ("bike_rentals", "breast_cancer", "concrete_strength", "nested_spheres", "seattle_weather")
PARAMS = {
    "plain": {},
    "rows drawn": {"subsample": 0.7},
    "columns drawn": {"colsample_bytree": 0.9, "colsample_bylevel": 0.7, "colsample_bynode": 0.7},
    "by gain": {"grow_policy": "best_gain", "max_leaves": 20, "max_depth": 0},
    "pruned": {"gamma": 2.0, "pruning": "post", "min_child_weight": 4.0},
    "restrained": {"min_leaf_rows": 9, "reg_alpha": 0.2, "max_delta_step": 0.7},
}


def rows_of(n=4000, missing=0.05, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype(np.float32)
    x[:, 4] = rng.integers(0, 9, n)
    x[rng.random(x.shape) < missing] = np.nan
    known = np.nan_to_num(x)
    y = np.sin(5 * known[:, 0]) + known[:, 1] * (known[:, 2] > 0) + 0.2 * known[:, 4]
    return x, y + rng.normal(size=n) * 0.2


def different_nodes(ours, theirs):
    """Nodes of two trees that part the rows otherwise, but for ties: both ways gain the same."""
    found, pairs = [], [(0, 0)]
    while pairs:
        a, b = pairs.pop()
        one, other = ours.nodes[a], theirs.nodes[b]
        is_same = one["feature"] == other["feature"] and one["count"] == other["count"]
        if is_same and one["feature"] >= 0:
            left, other_left = int(one["left"]), int(other["left"])
            is_same = ours.nodes["count"][left] == theirs.nodes["count"][other_left]
            pairs += [(left, other_left), (left + 1, other_left + 1)] if is_same else []
        if not is_same and one["gain"] != pytest.approx(other["gain"], rel=1e-6):
            found.append((a, b))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("chosen", PARAMS)
@pytest.mark.parametrize("name", FINE_TABLES)
def test_a_bin_for_every_value_is_exact_search(name, chosen):
    data = numbers_of(name, weighted=False)
    assert max(len(np.unique(column)) for column in data.features.T) > 254
    # Thresholds lie midway between values of all rows here, of the drawn rows of the node there: rows that
    # are left out may fall otherwise, and later rounds begin elsewhere.
    n_rounds = 1 if chosen == "rows drawn" else 3
    exact, fine = (
        fitted(data, rounds=n_rounds, tree_method=method, max_bin=65_535, **PARAMS[chosen])
        for method in ("exact", "hist")
    )
    for ours, theirs in zip(fine.trees, exact.trees, strict=True):
        assert different_nodes(ours, theirs) == []
    assert sum(tree.n_nodes for tree in fine.trees) > 10


@pytest.mark.parametrize("method", ["hist", "approx"])
@pytest.mark.parametrize("chosen", PARAMS)
def test_threads_change_nothing(method, chosen, threads_for_few_rows):
    x, y = rows_of()
    models = [
        workbench.fit(
            x, y, rounds=4, max_bin=900, valid_fraction=0.2, tree_method=method, threads=threads,
            **PARAMS[chosen],
        )
        for threads in (1, 2, 3)
    ]
    assert models[0].provenance["cuts"] == [900, 900, 900, 900, 9]
    for model in models[1:]:
        assert np.array_equal(model.predict_raw(x), models[0].predict_raw(x))
        assert model.history[-1]["valid:rmse"] == models[0].history[-1]["valid:rmse"]


def test_rows_at_the_cuts_go_the_same_way_everywhere(tmp_path):
    x, y = rows_of()
    model = workbench.fit(x, y, rounds=6, max_bin=3000)
    nodes = np.concatenate([tree.nodes for tree in model.trees])
    asked = nodes[nodes["feature"] >= 0]
    rows = np.repeat(x[:1], 3 * len(asked), axis=0)
    for k, step in enumerate((-np.inf, None, np.inf)):
        own = asked["threshold"]
        values = own if step is None else np.nextafter(own, np.float32(step))
        rows[k :: 3][np.arange(len(asked)), asked["feature"]] = values
    raw = model.predict_raw(rows)
    assert np.array_equal(raw, naive_tree.raw_predictions(model.ensemble, rows))
    model.save(tmp_path / "model.json")
    booster = xgboost.Booster(model_file=tmp_path / "model.json")
    table = xgboost.DMatrix(rows, feature_names=booster.feature_names)
    assert np.array_equal(booster.predict(table, output_margin=True), raw)
    assert np.array_equal(workbench.load_model(tmp_path / "model.json").predict_raw(rows), raw)


def test_held_out_and_left_out_rows_are_predicted_as_the_model_predicts_them():
    x, y = rows_of()
    model = workbench.fit(x, y, rounds=5, max_bin=2000, valid_fraction=0.3, subsample=0.5)
    dataset = make_dataset(x, y, None, None, None, 0.3, workbench.TrainingParams())
    for name, rows in (("train", dataset.train_rows), ("valid", dataset.valid_rows)):
        error = np.sqrt(np.mean((model.predict(x[rows]) - y[rows]) ** 2))
        assert model.history[-1][f"{name}:rmse"] == pytest.approx(error, rel=1e-6)


def test_going_on_gives_the_same_model(tmp_path):
    x, y = rows_of()
    whole = workbench.fit(x, y, rounds=8, max_bin=1000, subsample=0.8)
    workbench.fit(x, y, rounds=3, max_bin=1000, subsample=0.8).save(tmp_path / "model.json")
    begun = workbench.load_model(tmp_path / "model.json")
    assert begun.params.max_bin == 1000
    gone_on = workbench.fit(x, y, rounds=5, max_bin=1000, subsample=0.8, init_model=begun)
    assert np.array_equal(gone_on.predict_raw(x), whole.predict_raw(x))


def test_approx_with_equal_hessians_is_hist():
    x, y = rows_of()
    hist, approx = (workbench.fit(x, y, rounds=3, max_bin=700, tree_method=m) for m in ("hist", "approx"))
    assert np.array_equal(hist.predict_raw(x), approx.predict_raw(x))


@pytest.mark.slow
@pytest.mark.parametrize("max_bin", [512, 4096])
def test_held_out_loss_is_that_of_xgboost(max_bin):
    ratios = []
    for seed in range(3):
        x, y = rows_of(6000, seed=seed)
        params = {"learning_rate": 0.2, "max_depth": 5, "max_bin": max_bin}
        model = workbench.fit(x[:4000], y[:4000], rounds=60, **params)
        theirs = xgboost.XGBRegressor(n_estimators=60, tree_method="hist", **params).fit(x[:4000], y[:4000])
        ours, other = (
            np.sqrt(np.mean((m.predict(x[4000:]) - y[4000:]) ** 2)) for m in (model, theirs)
        )
        ratios.append(ours / other)
    assert np.mean(ratios) < 1.02


def test_more_bins_follow_a_steep_function():
    """A table on which 255 bins are too few: nearly all rows lie where nothing happens."""
    rng = np.random.default_rng(0)
    x = np.where(rng.random(60_000) < 0.98, rng.normal(size=60_000), rng.uniform(50, 51, 60_000))
    y = np.where(x > 40, np.sign(np.sin(60 * x)), 0.0)
    models = [workbench.fit(x[:, None], y, rounds=40, max_bin=max_bin) for max_bin in (255, 8192)]
    errors = [model.history[-1]["train:rmse"] for model in models]
    assert errors[1] < 0.5 * errors[0]
