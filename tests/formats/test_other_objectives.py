"""Objectives that only models of other programs have: read, predicted with, taken away; not trained on."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.__main__ import main
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model
from workbench.objectives.base import by_use

xgboost = pytest.importorskip("xgboost")
lightgbm = pytest.importorskip("lightgbm")
catboost = pytest.importorskip("catboost")


def rows_of(n=300, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    score = np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + rng.normal(size=n) / 5
    x[rng.random(x.shape) < 0.1] = np.nan
    return x, score


def by_xgboost(path, objective, target, **params):
    x, _ = rows_of()
    matrix = xgboost.DMatrix(x, target, nthread=1)
    if objective == "survival:aft":
        matrix.set_float_info("label_lower_bound", target)
        matrix.set_float_info("label_upper_bound", 1.3 * target)
    settings = {"objective": objective, "nthread": 1, "verbosity": 0, "max_depth": 4, **params}
    booster = xgboost.train(settings, matrix, 5)
    booster.save_model(path)
    return load_model(path), x, booster.predict(matrix), booster.predict(matrix, output_margin=True)


def by_lightgbm(path, target, **params):
    x, _ = rows_of()
    booster = lightgbm.train({"verbose": -1, "num_threads": 1, **params}, lightgbm.Dataset(x, target), 5)
    booster.save_model(path)
    return load_model(path), x, booster.predict(x), booster.predict(x, raw_score=True)


def by_catboost(path, target, loss, kind):
    x, _ = rows_of()
    booster = catboost.CatBoost({
        "loss_function": loss, "iterations": 5, "depth": 4, "verbose": 0, "thread_count": 1,
        "allow_writing_files": False,
    })  # fmt: skip
    booster.fit(x, target)
    booster.save_model(str(path), format="json")
    predicted = booster.predict(x, prediction_type=kind)
    return load_model(path), x, predicted, booster.predict(x)


def of_classes(scores, data):
    """The gradients of a softmax, as somebody writes an objective of their own."""
    target = data.get_label().astype(int)
    scores = scores.reshape(len(target), -1)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares = powers / powers.sum(axis=1, keepdims=True)
    return shares - np.eye(scores.shape[1])[target], 2 * shares * (1 - shares)


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("more", [{}, {"base_score": 0.3}])
@pytest.mark.parametrize("objective", ["survival:cox", "survival:aft", "binary:hinge", "binary:logitraw"])
def test_xgboosts_rarer_objectives_predict_the_same(objective, more, tmp_path):
    score = rows_of()[1]
    target = np.exp(score) if objective.startswith("survival") else (score > 0).astype(int)
    model, x, predicted, raw = by_xgboost(tmp_path / "m.json", objective, target, **more)
    assert_close(model.predict_raw(x), raw)
    assert_close(model.predict(x), predicted)
    if objective.startswith("binary"):
        assert (model.predict_label(x) == (raw > 0)).all()


def test_until_version_1_3_xgboost_took_the_base_of_logitraw_for_a_probability(tmp_path):
    target = (rows_of()[1] > 0).astype(int)
    _, x, _, raw = by_xgboost(tmp_path / "m.json", "binary:logitraw", target, base_score=0.3)
    document = json.loads((tmp_path / "m.json").read_text())
    for version, more in (([1, 2, 1], np.log(0.3 / 0.7) - 0.3), ([1, 3, 3], 0.0)):
        (tmp_path / "old.json").write_text(json.dumps({**document, "version": version}))
        model = load_model(tmp_path / "old.json")
        assert_close(model.predict_raw(x), raw + more)
        assert_close(model.predict(x), raw + more)


def test_log_odds_are_called_such_where_a_table_is_scored(tmp_path):
    target = (rows_of()[1] > 0).astype(int)
    model, x, _, raw = by_xgboost(tmp_path / "m.json", "binary:logitraw", target)
    pd.DataFrame(x, columns=model.schema.names).to_csv(tmp_path / "t.csv", index=False)
    main(["predict", str(tmp_path / "m.json"), str(tmp_path / "t.csv"), "--output", str(tmp_path / "o.csv")])
    scored = pd.read_csv(tmp_path / "o.csv")
    assert list(scored.columns[-2:]) == ["prediction", "log_odds_1"]
    assert_close(scored["log_odds_1"], raw)
    assert (scored["prediction"] == (raw > 0)).all()


def test_labels_that_are_each_yes_or_no_have_a_chance_each(tmp_path):
    score = rows_of()[1]
    several = np.column_stack([score > 0, score > 1]).astype(int)
    model, x, predicted, _ = by_xgboost(tmp_path / "m.json", "binary:logistic", several)
    assert model.predict(x).shape == (300, 2)
    assert_close(model.predict(x), predicted)
    with pytest.raises(WorkbenchError, match="a number, not a class"):
        model.predict_label(x)


@pytest.mark.parametrize(("objective", "more"), [
    ("multiclassova", {"num_class": 3}), ("multiclassova", {"num_class": 3, "sigmoid": 2.0}),
    ("regression", {"reg_sqrt": True}), ("regression_l1", {"reg_sqrt": True}),
    ("cross_entropy_lambda", {}),
])  # fmt: skip
def test_lightgbms_rarer_objectives_predict_the_same(objective, more, tmp_path):
    score = rows_of()[1]
    classes = np.digitize(score, [-0.5, 0.5])
    chances = 1 / (1 + np.exp(-score))
    target = {"multiclassova": classes, "cross_entropy_lambda": chances}.get(objective, score)
    model, x, predicted, raw = by_lightgbm(tmp_path / "m.txt", target, objective=objective, **more)
    assert_close(model.predict(x), predicted)
    assert_close(model.predict_raw(x), more.get("sigmoid", 1.0) * raw)
    if objective == "multiclassova":
        assert (model.predict_label(x) == predicted.argmax(axis=1)).all()


@pytest.mark.parametrize(("loss", "kind"), [
    ("MultiClassOneVsAll", "Probability"), ("MultiLogloss", "Probability"), ("Cox", "RawFormulaVal"),
    ("RMSEWithUncertainty", "RMSEWithUncertainty"), ("Focal:focal_alpha=0.5;focal_gamma=2", "Probability"),
])  # fmt: skip
def test_catboosts_rarer_losses_predict_the_same(loss, kind, tmp_path):
    score = rows_of()[1]
    target = {
        "MultiClassOneVsAll": np.digitize(score, [-0.5, 0.5]), "Cox": np.exp(score),
        "MultiLogloss": np.column_stack([score > 0, score > 1]).astype(int), "RMSEWithUncertainty": score,
    }.get(loss, (score > 0).astype(int))  # fmt: skip
    model, x, predicted, _ = by_catboost(tmp_path / "m.json", target, loss, kind)
    assert_close(model.predict(x), predicted[:, 1] if loss.startswith("Focal") else predicted)
    if loss == "RMSEWithUncertainty":
        assert model.ensemble.output_names == ("mean", "variance")


@pytest.mark.parametrize("suffix", [".json", ".ubj", ".plain.json"])
def test_they_are_taken_away_and_come_back(suffix, tmp_path):
    classes = np.digitize(rows_of()[1], [-0.5, 0.5])
    model, x, predicted, _ = by_lightgbm(
        tmp_path / "m.txt", classes, objective="multiclassova", num_class=3
    )
    model.save(tmp_path / f"again{suffix}")
    again = load_model(tmp_path / f"again{suffix}")
    assert again.ensemble.objective == "one_vs_rest"
    assert_close(again.predict(x), predicted)
    if suffix != ".plain.json":
        booster = xgboost.Booster(model_file=str(tmp_path / f"again{suffix}"))
        names, types = booster.feature_names, booster.feature_types
        assert_close(booster.predict(xgboost.DMatrix(x, feature_names=names, feature_types=types)), predicted)


def test_going_on_from_them_is_refused_with_the_reason(tmp_path):
    score = rows_of()[1]
    model, x, _, _ = by_xgboost(tmp_path / "m.json", "survival:cox", np.exp(score))
    frame = pd.DataFrame(x, columns=model.schema.names).assign(target=np.exp(score))
    with pytest.raises(WorkbenchError, match="'cox' is known from models of other programs"):
        workbench.fit(frame, target="target", objective="cox", rounds=6, init_model=model)
    with pytest.raises(WorkbenchError, match="was trained for 'cox', not for 'squared'"):
        workbench.fit(frame, target="target", rounds=6, init_model=model)


def test_only_what_can_be_trained_is_offered():
    offered = {objective.name for objective in by_use()}
    assert {"squared", "logistic", "softmax"} < offered
    assert not offered & {"cox", "aft", "hinge", "one_vs_rest", "custom"}


@pytest.mark.parametrize("asked", [True, False])
def test_names_of_categories_belong_to_the_columns_that_are_asked_for_them(asked, tmp_path):
    """LightGBM 2 wrote no `feature_infos` into its JSON."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "kind": pd.Categorical(rng.choice(["a", "b", "c", "d"], 600)), "size": rng.normal(size=600),
        "late": pd.Categorical(rng.choice(["x", "y"], 600)),
    })  # fmt: skip
    target = frame["kind"].cat.codes * 2.0 % 3 + frame["size"] + (frame["late"] == "y" if asked else 0)
    settings = {"verbose": -1, "num_threads": 1, "min_data_per_group": 5, "objective": "regression"}
    booster = lightgbm.train(settings, lightgbm.Dataset(frame, target), 3)
    document = booster.dump_model()
    del document["feature_infos"]
    (tmp_path / "m.json").write_text(json.dumps(document))
    model = load_model(tmp_path / "m.json")
    assert model.schema.features[2].categories == ("x", "y")
    assert_close(model.predict(frame), booster.predict(frame))


