"""A known part of each row's raw prediction: exposures, and models to build on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.metrics import mean_poisson_deviance

import workbench
from tests.reference.naive_tree import leaf_of
from workbench.__main__ import main
from workbench.errors import WorkbenchError


def claims(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)).astype(np.float32)
    exposure = rng.uniform(0.05, 5, n)
    y = rng.poisson(exposure * np.exp(0.5 * x[:, 0] - 1)).astype(float)
    return x, y, np.log(exposure)


@pytest.mark.parametrize("objective", ["squared", "poisson", "absolute", "huber", "gamma"])
@pytest.mark.parametrize("method", ["hist", "exact"])
def test_trees_are_grown_on_the_offset(objective, method, tmp_path):
    x, y, offset = claims(600)
    target = y + 0.5 if objective == "gamma" else y
    params = {"objective": objective, "rounds": 4, "tree_method": method, "subsample": 0.8}
    model = workbench.fit(x, target, base_margin=offset, **params)
    raw = model.predict_raw(x, base_margin=offset)
    for i in range(5):
        walked = np.float32(model.ensemble.base_margin[0] + np.float32(offset[i]))
        for tree in model.trees:
            walked += tree.nodes["leaf_value"][leaf_of(tree, x[i])]
        assert raw[i] == walked
    model.save(tmp_path / "m.json")
    again = workbench.load_model(tmp_path / "m.json")
    assert np.array_equal(again.predict_raw(x, base_margin=offset), raw)
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    table = xgboost.DMatrix(x, feature_names=booster.feature_names, base_margin=offset)
    assert np.array_equal(booster.predict(table, output_margin=True), raw)


def test_the_base_is_the_best_constant_beside_the_offset():
    x, y, offset = claims()
    model = workbench.fit(x, y, base_margin=offset, objective="poisson", rounds=1)
    assert model.ensemble.base_margin[0] == pytest.approx(np.log(y.sum() / np.exp(offset).sum()), abs=1e-5)


@pytest.mark.filterwarnings("ignore::workbench.errors.WorkbenchWarning")  # steps of nothing
@pytest.mark.parametrize("objective", ["squared", "poisson", "gamma", "tweedie", "logistic"])
@pytest.mark.parametrize("size", [1e-6, 1.0, 150.0, 1e6])
def test_the_base_is_the_best_constant_whatever_the_size_of_the_target(objective, size):
    rng = np.random.default_rng(3)
    offset = rng.normal(size=200) * (20 if objective == "logistic" else 1)
    y = rng.exponential(size, 200)
    if objective == "logistic":
        y = (y > size).astype(float)
    rows = rng.normal(size=(200, 2))
    model = workbench.fit(rows, y, base_margin=offset, objective=objective, rounds=1, learning_rate=1e-9)
    raw = model.predict_raw(rows, base_margin=offset).astype(np.float64)
    slopes = {
        "squared": lambda: raw - y, "poisson": lambda: np.exp(raw) - y,
        "gamma": lambda: 1 - y * np.exp(-raw), "logistic": lambda: 1 / (1 + np.exp(-raw)) - y,
        "tweedie": lambda: np.exp(raw / 2) - y * np.exp(-raw / 2),
    }
    slope = slopes[objective]()
    assert abs(slope.sum()) < 1e-4 * np.abs(slope).sum()


@pytest.mark.slow
def test_exposure_is_taken_into_account(tmp_path):
    x, y, offset = claims()
    frame = pd.DataFrame(x, columns=list("abc")).assign(log_exposure=offset, n=y)
    model = workbench.fit(
        frame, target="n", base_margin="log_exposure", objective="poisson", rounds=60, valid_fraction=0.25
    )
    assert model.schema.names == ("a", "b", "c")
    assert model.schema.offset == "log_exposure"
    rate = model.predict(frame.assign(log_exposure=0.0))
    assert model.predict(frame) == pytest.approx(rate * np.exp(offset), rel=1e-4)
    test_x, test_y, test_offset = claims(seed=1)
    table = xgboost.DMatrix(x, y, base_margin=offset + model.ensemble.base_margin[0])
    booster = xgboost.train({"objective": "count:poisson", "eta": 0.1, "max_delta_step": 0}, table, 60)
    margins = test_offset + model.ensemble.base_margin[0]
    theirs = booster.predict(xgboost.DMatrix(test_x, base_margin=margins))
    whole_table = workbench.fit(x, y, base_margin=offset, objective="poisson", rounds=60)
    ours = whole_table.predict(test_x, base_margin=test_offset)
    blind = workbench.fit(x, y, objective="poisson", rounds=60).predict(test_x)
    losses = [mean_poisson_deviance(test_y, predicted) for predicted in (ours, theirs, blind)]
    assert losses[0] < 1.02 * losses[1]
    assert losses[0] < 0.8 * losses[2]
    longer = workbench.fit(
        frame, target="n", base_margin="log_exposure", objective="poisson", rounds=5, valid_fraction=0.25,
        init_model=model,
    )
    whole = workbench.fit(
        frame, target="n", base_margin="log_exposure", objective="poisson", rounds=65, valid_fraction=0.25
    )
    assert np.array_equal(longer.predict_raw(frame), whole.predict_raw(frame))
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = tmp_path / "m.json"
    arguments = ["train", str(tmp_path / "t.csv"), "--target", "n", "--offset", "log_exposure", "--objective",
                 "poisson", "--rounds", "3", "--export", str(out), "--quiet"]  # fmt: skip
    assert main(arguments) == 0
    loaded = workbench.load_model(out)
    assert loaded.schema.offset == "log_exposure"
    assert "log_exposure" not in loaded.schema.names
    assert main(["predict", str(out), str(tmp_path / "t.csv"), "--output", str(tmp_path / "p.csv")]) == 0
    predicted = pd.read_csv(tmp_path / "p.csv")["prediction"]
    assert predicted.to_numpy() == pytest.approx(loaded.predict(frame), rel=1e-5)


def test_what_is_missing_or_does_not_fit_is_said():
    x, y, offset = claims(300)
    model = workbench.fit(x, y, base_margin=offset, rounds=2, objective="poisson")
    with pytest.raises(WorkbenchError, match="offset 'base_margin' is missing"):
        model.predict(x)
    with pytest.raises(WorkbenchError, match="300 numbers"):
        model.predict(x, base_margin=offset[:5])
    for words in (["a"] * 300, np.full(300, 1e300)):
        with pytest.raises(WorkbenchError, match="300 numbers"):
            model.predict(x, base_margin=words)
    with pytest.raises(WorkbenchError, match="The offset holds something that is no number"):
        workbench.fit(x, y, base_margin=["a"] * 300, rounds=2)
    with pytest.raises(WorkbenchError, match="no number in row 1"):
        workbench.fit(x, y, base_margin=np.full(300, 1e300), rounds=2)
    with pytest.raises(WorkbenchError, match="without an offset"):
        workbench.fit(x, y, rounds=2).predict(x, base_margin=offset)
    with pytest.raises(WorkbenchError, match="offset clash"):
        workbench.fit(x, np.minimum(y, 2), base_margin=offset, rounds=2, objective="softmax")
    bad = offset.copy()
    bad[4] = np.nan
    with pytest.raises(WorkbenchError, match="no number in row 5"):
        workbench.fit(x, y, base_margin=bad, rounds=2)


def test_a_model_goes_on_with_its_own_offset_only(tmp_path):
    x, y, offset = claims(200)
    frame = pd.DataFrame(x, columns=list("abc")).assign(log_exposure=offset, n=y)
    few = {"target": "n", "objective": "poisson", "rounds": 2}
    plain = workbench.fit(frame.drop(columns="log_exposure"), **few)
    known = workbench.fit(frame, base_margin="log_exposure", **few)
    with pytest.raises(WorkbenchError, match="the offset 'log_exposure', and this run has no offset"):
        workbench.fit(frame.drop(columns="log_exposure"), init_model=known, **few)
    with pytest.raises(WorkbenchError, match="no offset, and this run has the offset 'log_exposure'"):
        workbench.fit(frame, base_margin="log_exposure", init_model=plain, **few)
    other = frame.rename(columns={"log_exposure": "other"})
    with pytest.raises(WorkbenchError, match="'log_exposure', and this run has the offset 'other'"):
        workbench.fit(other, base_margin="other", init_model=known, **few)
    apart = workbench.fit(
        frame.drop(columns="log_exposure"), base_margin=offset, init_model=known, **few
    )
    assert apart.rounds == 4


def test_exponential_and_an_offset_clash():
    x, y, offset = claims(200)
    with pytest.raises(WorkbenchError, match="'exponential' and an offset clash"):
        workbench.fit(x, y > 0, base_margin=offset, objective="exponential", rounds=2)
