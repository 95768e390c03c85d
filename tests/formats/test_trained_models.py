"""On every table that is shipped: train, export, reload, predict here and through stock XGBoost."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from tests.formats.making import same_model
from workbench.__main__ import main
from workbench.data.encoding import encode
from workbench.data.reading import read_table
from workbench.data.samples import SAMPLES
from workbench.ensembles.prediction import leaf_indices
from workbench.formats.load import load_model

xgboost = pytest.importorskip("xgboost")


def train(sample, path):
    drop = [*sample.drop, *([sample.group] if sample.group else [])]
    roles = ["--ignore", *drop] if drop else []
    roles += ["--weight", sample.weight] if sample.weight else []
    argv = ["train", str(sample.path), "--target", sample.target, *roles, "--export", str(path)]
    return main([*argv, "--rounds", "8", "--valid-fraction", "0.2", "--quiet"])


@pytest.mark.sampled
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_every_shipped_table(sample, tmp_path):
    path, predictions = tmp_path / "m.json", tmp_path / "p.csv"
    assert train(sample, path) == 0
    model = load_model(path)
    (tmp_path / "again.json").write_bytes(path.read_bytes())
    same_model(model, load_model(tmp_path / "again.json"))
    table = read_table(sample.path)
    raw = model.predict_raw(table)
    assert main(["predict", str(path), str(sample.path), "--output", str(predictions), "--raw"]) == 0
    with predictions.open(encoding="utf-8", newline="") as stream:
        header, *rows = list(csv.reader(stream))
    columns = [i for i, name in enumerate(header) if name.startswith("raw")]
    np.testing.assert_array_equal(np.array(rows)[:, columns].astype(np.float32).reshape(raw.shape), raw)
    compare(model, path, encode(model.schema, table), raw)


def compare(model, path, rows, raw):
    booster = xgboost.Booster({"nthread": 1}, model_file=str(path))
    rows = np.ascontiguousarray(rows)
    names, types = booster.feature_names, booster.feature_types
    matrix = xgboost.DMatrix(rows, feature_names=names, feature_types=types, nthread=1)
    np.testing.assert_array_equal(booster.predict(matrix, output_margin=True), raw)
    inplace = booster.inplace_predict(rows, predict_type="margin", validate_features=False)
    np.testing.assert_array_equal(inplace, raw)
    np.testing.assert_allclose(booster.predict(matrix), model.transform(raw), rtol=1e-5, atol=2e-7)
    ours = leaf_indices(model.trees, rows)
    found = booster.predict(matrix, pred_leaf=True).reshape(len(rows), -1)[:, -len(model.trees) :]
    leaf_counts = [len(np.unique(ours[:, t])) for t in range(len(model.trees))]
    assert leaf_counts == [len(np.unique(found[:, t])) for t in range(len(model.trees))]
    few = xgboost.DMatrix(rows[:50], feature_names=names, feature_types=types, nthread=1)
    contributions = booster.predict(few, pred_contribs=True).sum(-1)
    np.testing.assert_allclose(contributions, raw[:50], rtol=1e-4, atol=1e-4 * max(1.0, np.abs(raw).max()))


def test_permuted_frame_through_xgboost(tmp_path):
    import pandas as pd

    from workbench.data.samples import sample

    cars = sample("fuel_economy")
    assert train(cars, tmp_path / "m.json") == 0
    model = load_model(tmp_path / "m.json")
    frame = pd.read_csv(cars.path)
    for feature in model.schema.features:
        if feature.is_categorical:
            shuffled = list(np.random.default_rng(0).permutation(feature.categories))
            frame[feature.name] = pd.Categorical(frame[feature.name].astype(str), shuffled)
    booster = xgboost.Booster({"nthread": 1}, model_file=str(tmp_path / "m.json"))
    frame = frame[list(model.schema.names)]
    frame.columns = booster.feature_names
    matrix = xgboost.DMatrix(frame, enable_categorical=True, nthread=1)
    expected = model.predict_raw(read_table(cars.path))
    np.testing.assert_array_equal(booster.predict(matrix, output_margin=True), expected)
