"""A second table scored with models of other libraries: as these predict, new categories and NaN included."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.formats.load import load_model
from workbench.formats.sklearn.export import save
from workbench.scoring.score_file import score_file
from workbench.scoring.wanted import Wanted

CITIES = ["Basel", "Genf, GE", "Z\u00fcrich", 'a "b"']


def made_frame(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(18, 90, n) / 2, "score": rng.normal(size=n).round(4)})
    frame["city"] = rng.choice(CITIES, n)
    frame.loc[rng.random(n) < 0.1, ["age", "score"]] = np.nan
    return frame


def target_of(frame):
    return (frame["score"].fillna(1) + (frame["city"] == CITIES[2]) > 0.4).astype(int)


def with_codes(frame):
    known = frame["city"].where(frame["city"].isin(CITIES))
    return frame.assign(city=pd.Categorical(known, categories=CITIES))


def by_lightgbm(frame, path):
    lightgbm = pytest.importorskip("lightgbm")
    params = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_per_group": 5, "seed": 1}
    booster = lightgbm.train(params, lightgbm.Dataset(with_codes(frame), target_of(frame)), 12)
    booster.save_model(path)
    return lambda rows: booster.predict(with_codes(rows))


def by_catboost(frame, path):
    catboost = pytest.importorskip("catboost", reason="CatBoost is large: only the extra bench installs it")
    pool = catboost.Pool(frame, target_of(frame), cat_features=["city"])
    booster = catboost.CatBoostClassifier(iterations=12, verbose=0, one_hot_max_size=10, thread_count=1,
                                          allow_writing_files=False, random_seed=1).fit(pool)
    booster.save_model(str(path), format="json", pool=pool)
    return lambda rows: booster.predict_proba(rows)[:, 1]


def by_sklearn(frame, path):
    ensemble = pytest.importorskip("sklearn.ensemble")
    booster = ensemble.HistGradientBoostingClassifier(max_iter=12, categorical_features="from_dtype")
    booster.fit(with_codes(frame), target_of(frame))
    save(booster, path)
    return lambda rows: booster.predict_proba(with_codes(rows))[:, 1]


@pytest.mark.parametrize("train", [by_lightgbm, by_catboost, by_sklearn])
def test_scored_as_the_library_predicts(train, tmp_path):
    predict = train(made_frame(500, 0), tmp_path / "m.json")
    other = made_frame(300, 1)
    other.loc[::20, "city"] = "Lugano"
    other[["score", "city", "age"]].assign(more=1).to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(
        load_model(tmp_path / "m.json"), tmp_path / "t.csv", tmp_path / "out.csv", Wanted(kept=None)
    )
    out = pd.read_csv(tmp_path / "out.csv")
    probability = next(name for name in out if name in ("probability_1", "probability_yes"))
    np.testing.assert_allclose(out[probability], predict(other), atol=1e-6)
    assert list(out.columns[:4]) == ["score", "city", "age", "more"]
    told = " ".join(difference.text for difference in scored.differences)
    assert "15 rows have a new category ('Lugano')" in told
    assert "'more'" in told


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_numbers_that_are_rounded_are_told_of_models_whose_program_does_not_round_them(suffix, tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    frame = pd.DataFrame({"id": 16_777_216 + np.arange(400) % 40, "small": np.arange(400) / 7})
    target = frame["id"] % 2 + frame["small"]
    data = lightgbm.Dataset(frame, target)
    booster = lightgbm.train({"verbose": -1, "num_threads": 1, "min_data_in_leaf": 2}, data, 3)
    booster.save_model(tmp_path / "m.txt")
    path = tmp_path / f"t{suffix}"
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path)
    foreign = load_model(tmp_path / "m.txt")
    scored = score_file(foreign, path, tmp_path / "out.csv")
    assert [(told.kind, told.cells) for told in scored.differences] == [("rounded", 200)]
    assert "'16777217' in row 2" in scored.differences[0].text
    own = workbench.fit(frame, target.to_numpy(), rounds=2)
    assert not score_file(own, path, tmp_path / "out.csv").differences


@pytest.mark.parametrize("kind", ["text", "json", "kept here"])
def test_columns_with_blanks_are_found_though_lightgbm_writes_underscores(kind, tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"inc ome": rng.normal(size=300), " age": rng.normal(size=300)})
    booster = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(frame, frame.sum(axis=1)), 3)
    path = tmp_path / "m.json"
    path.write_text(json.dumps(booster.dump_model()) if kind == "json" else booster.model_to_string())
    if kind == "kept here":
        load_model(path).save(path)
    model = load_model(path)
    expected = booster.predict(frame)
    np.testing.assert_allclose(model.predict(frame), expected, rtol=1e-6)
    frame.to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    np.testing.assert_allclose(pd.read_csv(tmp_path / "out.csv")["prediction"], expected, rtol=1e-6)
    assert [(told.text, told.is_warning) for told in scored.differences] == [
        ("Column 'inc_ome' is read from 'inc ome': the model's file has underscores for blanks.", False),
        ("Column '_age' is read from 'age': the model's file has underscores for blanks.", False),
    ]
    frame.set_axis(["inc ome", "_age"], axis=1).assign(age=0).to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(model, tmp_path / "t.csv", tmp_path / "out.csv")
    assert [told.kind for told in scored.differences] == ["renamed", "extra"]


def test_none_of_two_columns_that_could_be_meant_is_taken(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    frame = pd.DataFrame({"a b_c": np.arange(100.0), "x": np.arange(100) % 7})
    booster = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(frame, frame["x"]), 3)
    booster.save_model(tmp_path / "m.txt")
    frame.assign(**{"a_b c": 1}).to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(load_model(tmp_path / "m.txt"), tmp_path / "t.csv", tmp_path / "out.csv")
    assert scored.differences[0].text == (
        "Column 'a_b_c' is missing, and taken as missing in every row. The table has 'a b_c' and 'a_b c'; "
        "rename the one that is meant."
    )


@pytest.mark.parametrize(("objective", "known"), [("mape", ["rmse", "mae"]), ("regression", ["rmse", "mae"])])
def test_answers_are_measured_also_where_the_loss_is_not_known_here(objective, known, tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    frame = pd.DataFrame({"a": np.arange(200) % 17, "target": np.arange(200) % 17 + 1.0})
    data = lightgbm.Dataset(frame[["a"]], frame["target"])
    booster = lightgbm.train({"verbose": -1, "num_threads": 1, "objective": objective}, data, 3)
    booster.save_model(tmp_path / "m.txt")
    frame.to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(load_model(tmp_path / "m.txt"), tmp_path / "t.csv", tmp_path / "out.csv")
    assert list(scored.evaluation.metrics)[:2] == known
    errors = booster.predict(frame[["a"]]) - frame["target"]
    assert scored.evaluation.metrics["rmse"] == pytest.approx(np.sqrt(np.mean(errors**2)))


@pytest.mark.parametrize("objective", ["binary:logistic", "reg:squarederror"])
def test_one_answer_is_not_held_against_several_predictions(objective, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    frame = pd.DataFrame({"a": np.arange(200) % 17, "target": np.arange(200) % 2})
    both = np.column_stack([frame["target"], 1 - frame["target"]])
    matrix = xgboost.DMatrix(frame[["a"]], both, nthread=1)
    booster = xgboost.train({"nthread": 1, "verbosity": 0, "objective": objective}, matrix, 3)
    booster.save_model(tmp_path / "m.json")
    frame.to_csv(tmp_path / "t.csv", index=False)
    scored = score_file(load_model(tmp_path / "m.json"), tmp_path / "t.csv", tmp_path / "out.csv")
    assert scored.evaluation is None
    out = pd.read_csv(tmp_path / "out.csv")
    np.testing.assert_allclose(out[["output_1", "output_2"]], booster.predict(matrix), atol=1e-6)