def test_somebodys_own_objective_has_as_many_outputs_as_the_file_says(tmp_path):
    x, score = rows_of()
    target = np.digitize(score, [-0.5, 0.5])
    matrix = xgboost.DMatrix(x, target, nthread=1)
    params = {"num_class": 3, "objective": "reg:squarederror", "nthread": 1, "verbosity": 0}
    booster = xgboost.train(params, matrix, 4, obj=of_classes)
    booster.save_model(tmp_path / "x.json")
    given = {"num_class": 3, "objective": of_classes, "verbose": -1, "num_threads": 1}
    forest = lightgbm.train(given, lightgbm.Dataset(x, target), 4)
    forest.save_model(tmp_path / "m.txt")
    (tmp_path / "m.json").write_text(json.dumps(forest.dump_model()))
    expected = {"x.json": booster.predict(matrix, output_margin=True)}
    expected |= dict.fromkeys(("m.txt", "m.json"), forest.predict(x, raw_score=True))
    for name, raw in expected.items():
        model = load_model(tmp_path / name)
        assert model.ensemble.output_names == ("output 1", "output 2", "output 3")
        assert_close(model.predict_raw(x), raw)
        model.save(tmp_path / "again.json")
        assert_close(load_model(tmp_path / "again.json").predict(x), raw)
