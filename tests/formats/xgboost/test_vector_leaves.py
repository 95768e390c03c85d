"""XGBoost's trees that hold a number for each output in every leaf."""

from __future__ import annotations

import json

import numpy as np
import pytest

from workbench.errors import WorkbenchError
from workbench.formats.load import load_model

xgboost = pytest.importorskip("xgboost")


def data_of(objective="reg:squarederror"):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(500, 4)).astype(np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    first, second = np.nan_to_num(rows[:, 0]), np.nan_to_num(rows[:, 1])
    if objective == "reg:squarederror":
        return rows, np.column_stack([first, -7 * second, first * second])
    return rows, (first > 0).astype(int) + (second > 0.5)


def trained(objective="reg:squarederror", **params):
    rows, target = data_of(objective)
    settings = {"objective": objective, "multi_strategy": "multi_output_tree", "tree_method": "hist",
                "max_depth": 4, "nthread": 1, **params}  # fmt: skip
    return xgboost.train(settings, xgboost.DMatrix(rows, target, nthread=1), 6), rows


@pytest.mark.parametrize("kind", ["json", "ubj"])
@pytest.mark.parametrize("params", [
    {}, {"objective": "multi:softprob", "num_class": 3}, {"num_parallel_tree": 3, "subsample": 0.5},
    {"objective": "reg:quantileerror", "quantile_alpha": [0.2, 0.8]}, {"gamma": 30.0}, {"max_depth": 0},
    {"base_score": 2.5},
], ids=str)  # fmt: skip
def test_each_output_has_its_trees(params, kind, tmp_path):
    booster, rows = trained(**params)
    booster.save_model(tmp_path / f"m.{kind}")
    model = load_model(tmp_path / f"m.{kind}")
    expected = booster.predict(xgboost.DMatrix(rows, nthread=1), output_margin=True)
    np.testing.assert_array_equal(model.predict_raw(rows), expected)
    assert model.ensemble.n_classes == expected.shape[1]
    assert np.isnan(model.trees[0].nodes["sum_hessian"]).all()
    model.save(tmp_path / "ours.json")
    np.testing.assert_array_equal(load_model(tmp_path / "ours.json").predict_raw(rows), expected)


@pytest.mark.parametrize(("change", "words"), [
    (lambda tree: tree["tree_param"].update(size_leaf_vector="4"), "another number of values"),
    (lambda tree: tree["leaf_weights"].pop(), "leaf_weights has"),
    (lambda tree: tree["right_children"].__setitem__(-1, 10**6), "right_children has a number outside"),
    (lambda tree: tree["leaf_weights"].__setitem__(0, None), "no finite"),
])  # fmt: skip
def test_damage_is_said_in_one_line(change, words, tmp_path):
    booster, _ = trained()
    record = json.loads(booster.save_raw("json"))
    change(record["learner"]["gradient_booster"]["model"]["trees"][0])
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match=words):
        load_model(tmp_path / "m.json")
