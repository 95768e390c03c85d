"""Columns of truth values, which other programs take for the numbers 0 and 1."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from workbench.__main__ import main
from workbench.data.reading import read_table
from workbench.formats.load import load_model
from workbench.formats.sklearn.export import document


def table(n=400):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"on": rng.random(n) < 0.5, "size": rng.normal(size=n).round(2),
                          "whole": rng.integers(-3, 9, n)})  # fmt: skip
    return frame, 3 * frame["on"] + frame["size"] * (frame["whole"] > 2)


def of_xgboost(frame, target, path):
    xgboost = pytest.importorskip("xgboost")
    booster = xgboost.train({"nthread": 1}, xgboost.DMatrix(frame, target, nthread=1), 8)
    booster.save_model(path)

    def predict(rows):
        types = {"feature_names": booster.feature_names, "feature_types": booster.feature_types}
        matrix = rows.to_numpy(np.float32, na_value=np.nan)
        return booster.predict(xgboost.DMatrix(matrix, **types, nthread=1))

    return predict


def of_lightgbm(frame, target, path):
    lightgbm = pytest.importorskip("lightgbm")
    booster = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(frame, target), 8)
    booster.save_model(path)
    return lambda rows: booster.predict(rows.astype(float))


def of_sklearn(frame, target, path):
    ensemble = pytest.importorskip("sklearn.ensemble")
    forest = ensemble.HistGradientBoostingRegressor(max_iter=8).fit(frame, target)
    path.write_text(json.dumps(document(forest)))
    return lambda rows: forest.predict(rows.astype(float))


@pytest.fixture(params=[of_xgboost, of_lightgbm, of_sklearn])
def known(request, tmp_path):
    """The table, what the program predicts of rows, and its model here."""
    frame, target = table()
    predict = request.param(frame, target, tmp_path / "model.json")
    return frame, predict, load_model(tmp_path / "model.json")


def test_a_frame_is_predicted_as_there(known):
    frame, predict, model = known
    for rows in (frame, frame.astype(float), frame.astype(object), frame[:1], frame[frame["on"]]):
        np.testing.assert_allclose(model.predict(rows), predict(rows.astype(float)), rtol=1e-6)


def test_truth_values_may_be_missing(known):
    frame, predict, model = known
    rows = frame.astype({"on": "boolean", "size": "Float64", "whole": "Int64"})
    rows.loc[::5] = pd.NA
    np.testing.assert_allclose(model.predict(rows), predict(rows.astype("Float64")), rtol=1e-6)


@pytest.mark.parametrize("words", [("False", "True"), ("false", "true"), ("FALSE", "TRUE"), ("0", "1")])
def test_a_file_is_predicted_as_there(known, words, tmp_path, capsys):
    frame, predict, model = known
    path = tmp_path / "t.csv"
    frame.assign(on=frame["on"].map(dict(zip((False, True), words, strict=True)))).to_csv(path, index=False)
    expected = predict(frame)
    np.testing.assert_allclose(model.predict(read_table(path)), expected, rtol=1e-6)
    main(["predict", str(tmp_path / "model.json"), str(path), "--output", str(tmp_path / "o.csv")])
    assert "'on'" not in capsys.readouterr().err
    np.testing.assert_allclose(pd.read_csv(tmp_path / "o.csv")["prediction"], expected, rtol=1e-6)


def test_so_is_a_parquet_file(known, tmp_path):
    pytest.importorskip("pyarrow")
    frame, predict, _ = known
    frame.to_parquet(tmp_path / "t.parquet")
    main(["predict", str(tmp_path / "model.json"), str(tmp_path / "t.parquet"), "--output",
          str(tmp_path / "o.csv"), "--quiet"])  # fmt: skip
    np.testing.assert_allclose(pd.read_csv(tmp_path / "o.csv")["prediction"], predict(frame), rtol=1e-6)
