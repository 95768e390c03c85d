"""Several quantiles at once: each as if it were alone, and all of them in one file."""

from __future__ import annotations

import csv

import numpy as np
import pytest
import xgboost
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_pinball_loss

import workbench
from workbench.__main__ import main
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model
from workbench.parameters.training import BY_NAME, TrainingParams

LEVELS = (0.1, 0.5, 0.9)


def rows(n=600, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4)).astype(np.float32)
    x[rng.random(x.shape) < 0.05] = np.nan
    spread = 1 + np.abs(np.nan_to_num(x[:, 1]))
    return x, np.nan_to_num(x[:, 0]) + rng.normal(size=n) * spread, rng.integers(0, 3, n)


@pytest.mark.parametrize("method", ["hist", "approx", "exact"])
def test_each_level_is_as_if_it_were_alone(method):
    x, y, weight = rows()
    given = {"rounds": 8, "max_depth": 3, "valid_fraction": 0.25, "subsample": 0.7, "weight": weight,
             "objective": "quantile", "tree_method": method}
    together = workbench.fit(x, y, quantile_alpha=LEVELS, **given)
    alone = [workbench.fit(x, y, quantile_alpha=level, **given) for level in LEVELS]
    assert together.predict(x).shape == (600, 3)
    assert np.array_equal(together.predict(x), np.column_stack([model.predict(x) for model in alone]))
    for part in ("train", "valid"):
        means = [[record[f"{part}:pinball"] for record in model.history] for model in alone]
        assert [r[f"{part}:pinball"] for r in together.history] == pytest.approx(np.mean(means, axis=0))
    sums = np.sum([[record["loss"] for record in model.history] for model in alone], axis=0)
    assert [record["loss"] for record in together.history] == pytest.approx(sums)


