"""LightGBM's models that were trained with zero_as_missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.lightgbm.test_models import saved
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model

lightgbm = pytest.importorskip("lightgbm")

TINY = np.float32([0, -0.0, 1e-45, -1e-45, 9e-36, -9e-36, 1e-35, -1e-35, 1.1e-35, -1.1e-35, 1e-30, -1e-30])


def sparse(seed=0, n=900):
    """Numbers on both sides of 0, many of them 0 or missing, and a column of categories."""
    rng = np.random.default_rng(seed)
    rows = np.round(rng.normal(loc=[0, 2, -2, 0], size=(n, 4)), 1)
    rows[:, 3] = rng.integers(0, 9, n)
    rows[rng.random(rows.shape) < 0.4] = 0
    rows[rng.random(rows.shape) < 0.1] = np.nan
    known = np.nan_to_num(rows)
    target = known[:, 0] + 3 * (known[:, 1] == 0) - 2 * (known[:, 2] == 0) + (known[:, 3] % 3)
    return rows.astype(np.float32), target + rng.normal(size=n) / 5


def trained(seed=0, **params):
    rows, target = sparse(seed)
    settings_ = {"zero_as_missing": True, "verbose": -1, "num_threads": 1, "min_data_in_leaf": 3,
                 "min_data_per_group": 3, "cat_smooth": 0, **params}  # fmt: skip
    data = lightgbm.Dataset(rows, target, categorical_feature=[3], free_raw_data=False)
    return lightgbm.train(settings_, data, 12), rows


def odd(rows):
    """The rows, with numbers beside 0 and categories that training did not have."""
    rng = np.random.default_rng(1)
    other = rows.copy()
    other[:, :3] = np.where(rng.random((len(rows), 3)) < 0.5, rng.choice(TINY, (len(rows), 3)), rows[:, :3])
    other[::7, 3] = 77
    return np.vstack([rows, other])


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("params", [
    {}, {"num_leaves": 80}, {"max_bin": 4}, {"use_missing": False},
    {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
])  # fmt: skip
def test_zero_goes_where_missing_values_go(params, kind, tmp_path):
    booster, rows = trained(**params)
    model = saved(booster, tmp_path / "m", kind)
    given_ = odd(rows)
    np.testing.assert_allclose(model.predict(given_), booster.predict(given_), rtol=1e-12, atol=1e-12)
    told = any("zero_as_missing" in note for note in model.provenance["notes"])
    assert told == params.get("use_missing", True)


@examples(15)
@given(st.integers(0, 10**6), st.sampled_from([3, 9, 40]))
def test_any_such_model_is_taken_away_as_it_is(tmp_path_factory, seed, num_leaves):
    booster, rows = trained(seed, num_leaves=num_leaves)
    folder = tmp_path_factory.mktemp("zero")
    model = saved(booster, folder / "m", "text")
    given_ = odd(rows)
    np.testing.assert_allclose(model.predict(given_), booster.predict(given_), rtol=1e-12, atol=1e-12)
    model.save(folder / "again.json", "xgboost")
    np.testing.assert_array_equal(load_model(folder / "again.json").predict(given_), model.predict(given_))


def test_trees_that_would_be_too_large_are_refused(tmp_path, monkeypatch):
    booster, _ = trained()
    monkeypatch.setattr("workbench.formats.lightgbm.zero.MOST_NODES", 50)
    with pytest.raises(WorkbenchError, match="Train it with zero_as_missing=false"):
        saved(booster, tmp_path / "m", "text")
