"""Models of programs that add leaves up in double precision, which single precision is too coarse for."""

from __future__ import annotations

import base64
import ctypes
import json
import shutil
import sqlite3
from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import pytest

import workbench
from tests.formats.code.test_code import library, module_of
from tests.formats.making import make_model, same_model
from workbench.ensembles.prediction import leaf_indices
from workbench.errors import WorkbenchError
from workbench.explain.attribution.shap_explainer import ShapExplainer
from workbench.explain.row_growth import row_growth
from workbench.formats.base import FORMATS
from workbench.formats.load import load_model
from workbench.formats.own.packed_figures import packed_figures
from workbench.formats.sklearn.export import save
from workbench.objectives.base import OBJECTIVES
from workbench.resources import resource_path
from workbench.scoring.score_file import score_file
from workbench.scoring.wanted import Wanted
from workbench.trees.tree import NODE_DTYPE

lightgbm = pytest.importorskip("lightgbm")
ensemble = pytest.importorskip("sklearn.ensemble")
NAMES = ["a", "b", "c"]


def rows_of(n=900, seed=0):
    """Columns of float32 numbers, as the Workbench has them, some missing."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3)).astype(np.float32).astype(float)
    target = np.exp(12 + rows[:, 0] + np.abs(rows[:, 1]))
    rows[rng.random(rows.shape) < 0.1] = np.nan
    return pd.DataFrame(rows, columns=NAMES), target


def of_lightgbm(objective="gamma", rounds=100, **params):
    frame, target = rows_of()
    settings = {"objective": objective, "verbose": -1, "num_threads": 1, **params}
    if objective == "binary":
        target = target > np.median(target)
    if objective == "multiclass":
        target = pd.qcut(target, 3, labels=False)
        settings["num_class"] = 3
    return lightgbm.train(settings, lightgbm.Dataset(frame, target), rounds), frame


@pytest.fixture
def imported(tmp_path):
    booster, frame = of_lightgbm()
    booster.save_model(tmp_path / "m.txt")
    return load_model(tmp_path / "m.txt"), booster.predict(frame), frame


@pytest.mark.sampled
@pytest.mark.parametrize("objective", ["poisson", "gamma", "tweedie", "regression", "binary", "multiclass"])
@pytest.mark.parametrize("kind", ["text", "json"])
def test_lightgbm_to_the_last_digits(objective, kind, tmp_path):
    booster, frame = of_lightgbm(objective)
    path = tmp_path / "m"
    path.write_text(booster.model_to_string() if kind == "text" else json.dumps(booster.dump_model()))
    np.testing.assert_allclose(load_model(path).predict(frame), booster.predict(frame), rtol=1e-12)


@pytest.mark.parametrize("loss", ["poisson", "gamma", "squared_error"])
def test_scikit_learn_to_the_last_digits(loss, tmp_path):
    frame, target = rows_of()
    made = ensemble.HistGradientBoostingRegressor(loss=loss, max_iter=60).fit(frame, target)
    save(made, tmp_path / "m.json")
    found = load_model(tmp_path / "m.json").predict(frame)
    np.testing.assert_allclose(found, made.predict(frame), rtol=1e-12)


def test_catboost_to_the_last_digits(tmp_path):
    catboost = pytest.importorskip("catboost")
    frame, target = rows_of()
    pool = catboost.Pool(frame, target)
    made = catboost.CatBoost({"loss_function": "Tweedie:variance_power=1.5", "iterations": 50, "verbose": 0,
                              "allow_writing_files": False, "thread_count": 1}).fit(pool)  # fmt: skip
    made.save_model(tmp_path / "m.json", format="json", pool=pool)
    expected = made.predict(frame, prediction_type="Exponent")
    np.testing.assert_allclose(load_model(tmp_path / "m.json").predict(frame), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["xgboost", "xgboost-ubjson", "json"])
def test_nothing_is_lost_in_our_own_files(name, imported, tmp_path):
    model, expected, frame = imported
    model.save(tmp_path / "again", name)
    again = load_model(tmp_path / "again")
    same_model(again, model)
    np.testing.assert_allclose(again.predict(frame), expected, rtol=1e-12)


@pytest.mark.slow
def test_the_readable_file_says_so(imported):
    record = json.loads(FORMATS.get("json").write(imported[0]))
    assert record["precision"] == "double"
    jsonschema.validate(record, json.loads(resource_path("model.schema.json").read_text("utf-8")))
    assert "precision" not in json.loads(FORMATS.get("json").write(make_model()))


def test_leaves_that_do_not_fit_xgboosts_section_are_refused(imported, tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.formats.xgboost.json.packed_figures", _with_other_leaves)
    imported[0].save(tmp_path / "m.json", "xgboost")
    with pytest.raises(WorkbenchError, match="different leaves"):
        load_model(tmp_path / "m.json")


def _with_other_leaves(nodes):
    packed = np.frombuffer(base64.b64decode(packed_figures(nodes))).copy()
    packed[-len(nodes) :] += 1
    return base64.b64encode(packed).decode()


def test_xgboost_loads_it_in_single_precision(imported, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    model, expected, frame = imported
    model.save(tmp_path / "m.json", "xgboost")
    booster = xgboost.Booster(model_file=str(tmp_path / "m.json"))
    found = booster.predict(xgboost.DMatrix(frame, nthread=1))
    np.testing.assert_allclose(found, expected, rtol=2e-5)


def test_the_python_module_adds_doubles(imported):
    model, expected, frame = imported
    made = module_of(FORMATS.get("python").write(model))
    given = [[None if np.isnan(x) else x for x in row] for row in frame.to_numpy().tolist()]
    assert [made["predict_raw"](row) for row in given] == model.predict_raw(frame).tolist()
    np.testing.assert_allclose([made["predict"](row) for row in given], expected, rtol=1e-12)


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_c_adds_doubles(imported, tmp_path):
    model, expected, frame = imported
    code = library(tmp_path / "model.so", model)
    found = []
    for row in np.ascontiguousarray(frame, np.float32):
        raw, prediction = ctypes.c_double(), ctypes.c_double()
        given = row.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        code.workbench_predict_raw(given, ctypes.byref(raw))
        code.workbench_predict(given, ctypes.byref(prediction))
        found.append((raw.value, prediction.value))
    assert [raw for raw, _ in found] == model.predict_raw(frame).tolist()
    np.testing.assert_allclose([prediction for _, prediction in found], expected, rtol=1e-12)


@pytest.mark.parametrize("objective", ["gamma", "regression", "binary", "multiclass"])
def test_onnx_adds_doubles(objective, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    booster, frame = of_lightgbm(objective, rounds=60)
    booster.save_model(tmp_path / "m.txt")
    load_model(tmp_path / "m.txt").save(tmp_path / "m.onnx")
    graph = runtime.InferenceSession(tmp_path / "m.onnx", providers=["CPUExecutionProvider"])
    _, found = graph.run(None, {"features": frame.to_numpy(np.float32)})
    expected = booster.predict(frame)
    np.testing.assert_allclose(found, expected.reshape(found.shape), rtol=1e-9)
    read = load_model(tmp_path / "m.onnx")
    np.testing.assert_allclose(read.predict(frame), expected, rtol=1e-12)


def test_a_query_has_all_digits(tmp_path):
    booster, frame = of_lightgbm("gamma", rounds=20)
    booster.save_model(tmp_path / "m.txt")
    base = sqlite3.connect(":memory:")
    frame.to_sql("data", base, index=False)
    text = FORMATS.get("sql").write(load_model(tmp_path / "m.txt")).decode()
    assert "last digits differ" not in text
    found = pd.read_sql(text.rstrip().rstrip(";"), base)["prediction"]
    np.testing.assert_allclose(found, booster.predict(frame), rtol=1e-12)


def test_rules_tell_all_digits_of_a_leaf(imported):
    model = imported[0]
    leaf = model.trees[0].nodes["leaf_value"][model.trees[0].is_leaf][0]
    assert leaf != np.float32(leaf)
    assert f"add {leaf}" in FORMATS.get("rules").write(model).decode()


def test_contributions_come_to_the_raw_prediction(imported):
    model, _, frame = imported
    explainer = ShapExplainer(model.ensemble)
    shares = explainer.contributions(frame.to_numpy(np.float32), serial=True)
    np.testing.assert_allclose(explainer.base[0] + shares[:, 0].sum(1), model.predict_raw(frame), rtol=1e-12)


def test_rounds_of_one_row_end_in_its_prediction(imported):
    model, expected, frame = imported
    grown = row_growth(model.ensemble, frame.to_numpy(np.float32)[0])
    assert grown.raw[-1, 0] == model.predict_raw(frame)[0]
    assert grown.raw[70, 0] == model.predict_raw(frame, rounds=70)[0]
    np.testing.assert_allclose(grown.predictions[-1, 0], expected[0], rtol=1e-12)


def test_rows_of_a_file_are_scored_in_double_precision(imported, tmp_path):
    model, expected, frame = imported
    frame.to_csv(tmp_path / "rows.csv", index=False)
    score_file(model, tmp_path / "rows.csv", tmp_path / "scored.csv", Wanted(raw=True))
    scored = pd.read_csv(tmp_path / "scored.csv")
    np.testing.assert_allclose(scored["prediction"], expected, rtol=1e-12)
    np.testing.assert_allclose(scored["raw"], np.log(expected), rtol=1e-12)


def test_training_goes_on_in_single_precision(imported):
    model, _, frame = imported
    _, target = rows_of()
    table = frame.assign(target=target)
    longer = workbench.fit(
        table, target="target", init_model=model, objective="gamma", rounds=3, valid_fraction=0.0
    )
    assert longer.rounds == model.rounds + 3
    raw, begun = longer.predict_raw(frame), longer.predict_raw(frame, rounds=model.rounds)
    assert raw.dtype == np.float32
    np.testing.assert_allclose(begun, model.predict_raw(frame), rtol=1e-6)
    mean = np.exp(raw.astype(float))
    deviance = 2 * np.mean(np.log(mean / target) + target / mean - 1)
    assert longer.history[-1]["train:gamma_deviance"] == pytest.approx(deviance, rel=1e-6)


def test_in_single_precision_all_is_single(imported):
    model, _, frame = imported
    single = replace(model, ensemble=model.ensemble.in_single())
    raw = single.predict_raw(frame)
    assert raw.dtype == np.float32
    assert {tree.nodes.dtype for tree in single.trees} == {NODE_DTYPE}
    np.testing.assert_allclose(raw, model.predict_raw(frame), rtol=1e-6)
    assert single.ensemble.in_single() is single.ensemble


def test_our_own_models_and_xgboosts_stay_in_single_precision(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    frame, target = rows_of()
    matrix = xgboost.DMatrix(frame, target, nthread=1)
    booster = xgboost.train({"objective": "reg:gamma", "nthread": 1}, matrix, 30)
    booster.save_model(tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    raw = model.predict_raw(frame)
    assert raw.dtype == np.float32
    np.testing.assert_array_equal(raw, booster.predict(matrix, output_margin=True))


@pytest.mark.parametrize("objective", [o.name for o in OBJECTIVES])
def test_every_link_keeps_the_precision_it_is_given(objective):
    link = OBJECTIVES.get(objective)
    single = np.float32([[0.25, -3], [1, 2]])
    single = single if objective == "softmax" else single[:, 0]
    one, two = link.transform(single), link.transform(single.astype(float))
    assert (one.dtype, two.dtype) == (np.float32, np.float64)
    np.testing.assert_allclose(one, two, rtol=3e-7)


def test_sets_of_categories_add_the_leaves_that_rows_reach(tmp_path):
    rng = np.random.default_rng(0)
    kinds = pd.Categorical(rng.integers(0, 40, 3000).astype(str))
    frame = pd.DataFrame({"k": kinds, "x": rng.normal(size=3000).astype(np.float32).astype(float)})
    target = (frame["k"].cat.codes * 7 % 5 + frame["x"]).to_numpy() * 1e5
    params = {"verbose": -1, "num_threads": 1, "min_data_per_group": 1, "max_cat_to_onehot": 1}
    booster = lightgbm.train(params, lightgbm.Dataset(frame, target), 30)
    booster.save_model(tmp_path / "m.txt")
    model = load_model(tmp_path / "m.txt")
    matrix = np.column_stack([frame["k"].cat.codes, frame["x"]]).astype(np.float32)
    reached = leaf_indices(model.trees, matrix)
    added = sum(tree.nodes["leaf_value"][at] for tree, at in zip(model.trees, reached.T, strict=True))
    assert any(len(tree.category_codes) > tree.n_nodes for tree in model.trees)
    np.testing.assert_array_equal(model.predict_raw(frame), added)
    np.testing.assert_allclose(model.predict(frame), booster.predict(frame), rtol=1e-12)