def test_the_metric_is_the_mean_of_those_of_scikit_learn():
    x, y, weight = rows()
    model = workbench.fit(x, y, weight=weight, objective="quantile", quantile_alpha=LEVELS, rounds=10)
    predicted = model.predict(x)
    theirs = [
        mean_pinball_loss(y, predicted[:, k], alpha=level, sample_weight=weight)
        for k, level in enumerate(LEVELS)
    ]
    assert model.history[-1]["train:pinball"] == pytest.approx(np.mean(theirs), rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("k", range(3))
def test_held_out_loss_is_near_that_of_scikit_learn(k):
    x, y, _ = rows(4000, seed=2)
    model = workbench.fit(x[:3000], y[:3000], objective="quantile", quantile_alpha=LEVELS, rounds=80,
                          max_depth=4, reg_lambda=0)
    theirs = HistGradientBoostingRegressor(loss="quantile", quantile=LEVELS[k], max_iter=80, max_depth=4,
                                           early_stopping=False).fit(x[:3000], y[:3000])
    ours, other = (
        mean_pinball_loss(y[3000:], p, alpha=LEVELS[k])
        for p in (model.predict(x[3000:])[:, k], theirs.predict(x[3000:]))
    )
    assert ours <= 1.03 * other


def test_the_file_is_xgboosts_too(tmp_path):
    x, y, _ = rows()
    model = workbench.fit(x, y, objective="quantile", quantile_alpha=LEVELS, rounds=5)
    model.save(tmp_path / "m.json")
    booster = xgboost.Booster(model_file=tmp_path / "m.json")
    table = xgboost.DMatrix(x, feature_names=booster.feature_names)
    assert np.array_equal(booster.predict(table), model.predict(x))
    booster.save_model(tmp_path / "again.json")
    for name in ("m.json", "again.json"):
        again = load_model(tmp_path / name)
        assert np.array_equal(again.predict_raw(x), model.predict_raw(x))
        assert again.params == model.params
        assert again.ensemble.output_names == ("quantile 0.1", "quantile 0.5", "quantile 0.9")
        assert again.provenance["notes"] == []


def test_a_file_that_xgboost_made_is_read(tmp_path):
    x, y, _ = rows()
    booster = xgboost.train({"objective": "reg:quantileerror", "quantile_alpha": np.array([0.25, 0.75])},
                            xgboost.QuantileDMatrix(x, y), 4)
    booster.save_model(tmp_path / "x.json")
    model = load_model(tmp_path / "x.json")
    assert np.array_equal(model.predict(x), booster.predict(xgboost.DMatrix(x)))
    assert model.params.quantile_alpha == (0.25, 0.75)
    assert model.ensemble.output_names == ("quantile 0.25", "quantile 0.75")


def test_a_model_goes_on_as_one_longer_run(tmp_path):
    x, y, _ = rows()
    given = {"objective": "quantile", "quantile_alpha": LEVELS, "subsample": 0.8}
    whole = workbench.fit(x, y, rounds=7, **given)
    workbench.fit(x, y, rounds=3, **given).save(tmp_path / "m.json")
    more = workbench.fit(x, y, rounds=4, init_model=load_model(tmp_path / "m.json"), **given)
    assert np.array_equal(whole.predict(x), more.predict(x))
    assert np.array_equal(whole.first_rounds(3).predict(x), load_model(tmp_path / "m.json").predict(x))


def test_offsets_stand_beside_every_level():
    x, y, _ = rows()
    offset = np.linspace(-2, 2, len(y)).astype(np.float32)
    given = {"objective": "quantile", "rounds": 4, "base_margin": offset}
    together = workbench.fit(x, y, quantile_alpha=(0.2, 0.8), **given)
    alone = [workbench.fit(x, y, quantile_alpha=level, **given) for level in (0.2, 0.8)]
    expected = np.column_stack([model.predict(x, base_margin=offset) for model in alone])
    assert np.array_equal(together.predict(x, base_margin=offset), expected)


def test_the_command_line_writes_a_column_a_level(tmp_path):
    x, y, _ = rows(200)
    names = [f"x{k}" for k in range(4)]
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*names, "y"], *np.column_stack([x, y]).tolist()])
    made = str(tmp_path / "m.json")
    assert main(["train", str(tmp_path / "t.csv"), "--target", "y", "--objective", "quantile",
                 "--rounds", "3", "--quantile-alpha", "0.1, 0.9", "--export", made, "--quiet"]) == 0
    out = tmp_path / "p.csv"
    assert main(["predict", made, str(tmp_path / "t.csv"), "--output", str(out), "--raw"]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert list(written[0]) == ["quantile_0.1", "quantile_0.9", "raw_quantile_0.1", "raw_quantile_0.9"]
    assert main(["inspect", made]) == 0


@pytest.mark.parametrize(
    ("given", "taken"),
    [(0.3, (0.3,)), ("0.1, 0.9", (0.1, 0.9)), ([0.9, 0.1], (0.9, 0.1)), (np.array([0.5]), (0.5,)),
     ([], None), ([0.1, 0.1], None), ([0.1, 1.0], None), ("0.1;0.9", None), ([None], None), (True, None),
     ([k / 200 for k in range(1, 150)], None)],
    ids=str,
)  # fmt: skip
def test_levels_are_taken_or_refused(given, taken):
    if taken is None:
        with pytest.raises(WorkbenchError, match="quantile_alpha is"):
            TrainingParams(quantile_alpha=given)
        return
    params = TrainingParams(quantile_alpha=given)
    assert params.quantile_alpha == taken
    assert BY_NAME["quantile_alpha"].parse(BY_NAME["quantile_alpha"].shown(taken)) == taken


def test_a_metric_of_one_prediction_is_refused():
    x, y, _ = rows(100)
    with pytest.raises(WorkbenchError, match="more_metrics and quantile_alpha clash: mae"):
        workbench.fit(x, y, objective="quantile", quantile_alpha=(0.2, 0.8), more_metrics=["mae"], rounds=2)
