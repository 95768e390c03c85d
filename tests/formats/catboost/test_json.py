"""Models that CatBoost has trained, read from its JSON."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from workbench.errors import WorkbenchError
from workbench.formats.load import load_model

catboost = pytest.importorskip("catboost", reason="CatBoost is large: only the extra bench installs it")

LOSSES = ("RMSE", "MAE", "Quantile:alpha=0.3", "Poisson", "Huber:delta=1", "Logloss", "CrossEntropy",
          "MultiClass", "MAPE")


def frame_of(n=600, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "number": rng.normal(size=n), "kind": rng.choice(["a", "b,c", "é"], n),
        "decimals": np.round(rng.exponential(size=n), 1), "whole": rng.integers(0, 9, n),
    })  # fmt: skip
    frame.loc[rng.random(n) < 0.1, "number"] = np.nan
    score = np.nan_to_num(frame["number"]) + (frame["kind"] == "é") + frame["decimals"]
    return frame, score + rng.normal(size=n) / 4


def target_of(loss, score):
    if loss in ("Logloss", "CrossEntropy"):
        return (score > score.median()).astype(int)
    if loss == "MultiClass":
        return pd.qcut(score, 3, labels=["u", "v", "w"]).astype(str)
    return score - score.min() + 1


def trained(loss="RMSE", **params):
    frame, score = frame_of()
    pool = catboost.Pool(frame, target_of(loss, score), cat_features=["kind"])
    chosen = {"loss_function": loss, "iterations": 15, "verbose": 0, "one_hot_max_size": 10,
              "thread_count": 1, "allow_writing_files": False, "random_seed": 1, **params}
    return catboost.CatBoost(chosen).fit(pool), frame, pool


def check(booster, rows, model):
    expected = np.asarray(booster.predict(rows, prediction_type="RawFormulaVal"))
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(model.predict_raw(rows), expected, rtol=1e-6, atol=1e-6 * scale)


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
@pytest.mark.parametrize("loss", LOSSES)
def test_predictions(loss, policy, tmp_path):
    booster, frame, pool = trained(loss, grow_policy=policy)
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    model = load_model(tmp_path / "m.json")
    check(booster, frame, model)
    other = frame.assign(kind=frame["kind"].where(frame.index % 3 > 0, "new"))
    other.loc[::4, "decimals"] = np.nan
    check(booster, other, model)
    assert model.schema.names == ("number", "kind", "decimals", "whole")


@pytest.mark.parametrize("params", [{"nan_mode": "Max"}, {"depth": 1}, {"iterations": 1}, {"border_count": 4},
                                    {"boost_from_average": False}])  # fmt: skip
def test_ways_of_training(params, tmp_path):
    booster, frame, pool = trained(**params)
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    check(booster, frame, load_model(tmp_path / "m.json"))


def test_classes_keep_their_names(tmp_path):
    booster, frame, pool = trained("MultiClass")
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    model = load_model(tmp_path / "m.json")
    assert list(model.predict_label(frame)) == list(booster.predict(frame, prediction_type="Class").ravel())


def test_a_class_name_that_stands_for_two_classes_is_refused(tmp_path):
    booster, _, pool = trained("MultiClass", iterations=1)
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    record = json.loads((tmp_path / "m.json").read_text())
    record["model_info"]["class_params"]["class_names"] = ["u", "v", "u"]
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match="class_names has 'u' twice"):
        load_model(tmp_path / "m.json")


@pytest.mark.parametrize(("change", "words"), [
    (lambda d: d["oblivious_trees"][0]["leaf_values"].pop(), "leaf_values"),
    (lambda d: d["oblivious_trees"][0]["splits"].extend(d["oblivious_trees"][0]["splits"] * 9), "levels"),
    (lambda d: d["oblivious_trees"][0]["splits"][0].update(float_feature_index=99), "damaged"),
    (lambda d: d["oblivious_trees"][0]["splits"][0].update(border=float("nan")), "border"),
    (lambda d: d["model_info"]["params"]["loss_function"].update(type="Mystery"), "Mystery"),
    (lambda d: d.update(scale_and_bias=[1]), "damaged"),
    (lambda d: d.update(scale_and_bias=[1, []]), "no outputs"),
    (lambda d: d["features_info"]["categorical_features"][0].update(values=["%1000000000d"]), "hash"),
    (lambda d: d["features_info"]["float_features"][0].update(flat_feature_index=1), "same place"),
])  # fmt: skip
def test_damage_is_said_in_one_line(change, words, tmp_path):
    booster, _, pool = trained(iterations=2)
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    record = json.loads((tmp_path / "m.json").read_text())
    change(record)
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(WorkbenchError, match=words):
        load_model(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("loss", "objective"), [("MultiRMSE", "squared"), ("MultiQuantile:alpha=0.1,0.9", "quantile")]
)
def test_several_outputs_that_are_no_classes(loss, objective, tmp_path):
    frame, score = frame_of()
    rows = frame[["number", "decimals", "whole"]]
    pool = catboost.Pool(rows, np.column_stack([score, 5 - 2 * score]) if loss == "MultiRMSE" else score)
    booster = catboost.CatBoost({"loss_function": loss, "iterations": 15, "verbose": 0, "thread_count": 1,
                                 "allow_writing_files": False}).fit(pool)  # fmt: skip
    booster.save_model(tmp_path / "m.json", format="json", pool=pool)
    model = load_model(tmp_path / "m.json")
    assert (model.ensemble.objective, model.ensemble.n_classes) == (objective, 2)
    np.testing.assert_allclose(model.predict(rows), booster.predict(rows), rtol=1e-9)
    model.save(tmp_path / "again.json", "xgboost")
    np.testing.assert_array_equal(load_model(tmp_path / "again.json").predict(rows), model.predict(rows))
