"""The two hessians of softmax: beside XGBoost's own and beside XGBoost with the diagonal given to it."""

from __future__ import annotations

import numpy as np
import pytest
import xgboost

import workbench

HESSIANS = {"bound": 2.0, "diagonal": 1.0}
LABELS = np.array(["a", "b", "c", "d"])
SAME = {"max_depth": 3, "learning_rate": 0.4, "reg_lambda": 1.5, "min_child_weight": 5.0}
ROUNDS = 4


def rows():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(500, 3)).astype(np.float32)
    return x, np.digitize(x[:, 0] + x[:, 1] ** 2 + rng.normal(size=500) / 2, [0.2, 1.0, 2.2])


def fitted(hessian, **more):
    x, y = rows()
    chosen = {"rounds": ROUNDS, "threads": 1, "objective": "softmax", **SAME, **more}
    return workbench.fit(x, LABELS[y], softmax_hessian=hessian, **chosen)


def told(factor):
    """XGBoost, told gradients and hessians of softmax with this factor."""
    x, y = rows()
    table = xgboost.DMatrix(x, y)

    def derivatives(raw, data):
        p = np.exp(raw - raw.max(axis=1, keepdims=True).astype(float))
        p /= p.sum(axis=1, keepdims=True)
        hit = data.get_label()[:, None] == np.arange(4)
        return p - hit, np.maximum(factor * p * (1 - p), 1e-16)

    params = SAME | {"tree_method": "exact", "num_class": 4, "base_score": 0.0, "nthread": 1}
    booster = xgboost.train(params | {"objective": "multi:softprob"}, table, ROUNDS, obj=derivatives)
    return booster.predict(table, output_margin=True)


@pytest.mark.parametrize("hessian", HESSIANS)
def test_trees_are_those_of_xgboost_with_the_same_hessian(hessian):
    model = fitted(hessian, tree_method="exact", base_score=0.0)
    np.testing.assert_allclose(model.predict_raw(rows()[0]), told(HESSIANS[hessian]), rtol=1e-4, atol=1e-5)


def test_the_first_step_is_twice_as_large():
    chosen = {"max_depth": 1, "reg_lambda": 0.0, "rounds": 1}
    by_class = {name: [tree.nodes["weight"] for tree in fitted(name, **chosen).trees] for name in HESSIANS}
    np.testing.assert_allclose(by_class["diagonal"], 2 * np.array(by_class["bound"]), rtol=1e-6)


@pytest.mark.parametrize("hessian", HESSIANS)
def test_the_file_says_which_and_predicts_the_same_bits(tmp_path, hessian):
    model, x = fitted(hessian), rows()[0]
    model.save(tmp_path / "m.json")
    again = workbench.load_model(tmp_path / "m.json")
    assert again.params.softmax_hessian == hessian
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    table = xgboost.DMatrix(x, feature_names=booster.feature_names, feature_types=booster.feature_types)
    assert np.array_equal(booster.predict(table, output_margin=True), model.predict_raw(x))
    longer = fitted(hessian, rounds=2, init_model=again)
    assert np.array_equal(longer.predict_raw(x), fitted(hessian, rounds=ROUNDS + 2).predict_raw(x))
